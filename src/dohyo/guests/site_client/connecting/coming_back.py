"""Keeps a bot connected to a site: what comes is handed on to its matches, and a lost connection is made again."""

from __future__ import annotations

import threading
from collections.abc import Callable
from time import monotonic
from typing import NamedTuple

from dohyo.bots import Bot
from dohyo.core.errors import OperatorError
from dohyo.core.faults import Fault
from dohyo.core.game import Game
from dohyo.guests.site_client.connecting import wire
from dohyo.guests.site_client.connecting.playing import HomeMatch
from dohyo.guests.site_client.connecting.socket import LostError, SiteSocket
from dohyo.guests.site_client.connecting.wire import End, Refused, Start, Turn, Welcome, written
from dohyo.guests.site_client.login import Login
from dohyo.sandbox import Sandbox

FIRST_WAIT, LONGEST_WAIT = 0.25, 30.0  # seconds until a lost connection is made again
GREETING = 30.0  # seconds for a site to say welcome
LOOK = 0.25  # seconds between two looks whether it is to end


class Who(NamedTuple):
    """Who plays: on which site and ladder, the bot's name there, and in how many matches at once."""

    login: Login
    ladder: str
    bot: str
    at_once: int


class Events(NamedTuple):
    """Whom the command tells what: each is called when it happens."""

    connected: Callable[[Welcome], None]
    lost: Callable[[str], None]
    started: Callable[[Start], None]
    ended: Callable[[Start, End], None]
    failed: Callable[[Fault | OperatorError], None]


class Playing(NamedTuple):
    """What plays: the game, its bot, and the sandbox for its programs."""

    game: Game
    bot: Bot
    sandbox: Sandbox


def greeted(who: Who, at_once: int) -> tuple[SiteSocket, Welcome]:
    """A connection on which the site has said welcome.

    Raises `LostError` where that may be otherwise later, `OperatorError` where it will not.
    """
    socket = SiteSocket(who.login.site)
    try:
        hello = {"token": who.login.token, "ladder": who.ladder, "bot": who.bot, "at_once": at_once}
        socket.send(written("hello", version=wire.VERSION, **hello))
        end = monotonic() + GREETING
        while monotonic() < end:
            if (content := socket.received(LOOK)) is None:
                continue
            said = _read(content, who.login.site)
            if isinstance(said, Refused):
                raise OperatorError("site-refuses", site=who.login.site, said=said.why)
            if isinstance(said, Welcome):
                return socket, said
        raise LostError(0, "no welcome")
    except LostError as lost:
        socket.drop()
        raise _final(lost, who.login.site) or lost from None
    except BaseException:
        socket.drop()
        raise


def _read(content: bytes, site: str) -> wire.Said:
    try:
        return wire.read(content)
    except ValueError as error:
        raise OperatorError("site-other", site=site) from error


def _final(lost: LostError, site: str) -> OperatorError | None:
    """The error where it is of no use to connect again; none where it is."""
    if lost.code == wire.NO_TOKEN:
        return OperatorError("site-token-over", site=site)
    if lost.code == wire.REPLACED:
        return OperatorError("site-replaced")
    if lost.code == wire.REFUSED or 4400 <= lost.code < 4500:
        return OperatorError("site-refuses", site=site, said=lost.reason or str(lost.code))
    return None


class Connection:
    """A bot's connection, as long as `keep` runs; `stop` ends that from a signal or another thread."""

    def __init__(self, who: Who, playing: Playing, events: Events, most: int | None = None) -> None:
        """It ends by itself after `most` matches, none: never."""
        self._who, self._playing, self._events = who, playing, events
        self._left = most
        self._matches: dict[str, tuple[Start, HomeMatch]] = {}
        self._ending: list[HomeMatch] = []
        self._socket: SiteSocket | None = None
        self._stops = threading.Event()

    def stop(self) -> None:
        """Let it end."""
        self._stops.set()

    def keep(self) -> None:
        """Play until it is to end. Raises `OperatorError` where the site does not want it any more.

        Whatever ends it, nothing of the bot is left running.
        """
        wait = FIRST_WAIT
        try:
            while not self._is_over:
                try:
                    self._socket, welcome = greeted(self._who, self._who.at_once)
                except LostError as lost:
                    self._events.lost(lost.reason)
                else:
                    wait = FIRST_WAIT
                    self._serve(welcome)
                if not self._is_over:
                    self._stops.wait(wait)
                    wait = min(LONGEST_WAIT, 2 * wait)
        finally:
            self._end_all()

    @property
    def _is_over(self) -> bool:
        return self._stops.is_set() or (self._left is not None and self._left <= 0)

    def _serve(self, welcome: Welcome) -> None:
        """Hand on what comes over one connection, until it is lost."""
        socket = self._socket
        assert socket is not None
        self._events.connected(welcome)
        for match in {*self._matches} - {*welcome.matches}:  # they ended meanwhile
            self._end(End(match, void=True))
        try:
            while not self._is_over:
                if (content := socket.received(LOOK)) is not None:
                    self._take(_read(content, self._who.login.site))
        except LostError as lost:
            self._socket = None
            socket.drop()
            if (final := _final(lost, self._who.login.site)) is not None:
                raise final from lost
            self._events.lost(lost.reason)
        finally:
            if self._socket is not None:
                self._socket = None
                socket.leave()

    def _take(self, said: wire.Said) -> None:
        if isinstance(said, Start):
            self._start(said)
        elif isinstance(said, Turn) and said.match in self._matches:
            self._matches[said.match][1].ask(said)
        elif isinstance(said, End) and said.match in self._matches:
            self._end(said)

    def _start(self, start: Start) -> None:
        self._ending = [match for match in self._ending if not match.is_done]
        if start.match in self._matches:
            self._matches[start.match][1].again()
        elif len(self._matches) < self._who.at_once:
            made = HomeMatch(*self._playing, start, self._send, self._events.failed)
            self._matches[start.match] = start, made
            made.begin()
            self._events.started(start)

    def _end(self, end: End) -> None:
        start, match = self._matches.pop(end.match)
        match.end(None if end.void or end.stopped else end.input.encode("utf-8", "replace"))
        self._ending.append(match)
        self._events.ended(start, end)
        if self._left is not None and end.places:
            self._left -= 1

    def _end_all(self) -> None:
        for _, match in self._matches.values():
            match.end(None)
            self._ending.append(match)
        self._matches.clear()
        for match in self._ending:
            match.join()

    def _send(self, content: bytes) -> None:
        """Send a message; where the connection is lost, the site asks again over the next one."""
        socket = self._socket
        if socket is not None:
            try:
                socket.send(content)
            except LostError:
                """Who reads notices it, too."""
