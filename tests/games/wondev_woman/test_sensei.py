"""Wondev Woman's sensei: what it knows of the fog, and that it plays whole matches."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from dohyo.core.options import resolve
from dohyo.games.wondev_woman import GAME, rules
from dohyo.games.wondev_woman.board import slot_of
from dohyo.search import Search
from dohyo.search.bot import AHEAD
from tests.games import thinking

FOLDER = Path(GAME.folder) / "bots" / "sensei"
PARTS = ("sensei", "fog", "judgement")


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

    def __init__(self, sensei: ModuleType, search: Search) -> None:
        self.sensei, self.search, self.match = sensei, search, None

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


def test_in_a_contest_it_thinks_compiled_from_its_first_turn(tmp_path: Path) -> None:
    """By the command, with its usual sandbox and clock, each match's sensei says once that it searches compiled."""
    pytest.importorskip("numba")
    for said in thinking.said_in_a_contest(tmp_path, "wondev-woman", "a=random"):
        how, *rest = said.splitlines()
        assert how.startswith(AHEAD), said
        assert int(how.removeprefix(f"{AHEAD}; ").split()[0]) >= 1
        assert rest == []
