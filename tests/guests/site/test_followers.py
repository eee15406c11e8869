"""Matches that many watch: each gets every turn in order, whenever he comes, and there are not too many of them."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator, Coroutine
from concurrent.futures import ThreadPoolExecutor

import pytest

from dohyo.guests.site.judging import followers
from dohyo.guests.site.judging.followers import Event, Followers, Watching

WATCHERS = 200
TURNS = [f"turn {number}" for number in range(40)]


class Script:
    """A source that tells what it is given, when it is given."""

    made = 0

    def __init__(self) -> None:
        Script.made += 1
        self.new: list[Event] = []
        self.is_over = self.is_closed = False

    def more(self) -> list[Event]:
        """What is new."""
        told, self.new = self.new, []
        self.is_over = any(event.name == "done" for event in told)
        return told

    def close(self) -> None:
        """Note it."""
        self.is_closed = True


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look often, and count sources anew."""
    monkeypatch.setattr(followers, "LOOK", 0.001)
    monkeypatch.setattr(Script, "made", 0)


async def read(stream: AsyncIterator[bytes] | None) -> list[str]:
    """The turns that a stream sends until its end."""
    assert stream is not None
    sent = [event.decode() async for event in stream]
    return [text.partition("data: ")[2].strip() for text in sent if text.startswith("event: turns")]


def run(act: Coroutine[None, None, None]) -> None:
    """Do it in a thread of its own: a browser's test may have a loop in this one."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, act).result()


def same(event: Event) -> Event:
    """Everybody is told the same."""
    return event


def test_many_watchers_of_one_match_get_every_turn_in_order() -> None:
    """200 streams, of which half begin when half is over: each has all turns once, and the match is read once."""

    async def act() -> None:
        hub, script = Followers(), Script()
        tasks = [
            asyncio.create_task(read(hub.stream(Watching(f"{n}", 1, same), "m", lambda: script))) for n in range(100)
        ]
        script.new = [Event("turns", turn) for turn in TURNS[:20]]
        while script.new:
            await asyncio.sleep(0.001)
        for number in range(100, WATCHERS):
            tasks.append(asyncio.create_task(read(hub.stream(Watching(f"{number}", 1, same), "m", lambda: script))))
        for turn in TURNS[20:]:
            script.new = [Event("turns", turn)]
            while script.new:
                await asyncio.sleep(0.001)
        script.new = [Event("done", "entered")]
        assert await asyncio.wait_for(asyncio.gather(*tasks), 60) == [TURNS] * WATCHERS
        assert script.is_closed

    run(act())


def test_a_slow_watcher_keeps_nobody_waiting() -> None:
    """One who takes nothing for a while gets all of it later; the others have it meanwhile."""

    async def act() -> None:
        hub, script = Followers(), Script()
        slow = hub.stream(Watching("slow", 1, same), "m", lambda: script)
        assert slow is not None
        script.new = [Event("state", "examined")]
        assert b"examined" in await anext(slow)
        quick = asyncio.create_task(read(hub.stream(Watching("quick", 1, same), "m", lambda: script)))
        script.new = [*(Event("turns", turn) for turn in TURNS), Event("done", "entered")]
        assert await asyncio.wait_for(quick, 60) == TURNS
        assert await read(slow) == TURNS

    run(act())


def test_streams_are_bounded() -> None:
    """Nobody has more than his share, and together they are no more than the process has room for.

    Who goes makes room again.
    """

    async def act() -> None:
        hub, script = Followers(most=5), Script()

        def open_(who: str) -> AsyncIterator[bytes] | None:
            return hub.stream(Watching(who, 2, same), "m", lambda: script)

        first, second = open_("a"), open_("a")
        assert open_("a") is None
        others = [open_("b"), open_("b"), open_("c")]
        assert None not in others
        assert open_("d") is None
        script.new = [Event("done", "entered")]
        assert await read(first) == await read(second) == []
        later = [open_("a"), open_("d")]
        assert None not in later
        assert open_("e") is None

    run(act())


def test_a_stream_that_never_begins_gives_its_place_back() -> None:
    """A browser that has gone before its answer began takes nobody's place, closed or not; nothing is followed."""

    async def act() -> None:
        hub = Followers(most=1)

        def open_() -> followers.Begun | None:
            return hub.stream(Watching("a", 1, same), "m", Script)

        first = open_()
        assert first is not None
        assert open_() is None
        await first.aclose()
        second = open_()
        assert second is not None
        assert open_() is None
        del second
        gc.collect()
        assert open_() is not None
        assert Script.made == 0

    run(act())


def test_nobody_is_followed_whom_nobody_watches() -> None:
    """When the last one has gone, the source is closed; who comes later begins anew."""

    async def act() -> None:
        hub, script = Followers(), Script()
        stream = hub.stream(Watching("a", 1, same), "m", lambda: script)
        assert stream is not None
        script.new = [Event("state", "waiting")]
        await anext(stream)
        await stream.aclose()
        while not script.is_closed:
            await asyncio.sleep(0.001)
        later = Script()
        later.new = [Event("turns", "again"), Event("done", "entered")]
        assert await read(hub.stream(Watching("a", 1, same), "m", lambda: later)) == ["again"]

    run(act())


def test_a_source_that_breaks_ends_its_streams(capsys: pytest.CaptureFixture[str]) -> None:
    """Who watches asks again; what went wrong is in the log."""

    class Broken(Script):
        def more(self) -> list[Event]:
            raise RuntimeError("no such match")

    async def act() -> None:
        assert await asyncio.wait_for(read(Followers().stream(Watching("a", 1, same), "m", Broken)), 60) == []

    run(act())
    assert "no such match" in capsys.readouterr().err


def test_who_comes_later_sees_the_match_that_is_played_now() -> None:
    """Where one match follows another, nobody is told the one before; and who may not go on is sent away."""

    async def act() -> None:
        hub, script = Followers(), Script()
        first = hub.stream(Watching("a", 1, same), "m", lambda: script)
        assert first is not None
        script.new = [Event("turns", "of the first match")]
        assert b"of the first match" in await anext(first)
        script.new = [Event("match", "second", begins=True), Event("turns", "of the second")]
        assert b"second" in await anext(first)
        script.new = [Event("done", "")]
        assert await read(hub.stream(Watching("b", 1, same), "m", lambda: script)) == ["of the second"]
        assert await read(first) == ["of the second"]
        sent_away = hub.stream(Watching("c", 1, same, lambda: False), "m", Script)
        assert sent_away is not None
        assert [each async for each in sent_away] == [b"event: off\ndata: \n\n"]

    run(act())
