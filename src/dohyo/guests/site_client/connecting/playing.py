"""One match of a bot that stays at home: its program, started as for any match here, and asked what the site asks."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from dohyo.bots import Bot
from dohyo.core.clock import Clock
from dohyo.core.errors import OperatorError
from dohyo.core.faults import Fault
from dohyo.core.game import Game
from dohyo.core.referee import Answer
from dohyo.guests.site_client.connecting import wire
from dohyo.guests.site_client.connecting.wire import Start, Turn, written
from dohyo.interrupts import DeferSignals
from dohyo.match.play import seat_launch, working_copies
from dohyo.match.players.players import Players
from dohyo.sandbox import Sandbox

MORE = 60.0  # seconds beyond the site's limit: when the time is over, the site says
LOOK = 0.5  # seconds between two looks whether it is over
LONGEST_END = 20.0  # seconds for a program that was killed, and for what it has started
MAX_WAITING = 16  # turns: more are only those of a bot that never answers


class _Asked:
    """What the players of a match ask their referee: here it hands on what the site has sent."""

    def __init__(self, game: Game, seats: int) -> None:
        self.game, self.seats = game, seats
        self.turn = 0
        self.text = b""
        self.stopped: list[Fault | None] = [None] * seats

    def prompt(self, seat: int) -> bytes:
        """What the bot is sent now."""
        return self.text

    def farewell(self, seat: int) -> bytes:
        """What it is sent at the end."""
        return self.text

    def stop(self, seat: int, answer: Answer) -> None:
        """It has a fault before its first turn."""
        self.stopped[seat] = answer.faults[-1]


class HomeMatch:
    """A match, in a thread of its own. `send` hands a message to the site, or forgets it where there is no way."""

    def __init__(
        self,
        game: Game,
        bot: Bot,
        sandbox: Sandbox,
        start: Start,
        send: Callable[[bytes], None],
        tell: Callable[[Fault | OperatorError], None],
    ) -> None:
        """`tell` is called with what was wrong with the bot."""
        self._game, self._bot, self._sandbox, self._start = game, bot, sandbox, start
        self._send, self._tell = send, tell
        self._turns: queue.Queue[Turn | None] = queue.Queue(MAX_WAITING)
        self._farewell: bytes | None = None
        self._lock = threading.Lock()
        self._known = 0  # the number of the last turn that came
        self._answer = b""  # what was sent last: again, if the site has not got it
        self._answered = -1
        self._is_over = self._has_failed = False
        self._players: Players | None = None
        self._thread = threading.Thread(target=self._run, name=f"match {start.match}", daemon=True)

    # --- from the thread that reads

    def begin(self) -> None:
        """Start its program, and wait for nothing."""
        self._thread.start()

    def again(self) -> None:
        """The match is told again: whether its program is ready, too."""
        with self._lock:
            if self._answered == 0:
                self._send(self._answer)

    def ask(self, turn: Turn) -> None:
        """The site asks, or asks again."""
        with self._lock:
            if turn.number == self._answered or self._has_failed:
                self._send(self._answer)
            elif turn.number > self._known:
                self._known = turn.number
                with suppress(queue.Full):
                    self._turns.put_nowait(turn)

    def end(self, text: bytes | None) -> None:
        """It is over, with this last input, or none: the program is ended, whatever it does."""
        self._farewell = text
        self._is_over = True
        with suppress(queue.Full):
            self._turns.put_nowait(None)
        players = self._players
        if players is not None and (text is None or self._answered != self._known):
            for process in [*players.processes.values()]:
                process.kill()

    def join(self) -> None:
        """Wait until nothing of it runs."""
        if self._thread.ident is not None:
            self._thread.join(LONGEST_END)

    @property
    def is_done(self) -> bool:
        """Whether nothing of it runs any more."""
        return not self._thread.is_alive()

    # --- its own thread

    def _run(self) -> None:
        try:
            with working_copies(self._game) as copies:
                start = self._start
                clock = Clock(turn=start.limit + MORE, first=start.first_limit + MORE, ready=start.ready + MORE)
                told = Clock(turn=start.limit, first=start.first_limit)
                given = self._game, self._bot, start.seed, start.seat, copies, self._sandbox, told, start.setup
                launch = seat_launch(*given)
                asked = _Asked(self._game, start.seats)
                referee: Any = asked
                players = self._players = Players(referee, {start.seat: launch}, clock, DeferSignals())
                try:
                    self._play(players, asked)
                finally:
                    players.stop_all()
        except OperatorError as error:
            self._fail(error)
        finally:
            self._players = None

    def _play(self, players: Players, asked: _Asked) -> None:
        seat = self._start.seat
        players.start()
        if (fault := asked.stopped[seat]) is not None:
            self._fail(fault)
            return
        self._say(0, written("ready", match=self._start.match))
        while (turn := self._next()) is not None:
            asked.text, asked.turn = self._without_closing(turn.input), turn.number - 1
            answer = players.ask([seat])[seat]
            if self._is_over:
                break
            if answer.reply is None:
                self._fail(answer.faults[-1])
                return
            self._say(turn.number, wire.answer(self._start.match, turn.number, answer.reply))
        if self._farewell is not None:
            asked.text = self._farewell
            players.say_farewell()

    def _next(self) -> Turn | None:
        """The next turn; none once it is over."""
        while not self._is_over:
            with suppress(queue.Empty):
                return self._turns.get(timeout=LOOK)
        return None

    def _without_closing(self, text: str) -> bytes:
        """A turn's input without what programs that live for a match get behind it, which is added for them."""
        closing: bytes = self._game.protocol.CLOSING
        content = text.encode("utf-8", "replace")
        return content.removesuffix(closing) if closing else content

    def _say(self, number: int, message: bytes) -> None:
        with self._lock:
            self._answered, self._answer = number, message
            self._send(message)

    def _fail(self, what: Fault | OperatorError) -> None:
        if self._is_over:
            return
        from dohyo.i18n import ENGLISH

        said = what.say(ENGLISH) if isinstance(what, OperatorError) else ENGLISH.say(what.told)
        self._has_failed = True
        self._say(self._known, written("failed", match=self._start.match, said=said[:500]))
        self._tell(what)
