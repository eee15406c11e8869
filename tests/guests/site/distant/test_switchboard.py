"""What the site remembers of a bot whose connection comes and goes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
import pytest

from dohyo.guests.site.arena.distant import Admitted
from dohyo.guests.site.distant.chairs import Chair
from dohyo.guests.site.distant.homes import LONGEST_REST, REGAINED, REST
from dohyo.guests.site.distant.switchboard import Switchboard
from dohyo.guests.site.distant.wire import End, Start

WHO = Admitted(1, "Bot", 7, "ladder", "connectx")
START = {"game": "connectx", "seat": 0, "seats": 2, "setup": {}, "seed": 1, "limit": 1.0, "first_limit": 1.0} | {
    "mode": "wall",
    "ready": 20.0,
    "forgiven": 1.0,
    "patience": 30.0,
}
HELLO = json.dumps({"type": "hello", "token": "t", "ladder": "ladder", "bot": "Bot"}).encode()


class FarEnd:
    """A connection, as the switchboard has it: nothing goes over any wire."""

    def __init__(self) -> None:
        self.over = asyncio.Event()
        self.listener: Any = None

    def say(self, content: bytes) -> float:
        """Send nothing; the moment."""
        return asyncio.get_running_loop().time()

    ping = say

    def end(self, code: int, reason: str = "", *, left: bool = True) -> None:
        """It is over."""
        self.over.set()


async def _accept() -> None:
    """Every connection is taken."""


async def connected(board: Switchboard) -> tuple[FarEnd, asyncio.Task[None]]:
    """A bot that has said hello."""
    far: Any = FarEnd()
    task = asyncio.create_task(board.greet(far, "here", _accept))
    while far.listener is None:
        await asyncio.sleep(0)
    first = far.listener
    first.heard(HELLO, 0.0)
    while far.listener is first:
        await asyncio.sleep(0)
    return far, task


def among(folder: Path, act: Callable[[Switchboard], Coroutine[Any, Any, None]]) -> None:
    """Do something with a switchboard of a folder."""

    async def run() -> None:
        await asyncio.wait_for(act(Switchboard(folder, lambda hello: WHO)), 60)

    with ThreadPoolExecutor(1) as pool:  # where other tests have a browser, this thread has a loop already
        pool.submit(asyncio.run, run()).result()


def test_who_rests_is_remembered_whatever_its_connection_does(tmp_path: Path) -> None:
    """A silent bot that connects anew rests on, over one connection: no match waits for it again at once."""

    async def act(board: Switchboard) -> None:
        older, first = await connected(board)
        assert board.there == [1]
        older.listener.rest()
        newer, second = await connected(board)
        assert board.there == []
        assert older.over.is_set()
        newer.over.set()
        newer.listener.lost(left=False)
        await asyncio.gather(first, second)
        _, third = await connected(board)
        assert board.there == []
        third.cancel()

    among(tmp_path, act)


def test_who_is_silent_again_rests_longer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each time doubles the rest, up to a bound; several matches at once count once, and those begun make it less."""

    async def act(board: Switchboard) -> None:
        far, task = await connected(board)
        home, loop, now, rests = far.listener, asyncio.get_running_loop(), 0.0, []
        began = loop.time()
        monkeypatch.setattr(loop, "time", lambda: began + now)
        for _ in range(8):
            for _ in range(8):
                home.rest()
            rests.append(round(home.rests_for))
            now += home.rests_for
        assert rests[:3] == [REST, 2 * REST, 4 * REST]
        assert rests[-1] == LONGEST_REST
        start: Any = msgspec.convert({**START, "match": "m"}, Start)
        for _ in range(round(LONGEST_REST / REGAINED)):
            home.chairs["m"] = Chair(home, start, lambda told: None, loop)
            home.chairs["m"].begin()
            home.heard(json.dumps({"type": "ready", "match": "m"}).encode(), loop.time())
            home.chairs["m"].end(End("m"))
        home.rest()
        assert round(home.rests_for) == REST
        monkeypatch.undo()
        task.cancel()

    among(tmp_path, act)
