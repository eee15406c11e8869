"""All connections of bots that stay at home in one web server, and the matches that come to them.

A bot connects (`greet`), says who it is within a few seconds, and is looked up in the database. From then on its
`Home` hears it. A match connects from the judge's side through a socket in the site's folder (`line.py`), once for
each of its seats; it waits there until the bot has room for it. Everything here happens in the server's own loop.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import socket
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec

from dohyo.core.errors import OperatorError
from dohyo.guests.site.arena.distant import Admitted
from dohyo.guests.site.distant import line, wire
from dohyo.guests.site.distant.chairs import Chair
from dohyo.guests.site.distant.homes import Home
from dohyo.guests.site.distant.line import Ask, Over, Take, Who
from dohyo.guests.site.distant.wire import End, Hello, Refused, Start, Welcome, written
from dohyo.guests.site.edge.text_socket import TextSocket
from dohyo.guests.site.upkeep import logs

GREETING = 10.0  # seconds in which whoever connects says who it is
MAX_GREETED = 50  # that have not said so yet; of one address:
MAX_OF_ADDRESS = 10
MAX_HOMES = 200  # bots
MAX_OF_PERSON = 5  # of one person
CHECKED = 30.0  # seconds between two looks whether a bot may still play: a token ends, or is revoked
LONGEST_WAIT = 900.0  # seconds for which a match waits until a bot has room for it

AWAY = 1013  # the standard's code for who may try again later

Admit = Callable[[Hello], Admitted]
Wanted = Take | Who | Ask | Over


class _First:
    """Hears the first message."""

    def __init__(self) -> None:
        self.message: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()

    def heard(self, content: bytes, at: float) -> None:
        """A message has come."""
        if not self.message.done():
            self.message.set_result(content)

    def ponged(self, content: bytes, at: float) -> None:
        """Nobody has asked."""

    def lost(self, left: bool) -> None:
        """It has said nothing."""
        if not self.message.done():
            self.message.cancel()


class Switchboard:
    """The connections of one web server; `folder` is the site's, `admit` finds out who says hello."""

    def __init__(self, folder: Path, admit: Admit) -> None:
        """`admit` is called in a thread; it raises `OperatorError` for who may not play."""
        self._folder = folder / line.FOLDER
        self._admit = admit
        self._homes: dict[int, Home] = {}
        self._greeted: Counter[str] = Counter()
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def there(self) -> list[int]:
        """The numbers of the bots with which a match may begin."""
        return [number for number, home in self._homes.items() if home.is_there]

    # --- for matches

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Listen for matches, as long as the block lasts. Where that cannot be, no bot at home is played with."""
        path = self._folder / secrets.token_hex(8)
        try:
            await self._listen(path)
        except OSError as error:
            logs.trouble(f"{path}: {error}")
        try:
            yield
        finally:
            with suppress(OSError):
                path.unlink()
            if self._server is not None:
                self._server.close()
            for task in [*self._tasks]:
                task.cancel()

    async def _listen(self, path: Path) -> None:
        self._folder.mkdir(mode=0o700, exist_ok=True)
        for older in line.sockets(self._folder.parent):
            _remove_dead(older)
        listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            with line.short(path) as name:
                listening.bind(name)
            os.chmod(path, 0o600)
            listening.listen(128)
            listening.setblocking(False)
            self._server = await asyncio.start_unix_server(self._connected, sock=listening, limit=line.MAX_LINE)
        except BaseException:
            listening.close()
            raise

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            await self._serve(reader, writer)
        except (OSError, ValueError, msgspec.MsgspecError, asyncio.CancelledError):
            """A match that was given up, or that is none."""
        finally:
            self._tasks.discard(task)
            writer.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        def tell(told: dict[str, Any]) -> None:
            if not writer.is_closing():
                writer.write(msgspec.json.encode(told) + b"\n")

        wanted = await _next(reader)
        if isinstance(wanted, Who):
            tell({"there": self.there})
            await writer.drain()
        elif isinstance(wanted, Take):
            home = await self._free(wanted.bot, min(wanted.wait, LONGEST_WAIT))
            tell({"taken": home is not None})
            await writer.drain()
            if home is not None:
                await self._play(home, wanted, reader, tell)

    async def _free(self, bot: int, seconds: float) -> Home | None:
        """The bot, once it has room for a match; none if it is not there, or has no room for so long."""
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        while (home := self._homes.get(bot)) is not None and home.is_there and loop.time() < end:
            if home.has_room:
                return home
            changed = home.changed
            with suppress(TimeoutError):  # one that is lost a moment ago may be no more there soon
                await asyncio.wait_for(changed.wait(), min(1.0, end - loop.time()))
        return None

    async def _play(
        self, home: Home, wanted: Take, reader: asyncio.StreamReader, tell: Callable[[dict[str, Any]], None]
    ) -> None:
        """A match of a bot, from its beginning until it is over for it."""
        start = msgspec.convert({**wanted.start, "match": secrets.token_hex(6)}, Start)
        chair = home.chairs[start.match] = Chair(home, start, tell, asyncio.get_running_loop())
        end = End(start.match, void=True)
        try:
            chair.begin()
            while isinstance(asked := await _next(reader), Ask):
                chair.ask(asked.input, asked.limit)
            if isinstance(asked, Over):
                end = End(start.match, asked.places, asked.stopped, asked.input)
        finally:
            chair.end(end)
            home.free(start.match)
            self._forget()

    # --- for bots

    async def greet(self, socket: TextSocket, origin: str, accept: Callable[[], Any]) -> None:
        """Take a connection, and keep it until it is over."""
        first = _First()
        if self._greeted.total() >= MAX_GREETED or self._greeted[origin] >= MAX_OF_ADDRESS:
            return
        self._greeted[origin] += 1
        try:
            socket.listener = first
            await accept()
            hello = await self._hello(socket, first)
            home = None if hello is None else await self._admitted(socket, hello)
        finally:
            self._greeted[origin] -= 1
            self._greeted += Counter()  # forgets who has none
        if home is not None and hello is not None and not socket.over.is_set():
            home.attach(socket, hello)
            while not socket.over.is_set():
                with suppress(TimeoutError):
                    await asyncio.wait_for(socket.over.wait(), CHECKED)
                if not socket.over.is_set():
                    await self._admitted(socket, hello)
            self._forget()

    async def _hello(self, socket: TextSocket, first: _First) -> Hello | None:
        try:
            hello = wire.read(await asyncio.wait_for(first.message, GREETING))
        except (TimeoutError, asyncio.CancelledError):
            socket.end(wire.BAD_MESSAGE, "hello comes first, and soon")
            return None
        except ValueError as error:
            socket.end(wire.BAD_MESSAGE, str(error))
            return None
        if isinstance(hello, Hello) and hello.version == wire.VERSION:
            return hello
        socket.end(wire.BAD_MESSAGE, f"hello comes first, of version {wire.VERSION}")
        return None

    async def _admitted(self, socket: TextSocket, hello: Hello) -> Home | None:
        try:
            who = await asyncio.to_thread(self._admit, hello)
            if not hello.at_once:
                socket.say(written(Welcome(who.ladder, who.game, who.name, [])))
                socket.end(1000)
                return None
            home = self._homes.get(who.bot)
            if home is None:
                self._check_room(who)
                home = self._homes[who.bot] = Home(who)
        except OperatorError as error:
            if not error.key.startswith("serve-"):  # the database is away for a moment
                socket.end(AWAY, "try again", left=False)
                return None
            socket.say(written(Refused(error.key, error.say())))
            is_token = error.key == "serve-distant-token"
            socket.end(wire.NO_TOKEN if is_token else wire.REFUSED, error.say())
            return None
        return home

    def _check_room(self, who: Admitted) -> None:
        """Raise `OperatorError` where there are too many."""
        self._forget()
        own = sum(home.who.person == who.person for home in self._homes.values())
        if own >= MAX_OF_PERSON:
            raise OperatorError("serve-distant-many", most=MAX_OF_PERSON)
        if len(self._homes) >= MAX_HOMES:
            raise OperatorError("serve-distant-full")

    def _forget(self) -> None:
        """Forget bots that are gone, and that no match needs; one that rests comes back to its rest."""
        for number, home in [*self._homes.items()]:
            if not home.is_needed:
                del self._homes[number]


async def _next(reader: asyncio.StreamReader) -> Wanted | None:
    """The next value of a line; none once the other end is gone."""
    content = await reader.readline()
    if not content:
        return None
    found: Wanted = msgspec.json.decode(content, type=Wanted)
    return found


def _remove_dead(path: Path) -> None:
    """Remove the socket of a web server that is gone."""
    try:
        line.Line(path).close()
    except OSError:
        with suppress(OSError):
            path.unlink()
