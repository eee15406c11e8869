"""Who plays ordinary turns on the fast path: every command that does not show each turn. Turns are counted."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

import dohyo
from dohyo.cli.main import run
from dohyo.core.clock import Clock
from dohyo.core.dialogue import Command, Entrants, Machine, Play, Takes
from dohyo.core.replay import Replay
from dohyo.executors import MatchOrder
from dohyo.executors.one_match import play_order
from dohyo.games.drop_block import GAME
from dohyo.guests.demo.command import Demonstration
from dohyo.guests.game_programs.folder_contest import FolderContest
from dohyo.i18n import ENGLISH
from dohyo.match.found_bots import find_bots
from dohyo.match.loops import driver
from dohyo.match.loops.driver import FastPath
from dohyo.match.play import play_match
from dohyo.match.sandboxing import sandbox_of
from tests.guests.game_programs.test_folder_contest import KeptOutput
from tests.match.conftest import Bot

TURNS = 24
LONG = 60.0


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many turns the loop has played in each match so far that had one; a slow bot is waited for in the loop."""
    counts: list[int] = []
    close = FastPath.close

    def counted(fast_path: FastPath) -> None:
        counts.append(fast_path.played)
        close(fast_path)

    monkeypatch.setattr(FastPath, "close", counted)
    monkeypatch.setattr(driver, "TICK", LONG)
    return counts


def type_(*words: str) -> None:
    """Carry a command out in this process."""
    assert run([*words, "--setup", f"turns={TURNS}", "--clock", f"{LONG:g}", "--trust"]) == 0


def test_play(bot: Bot, played: list[int]) -> None:
    """`dohyo play` plays every ordinary turn there."""
    type_("play", "drop-block", *[bot("echo N")] * 4)
    assert played == [TURNS]


def test_play_that_is_watched(bot: Bot, played: list[int]) -> None:
    """With `--watch` somebody looks at each turn."""
    type_("play", "drop-block", *[bot("echo N")] * 4, "--watch")
    assert played == []


def test_check(bot: Bot, played: list[int]) -> None:
    """The practice matches of `dohyo check` are not: it wants the processor time of each turn."""
    type_("check", "drop-block", bot("echo N"))
    assert played == []


def test_demo(tmp_path: Path, played: list[int]) -> None:
    """The match of `dohyo demo`; its rounds are `dohyo play` in processes of their own."""
    replay, _ = Demonstration(GAME, tmp_path, ENGLISH).match(["random.py", "hunter.py"])
    assert played == [dohyo.load(replay).played]


def test_contest_of_a_folder(tmp_path: Path, bot: Bot, played: list[int]) -> None:
    """The matches of a program such as `koth`, where a game with one mover in each turn has one."""
    hill = tmp_path / "hill"
    hill.mkdir()
    for name in "abcd":
        Path(bot("echo N")).rename(hill / name)

    def machine() -> Generator[Any, Any, int]:
        yield Entrants()
        yield Play(("a", "b", "c", "d"), 1, 5, {"turns": TURNS})
        return 0

    output = KeptOutput()
    command = Command("fun", "a test", machine, takes=Takes.FOLDER)
    (tmp_path / "out").mkdir()
    machine_run: Machine = machine()
    held = FolderContest(GAME, command, str(hill), tmp_path / "out", output, clock=LONG, sandbox="none")
    assert held.run(machine_run) == 0
    assert played == [TURNS]
    assert f"game 1, turn {TURNS}: 1 of 4 bots in play" in output.seen


def test_executors(bot: Bot, played: list[int]) -> None:
    """The matches of contests and comparisons."""
    players = find_bots(GAME, [bot("echo N")] * 4, None, sandbox_of("none"))
    options: dict[str, Any] = {"setup": {"turns": TURNS}, "clock": Clock(turn=LONG), "sandbox": "none"}
    order = MatchOrder("key", "drop-block", tuple(players), 1, **options)
    assert play_order(order).turns == TURNS
    assert played == [TURNS]


def test_a_caller_who_looks_now_and_then(bot: Bot, played: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    """`on_progress` is called between turns, with the replay so far; the last call sees all of it."""
    seen: list[int] = []

    def look(replay: Replay) -> None:
        assert replay.result.unfinished
        seen.append(len(replay.turns))

    monkeypatch.setattr(driver, "BURST_SECONDS", 0.0)  # then after every turn but those of the first call of the loop
    monkeypatch.setattr("dohyo.match.loops.python_loop.PythonLoop.max_turns", 8)
    monkeypatch.setattr("dohyo.match.loops.driver._played", {})  # whatever was played before: no compiled loop yet
    play_match(
        "drop-block", [bot("echo N")] * 4, setup={"turns": TURNS}, clock=LONG, sandbox="none", on_progress=look
    )
    assert played == [TURNS]
    assert seen[0] <= 8
    assert seen == list(range(seen[0], TURNS + 1))


def test_a_caller_who_sees_every_turn(bot: Bot, played: list[int]) -> None:
    """With `on_turn` there is no fast path; `on_progress` is called beside it."""
    seen: list[str] = []
    looks = {"on_turn": lambda _: seen.append("turn"), "on_progress": lambda _: seen.append("progress")}
    play_match("drop-block", [bot("echo N")] * 4, setup={"turns": 3}, clock=LONG, sandbox="none", **looks)
    assert played == []
    assert seen == ["turn", "progress"] * 3
