"""Matches that are watched while they are played: each is read once in a process, for all who watch it.

Theory of operation
-------------------
A `Source` says what is new of a match, or of what becomes of a hand-in: it reads files and the database, in a thread.
The first who watches starts a `Follower` of it, a task that asks the source every `LOOK` seconds and keeps what it
was told. A stream is a place in that list: it sends what it has not sent yet, and waits for more. So each who watches
gets everything in its order, whoever comes late from the beginning on, and one whose line is slow keeps nobody
waiting and fills no memory. When the last one has gone, the follower ends.

Everything here but a source's reading happens in the one event loop of the process.
"""

from __future__ import annotations

import asyncio
import sys
import time
import traceback
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Hashable
from typing import Any, NamedTuple, Protocol

import msgspec
from litestar import Response
from litestar.concurrency import sync_to_thread
from litestar.response import Stream

from dohyo import clean
from dohyo.match.replays.live_match import LiveMatch

LOOK = 0.1  # seconds between two looks at a source
QUIET = 15.0  # seconds without news after which a stream shows that it is alive
LONGEST_STREAM = 600.0  # seconds after which a browser has to ask again
MAX_STREAMS = 300  # that are open in a process: others still get pages
MAX_KEPT = 64 << 20  # bytes that are kept of one match: turns beyond that are not shown
AGAIN = 5.0  # seconds after which it is asked again whether one may watch
EACH = 8  # streams of one person
EACH_PLACE = 250  # of all who have no account and come from one address: a class
SHOWN_AT_ONCE = 200  # turns that are sent in one message
ALIVE = b": alive\n\n"


class Event(NamedTuple):
    """Something that is told: its name, and its data, a text without a line's end.

    With one that `begins`, another match begins: who comes later is told nothing of what was before.
    """

    name: str
    data: str
    begins: bool = False

    @property
    def sent(self) -> bytes:
        """The event as a browser reads it from the stream."""
        return f"event: {self.name}\ndata: {self.data}\n\n".encode()


OFF = Event("off", "")  # there is nothing to watch any more, for this one


class Watching(NamedTuple):
    """One who watches: `who`, for whom there are `each` streams at most, and what he is told of an event.

    `may` says whether he may go on, and is asked in a thread, from time to time; without it he may.
    """

    who: str
    each: int
    told: Callable[[Event], Event | None]
    may: Callable[[], bool] | None = None


class Source(Protocol):
    """What is followed. One thread at a time calls it."""

    is_over: bool

    def more(self) -> list[Event]:
        """What is new; once it `is_over`, there is nothing more to come."""

    def close(self) -> None:
        """Let go of what is open."""


