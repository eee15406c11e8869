"""A bot that stays at home, as long as it is connected or a match needs it: its connection, and its seats."""

from __future__ import annotations

import asyncio

from dohyo.guests.site.arena.distant import Admitted
from dohyo.guests.site.distant import wire
from dohyo.guests.site.distant.chairs import READY, Chair
from dohyo.guests.site.distant.wire import Answer, Failed, Hello, Ready, Welcome, written
from dohyo.guests.site.edge.text_socket import TextSocket

QUICK, CALM = 1.0, 5.0  # seconds between two pings, while it is asked something and otherwise
SILENT = 20.0  # seconds beyond what it is given to think, after which a connection without a sign counts as lost
# Seconds for which a bot is given no match that was silent, or went, when one began: twice as many each time, up to
# an hour. Each match that it begins takes few of them off: nobody is to play one seat, and to go from the other.
REST, LONGEST_REST, REGAINED = 60.0, 3600.0, 6.0
RECENT = 5.0  # seconds for which a match may still begin with a bot whose connection was lost
USELESS, MAX_USELESS = 10.0, 200.0  # messages that are of no use: in a second, and at once
MAX_PINGS = 64  # whose pongs are awaited


class Home:
    """One bot. It is the `Way` of its seats, and hears what comes over its connection."""

    def __init__(self, who: Admitted) -> None:
        self.who = who
        self.chairs: dict[str, Chair] = {}  # by the match's name
        self.at_once = 1
        self.delay = 0.0
        self.heard_at = 0.0
        self.changed = asyncio.Event()
        self._socket: TextSocket | None = None
        self._loop = asyncio.get_running_loop()
        self._lost_at = self._loop.time()
        self._rest = 0.0  # seconds of the last rest, less what was regained since
        self._rests_until = 0.0
        self._pings: dict[bytes, float] = {}
        self._count = 0
        self._useless = MAX_USELESS, self._loop.time()
        self._beat: asyncio.TimerHandle | None = None

    @property
    def is_open(self) -> bool:
        """Whether it is connected."""
        return self._socket is not None

    @property
    def is_there(self) -> bool:
        """Whether a match may begin with it: it is connected, or was a moment ago."""
        now = self._loop.time()
        return not self.rests_for and (self.is_open or now - self._lost_at < RECENT)

    @property
    def rests_for(self) -> float:
        """For how many seconds from now it is given no match."""
        return max(0.0, self._rests_until - self._loop.time())

    @property
    def is_needed(self) -> bool:
        """Whether it is to be remembered: also as long as it rests, and after that as long again."""
        now = self._loop.time()
        return self.is_open or bool(self.chairs) or self.is_there or now < self._rests_until + self._rest

    @property
    def has_room(self) -> bool:
        """Whether it can play one match more at this moment."""
        return self.is_open and self.is_there and len(self.chairs) < self.at_once

    # --- its connection

    def attach(self, socket: TextSocket, hello: Hello) -> None:
        """It is connected now; an older connection of its ends."""
        if (older := self._socket) is not None:
            older.listener = None
            older.end(wire.REPLACED, "this bot has connected once more")
            self._let_go()
        self._socket, socket.listener = socket, self
        self.at_once, self.heard_at = hello.at_once, self._loop.time()
        self._useless = MAX_USELESS, self._loop.time()
        socket.say(written(Welcome(self.who.ladder, self.who.game, self.who.name, [*self.chairs])))
        for chair in [*self.chairs.values()]:
            chair.back()
        self._pulse()
        self._change()

    def end(self, code: int, reason: str) -> None:
        """End the connection."""
        if self._socket is not None:
            self._socket.end(code, reason)

    def lost(self, left: bool) -> None:
        """The connection is lost, or the bot has left."""
        self._let_go(left)
        if left:
            self._lost_at = self._loop.time() - RECENT
        self._change()

    def rest(self) -> None:
        """It was given a match, and was silent or went: for a while it is given no other."""
        if not self.rests_for:  # of matches that begin at once, one counts
            self._rest = min(LONGEST_REST, max(REST, 2 * self._rest))
            self._rests_until = self._loop.time() + self._rest
        self._change()

    def _let_go(self, left: bool = False) -> None:
        self._socket, self._lost_at = None, self._loop.time()
        self._pings.clear()
        if self._beat is not None:
            self._beat.cancel()
        for chair in [*self.chairs.values()]:
            chair.lost(left=left)

    def _change(self) -> None:
        """Wake up who waits for it."""
        self.changed.set()
        self.changed = asyncio.Event()

    def free(self, match: str) -> None:
        """A match is over for it."""
        self.chairs.pop(match, None)
        self._change()

    # --- as a way of its seats

    def say(self, content: bytes) -> float:
        """Send a message; the moment."""
        return self._loop.time() if self._socket is None else self._socket.say(content)

    def ping(self) -> bytes:
        """Send a ping; what is in it."""
        self._count += 1
        content = self._count.to_bytes(8, "big")
        if self._socket is not None:
            self._pings[content] = self._socket.ping(content)
            while len(self._pings) > MAX_PINGS:
                del self._pings[next(iter(self._pings))]
        return content

    def _pulse(self) -> None:
        """Ping it again and again, and end a connection from which nothing comes any more."""
        longest = max((chair.limit for chair in self.chairs.values()), default=0.0)
        if self._socket is not None and self._loop.time() - self.heard_at > SILENT + longest:
            self._socket.abort()
            return
        self.ping()
        self._beat = self._loop.call_later(QUICK if longest else CALM, self._pulse)

    # --- what comes

    def ponged(self, content: bytes, at: float) -> None:
        """A pong has come."""
        sent = self._pings.pop(content, None)
        if sent is None:
            self._count_useless(at)
            return
        self.heard_at, self.delay = at, max(0.0, at - sent)
        for chair in [*self.chairs.values()]:
            chair.ponged(content, self.delay)

    def heard(self, content: bytes, at: float) -> None:
        """A message has come."""
        self.heard_at = at
        try:
            message = wire.read(content)
        except ValueError as error:
            self.end(wire.BAD_MESSAGE, str(error))
            return
        if isinstance(message, Hello):
            self.end(wire.BAD_MESSAGE, "hello comes once")
            return
        chair = self.chairs.get(message.match)
        if chair is None:  # it was over before this came
            self._count_useless(at)
            return
        if isinstance(message, Failed):
            chair.failed(message.said)
            return
        number, line = (message.number, message.line) if isinstance(message, Answer) else (READY, "")
        if isinstance(message, Answer) and number == READY:
            self.end(wire.BAD_MESSAGE, "turns are numbered from 1")
            return
        came = chair.answered(number, line, at)
        if came == "counts" and number == READY:
            self._rest = max(0.0, self._rest - REGAINED)
        if came == "never-asked":
            self.end(wire.BAD_MESSAGE, f"turn {number} of this match was not asked")
        elif came == "stale" and not isinstance(message, Ready):
            self._count_useless(at)

    def _count_useless(self, at: float) -> None:
        """Note a message that is of no use: a few may come late, and many are somebody's who means no good."""
        left, since = self._useless
        left = min(MAX_USELESS, left + USELESS * (at - since)) - 1
        self._useless = left, at
        if left < 0:
            self.end(wire.TOO_MUCH, "too many messages that answer nothing")
