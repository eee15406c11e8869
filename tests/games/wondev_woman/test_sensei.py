"""Wondev Woman's sensei: what it knows of the fog, and that it plays whole matches."""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from dohyo.core.options import resolve
from dohyo.games.wondev_woman import GAME, rules
from dohyo.games.wondev_woman.board import POINTS, REACH, slot_of
from dohyo.search import AlphaBeta
from dohyo.search.bot import AHEAD
from tests.games import thinking

FOLDER = Path(GAME.folder) / "bots" / "sensei"
PARTS = ("sensei", "fog", "evaluation")


@pytest.fixture(scope="module")
def sensei() -> Iterator[ModuleType]:
    """The bot's module, imported as it is when it runs in its folder."""
    sys.path.insert(0, str(FOLDER))
    yield importlib.import_module("sensei")
    sys.path.remove(str(FOLDER))
    for name in PARTS:
        del sys.modules[name]


def dealt(league: str, seed: int) -> Any:
    """A state at its first turn."""
    s = GAME.new_state(resolve(GAME.options, {"league": league}), 2)
    dice = [0] * rules.DICE
    rules.roll(s, GAME.source(seed), dice)
    rules.deal(s, dice, None)
    return s


class Seat:
    """A sensei that is told the lines of its prompts, and plays by a search of a few playouts."""

    def __init__(self, sensei: ModuleType, search: AlphaBeta) -> None:
        self.sensei, self.search, self.match = sensei, search, None
        self.goal = POINTS

    def action(self, s: Any) -> int:
        """What it does; on the way it is asked whether it holds possible what is true."""
        lines = iter(GAME.prompt(s, s.mover).decode().splitlines())
        self.sensei.input = lambda: next(lines)  # type: ignore[attr-defined]
        if self.match is None:
            self.match = self.sensei.Match(int(next(lines)), int(next(lines)))
        match: Any = self.match
        rows = [next(lines) for _ in range(s.size)]
        mine, theirs = ([self.sensei.read_unit() for _ in range(s.units)] for _ in range(2))
        if not int(next(lines)):
            return int(rules.CONCESSIONS[0])
        now, worlds = match.see(rows, mine, theirs)
        self.goal = now.goal
        assert match.me == s.mover
        assert now.fog == s.fog or len(match.fog.pairs) == 1
        assert tuple(s.at[slot_of(1 - s.mover, unit)] for unit in range(s.units)) in match.fog.pairs
        assert [world.height for world in worlds] == [s.height] * len(worlds)
        assert match.points[s.mover] == s.points[s.mover]
        action = self.search.choose(worlds[0], match.me, playouts=2, worlds=worlds).action
        match.play(now, action)
        return action


@pytest.mark.parametrize(("league", "seed"), [("bronze", 4), ("bronze", 5), ("wood1", 1), ("wood2", 2), ("wood3", 3)])
def test_what_is_true_is_always_held_possible(sensei: ModuleType, league: str, seed: int) -> None:
    """In a match each seat knows its points, and the enemies' true cells are among those that may be."""
    s = dealt(league, seed)
    search = sensei.make(False)
    seats = [Seat(sensei, search) for _ in range(2)]
    for _ in range(60):
        if rules.over(s):
            break
        action = seats[s.mover].action(s)
        assert action in [*GAME.legal_actions(s, s.mover), *rules.CONCESSIONS]
        rules.step(s, [action, action], None)
    assert s.turn >= 4


@pytest.mark.parametrize("league", ["wood3", "wood2", "wood1"])
def test_one_unit_plays_to_be_first_on_a_top_until_the_match_goes_on(sensei: ModuleType, league: str) -> None:
    """In wood3 that wins. In wood2, of which nothing else tells, it plays for points as soon as a round is over."""
    s = dealt(league, 2)
    search = sensei.make(False)
    seats = [Seat(sensei, search) for _ in range(2)]
    goals, goes_on = [], False
    while s.turn < 60 and not rules.over(s):
        seat, goes_on = seats[s.mover], any(s.points) if s.mover == 0 else goes_on
        action = seat.action(s)
        assert seat.goal == (REACH if s.units == 1 and not goes_on else POINTS)
        goals.append(seat.goal)
        rules.step(s, [action, action], None)
    assert set(goals) == {"wood3": {REACH}, "wood2": {REACH, POINTS}, "wood1": {POINTS}}[league]


def test_it_plans_for_the_contest_s_clock(sensei: ModuleType) -> None:
    """It knows the limits, and leaves a quarter of each alone.

    How far a search goes on after its time is up, tests/search/test_alpha_beta.py knows: one position's actions.
    """
    clock = GAME.clocks["contest"]
    assert (clock.turn, clock.first) == (sensei.LIMIT, sensei.FIRST)
    assert sensei.SHARE <= 0.75


def test_sensei_beats_climber_in_the_first_league(root: Path, full: bool) -> None:
    """At full size it wins 120 of 200 matches in wood3, where others end without a winner."""
    if not full:
        return
    words = ["wondev-woman", "sensei", "climber", "--matches", "200", "--setup", "league=wood3"]
    done = subprocess.run(
        [sys.executable, root / "benchmarks" / "strength.py", *words], capture_output=True, text=True, check=True
    )
    assert "faults: none" in done.stdout
    assert int(done.stdout.rpartition("wins=")[2].split()[0]) >= 120, done.stdout


def test_in_a_contest_it_thinks_compiled_from_its_first_turn(tmp_path: Path) -> None:
    """By the command, with its usual sandbox and clock, each match's sensei says once that it searches compiled."""
    pytest.importorskip("numba")
    for said in thinking.said_in_a_contest(tmp_path, "wondev-woman", "a=random"):
        how, *rest = said.splitlines()
        assert how.startswith(AHEAD), said
        assert int(how.removeprefix(f"{AHEAD}; ").split()[0]) >= 1
        assert rest == []