class Follower:
    """One source, read for all who watch."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._kept = 0
        self.told: list[Event] = []
        self.start = 0  # what was told before the first of these
        self.is_over = False
        self.watchers = 0
        self.changed = asyncio.Event()  # set when there is more, or it is over; then there is a new one

    async def run(self) -> None:
        """Read until it is over, or nobody watches."""
        try:
            while self.watchers and not self._source.is_over:
                self._take(await sync_to_thread(self._source.more))
                if not self._source.is_over:
                    await asyncio.sleep(LOOK)
        except Exception:  # who watches asks again, and the others' matches go on
            sys.stderr.write(clean.block(traceback.format_exc()))
        finally:
            self.is_over = True
            self._wake()
            self._source.close()

    def _take(self, new: list[Event]) -> None:
        for event in new:
            if event.begins:
                self.start += len(self.told)
                self.told, self._kept = [], 0
            self._kept += len(event.data)
            if self._kept <= MAX_KEPT or event.name != "turns":
                self.told.append(event)
        if new:
            self._wake()

    def _wake(self) -> None:
        before, self.changed = self.changed, asyncio.Event()
        before.set()


class Slot:
    """A place among the streams that may be open, until it `ends` at the latest."""

    def __init__(self, ends: float) -> None:
        self.ends = ends

    def give_back(self) -> None:
        """Let others have it."""
        self.ends = 0.0


class Begun(AsyncIterator[bytes]):
    """A stream that has its slot, and gives it back at its end, also where nobody has ever begun to read it.

    A browser may go while its answer is being made. A generator that was not begun does nothing when it is closed.
    """

    def __init__(self, events: AsyncGenerator[bytes, None], slot: Slot) -> None:
        self._events, self._slot = events, slot

    async def __anext__(self) -> bytes:
        return await anext(self._events)

    async def aclose(self) -> None:
        """End it."""
        self._slot.give_back()
        await self._events.aclose()

    def __del__(self) -> None:
        self._slot.give_back()


class Followers:
    """All that is watched in a process, by whom, and how much of that there may be."""

    def __init__(self, most: int = MAX_STREAMS) -> None:
        self._most = most
        self._followers: dict[Hashable, Follower] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._slots: dict[str, list[Slot]] = {}  # by who watches

    def stream(self, watching: Watching, key: Hashable, source: Callable[[], Source]) -> Begun | None:
        """What happens to what is known by the key, from its beginning on; none if too many watch already."""
        now = time.monotonic()
        taken = {who: [slot for slot in slots if slot.ends > now] for who, slots in self._slots.items()}
        self._slots = {who: slots for who, slots in taken.items() if slots}
        own = self._slots.setdefault(watching.who, [])
        if len(own) >= watching.each or sum(map(len, self._slots.values())) >= self._most:
            return None
        slot = Slot(now + LONGEST_STREAM)
        own.append(slot)
        return Begun(self._stream(watching, slot, key, source), slot)

    async def _stream(
        self, watching: Watching, slot: Slot, key: Hashable, source: Callable[[], Source]
    ) -> AsyncGenerator[bytes, None]:
        follower = self._follower(key, source)
        at, asked, end = 0, 0.0, slot.ends
        try:
            while (now := time.monotonic()) < end:
                if watching.may is not None and now - asked >= AGAIN:
                    asked = now
                    if not await sync_to_thread(watching.may):
                        yield OFF.sent
                        return
                changed, told, start = follower.changed, follower.told, follower.start
                at = max(at, start)
                while at < start + len(told):
                    at += 1
                    if (event := watching.told(told[at - 1 - start])) is not None:
                        yield event.sent
                if follower.is_over:
                    return
                try:
                    await asyncio.wait_for(changed.wait(), QUIET if watching.may is None else AGAIN)
                except TimeoutError:
                    yield ALIVE
        finally:
            follower.watchers -= 1
            if not follower.watchers and self._followers.get(key) is follower:
                del self._followers[key]
            slot.give_back()

    def _follower(self, key: Hashable, source: Callable[[], Source]) -> Follower:
        """Who follows what is known by the key, with one more who watches."""
        found = self._followers.get(key)
        if found is None:
            found = self._followers[key] = Follower(source())
            task = asyncio.create_task(found.run())
            self._tasks.add(task)  # a task that nobody holds may be forgotten
            task.add_done_callback(self._tasks.discard)
        found.watchers += 1
        return found


FOLLOWERS = Followers()


def stream_of(stream: AsyncIterator[bytes] | None) -> Response[Any]:
    """The answer that sends what happens as it happens, nothing kept back on its way; or that there is no room."""
    if stream is None:
        return Response("busy\n", status_code=503, media_type="text/plain", headers={"Retry-After": "30"})
    return Stream(stream, media_type="text/event-stream", headers={"X-Accel-Buffering": "no"})


def turns_told(match: LiveMatch) -> list[Event]:
    """What is new of a match, a bounded number of turns in each event."""
    turns = match.more()
    pieces = [turns[at : at + SHOWN_AT_ONCE] for at in range(0, len(turns), SHOWN_AT_ONCE)]
    return [Event("turns", json_of({"names": match.names, "turns": piece})) for piece in pieces]


def json_of(value: Any) -> str:
    """A value as data of an event."""
    return msgspec.json.encode(value).decode()
