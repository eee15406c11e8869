"""Wondev Woman's sensei: how it judges a board, and which of the possible worlds it takes for likely."""

from __future__ import annotations

import importlib
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from dohyo.core.options import resolve
from dohyo.games.wondev_woman import GAME, rules
from dohyo.games.wondev_woman.board import CELLS, STEP, TOP, cell_of, set_height, slot_of
from tests.games.wondev_woman.boards import board

FOLDER = Path(GAME.folder) / "bots" / "sensei"
NOWHERE = 99


@pytest.fixture(scope="module")
def evaluation() -> Iterator[ModuleType]:
    """The bot's module, imported as it is when it runs in its folder."""
    yield from imported("evaluation")


@pytest.fixture(scope="module")
def fog() -> Iterator[ModuleType]:
    """The same of the other module."""
    yield from imported("fog")


def imported(name: str) -> Iterator[ModuleType]:
    """A module of the bot's folder, for a time."""
    sys.path.insert(0, str(FOLDER))
    yield importlib.import_module(name)
    sys.path.remove(str(FOLDER))
    del sys.modules[name]


def positions(league: str = "wood1") -> Iterator[Any]:
    """Positions of a match of random actions, in which towers stand."""
    lots = random.Random(4)
    for seed in range(6):
        s = GAME.new_state(resolve(GAME.options, {"league": league}), 2)
        dice = [0] * rules.DICE
        rules.roll(s, GAME.source(seed), dice)
        rules.deal(s, dice, None)
        while not rules.over(s) and s.turn < 70:
            if s.turn % 11 == 3:
                yield s
            action = lots.choice(GAME.legal_actions(s, s.mover) or [*rules.CONCESSIONS])
            rules.step(s, [action, action], None)


def distances(s: Any, p: int, most: int) -> list[int]:
    """How many steps each cell is away from a player's units, wherever others stand; `most` at most."""
    found = [NOWHERE] * CELLS
    line = [s.at[slot_of(p, unit)] for unit in range(s.units)] if s.out[p] == 0 else []
    for cell in line:
        found[cell] = 0
    for cell in line:  # which grows meanwhile
        for step in STEP:
            other = cell + step
            level = s.height[other] if other < CELLS else -1
            if 0 <= level <= min(TOP, s.height[cell] + 1) and found[other] == NOWHERE:
                found[other] = found[cell] + 1
                line.append(other)
    return [steps if steps <= most else NOWHERE for steps in found]


def counted(evaluation: ModuleType, s: Any, p: int, *places: int) -> int:
    """What a seat has more than the other one of what these weights stand for."""
    weights = [int(place in places) for place in range(evaluation.FEATURES)]
    found: int = evaluation.worth(s, p, weights, 0)
    return found


@pytest.mark.parametrize("league", ["wood2", "wood1"])
def test_land_is_counted_by_steps(evaluation: ModuleType, league: str) -> None:
    """By masks it counts what one finds by going from cell to cell."""
    for s in positions(league):
        mine, theirs = (distances(s, p, evaluation.FARTHEST) for p in range(2))
        cells = [cell for cell in range(CELLS) if 0 <= s.height[cell] <= TOP]
        for level in range(TOP + 1):
            on = [cell for cell in cells if s.height[cell] == level]
            first = sum(mine[cell] < theirs[cell] for cell in on) - sum(theirs[cell] < mine[cell] for cell in on)
            own = sum(mine[cell] == 0 for cell in on) - sum(theirs[cell] == 0 for cell in on)
            found = counted(evaluation, s, 0, evaluation.FIRST + level)
            assert found == first - own  # the cells where units stand do not count
            alone = [sum(a[cell] < NOWHERE == b[cell] for cell in on) for a, b in ((mine, theirs), (theirs, mine))]
            assert counted(evaluation, s, 0, evaluation.ALONE + level) == alone[0] - alone[1]
        reach = sum(mine[cell] < NOWHERE for cell in cells) - sum(theirs[cell] < NOWHERE for cell in cells)
        assert counted(evaluation, s, 0, evaluation.REACH) == reach
        even = sum(mine[cell] == theirs[cell] < NOWHERE for cell in cells)
        sign = 1 if s.mover == 0 else -1
        assert counted(evaluation, s, 0, evaluation.SHARED) == sign * even


@pytest.mark.parametrize("league", ["wood3", "wood1", "bronze"])
def test_what_one_seat_has_the_other_lacks(evaluation: ModuleType, league: str) -> None:
    """As alpha-beta needs it."""
    for s in positions(league):
        assert evaluation.value(s, 0) == pytest.approx(-evaluation.value(s, 1))


def test_weights_change_evenly_from_phase_to_phase(evaluation: ModuleType) -> None:
    """At a phase they are what is written for it; half way to the next, the mean; beyond the last, its own."""
    count, phases = evaluation.FEATURES, evaluation.PHASES
    assert len(evaluation.WEIGHTS) == len(phases) * count
    rows = [list(evaluation.WEIGHTS[at * count : (at + 1) * count]) for at in range(len(phases))]
    assert [evaluation.blended(cells) for cells in phases] == rows
    assert evaluation.blended(phases[0] - 1) == rows[0]
    assert evaluation.blended(phases[-1] + 9) == rows[-1]
    halfway = evaluation.blended((phases[0] + phases[1]) // 2)
    assert halfway == pytest.approx([(one + other) / 2 for one, other in zip(*rows[:2], strict=True)], abs=1)


def test_a_value_is_by_the_weights_of_its_phase(evaluation: ModuleType) -> None:
    """Also on boards with fewer cells than in any phase."""
    for rows in (0, 2, 4):  # that are built over
        s = board()
        for cell in range(CELLS):
            if s.height[cell] == 0 and cell != s.at[2] and cell <= cell_of(4, rows - 1):
                set_height(s, cell, 4)
        weights = evaluation.blended(sum(0 <= height <= TOP for height in s.height))
        assert evaluation.value(s, 0) == evaluation.worth(s, 0, weights, 0) / evaluation.UNIT


def test_who_can_reach_only_three_cells_is_shut_in(evaluation: ModuleType) -> None:
    """In however many steps; one more, and it is not."""
    place = evaluation.SHUT_IN
    for grid, is_shut_in in (("00004/44444/44000/44000/44000", True), ("00000/44444/44000/44000/44000", False)):
        s = board(grid, "0,0/3,3")
        assert counted(evaluation, s, 0, place) == is_shut_in
    cannot_move = board("04000/44000/00000/00000/00000", "0,0/3,3")
    assert counted(evaluation, cannot_move, 0, place) == 1


def test_cells_two_steps_away_are_those_of_the_rules(evaluation: ModuleType) -> None:
    """By level: where a unit can go in two steps and not in one; nobody steps up by two levels."""
    s = board("01200/00100/00030/44444/00000", "0,0/4,4")
    two = [counted(evaluation, s, 0, evaluation.TWO_STEPS + level) for level in range(TOP + 1)]
    away = distances(s, 0, 2)
    assert two == [sum(away[c] == 2 and s.height[c] == level for c in range(CELLS)) for level in range(TOP + 1)]
    assert two == [3, 1, 1, 0]


@pytest.mark.parametrize(("row", "pushed", "dropped"), [("002204", 0, 0), ("002104", 1, 0), ("002004", 1, 1)])
def test_who_stands_high_can_be_pushed_down(evaluation: ModuleType, row: str, pushed: int, dropped: int) -> None:
    """Straight on or to a side, by an enemy beside it: whether it is lower there, and by two levels, counts."""
    grid = "/".join(["222222", "222222", row, "222222", "222222", "222222"])
    s = board(grid, "2,2/5,5/1,2/0,5", league="wood1")
    assert counted(evaluation, s, 0, evaluation.PUSHED) == pushed
    assert counted(evaluation, s, 0, evaluation.DROPPED) == dropped
    s.push = 0
    assert counted(evaluation, s, 0, evaluation.PUSHED, evaluation.DROPPED) == 0


def test_high_cells_that_are_near_count_once_more(evaluation: ModuleType) -> None:
    """Those of the levels 2 and 3 that a player reaches first, in two steps at most."""
    s = board("12300/00000/00000/00000/00000", "0,0/4,4")
    assert counted(evaluation, s, 0, evaluation.SOON_HIGH) == 2
    s = board("11123/00000/00000/00000/00000", "0,0/4,4")
    assert counted(evaluation, s, 0, evaluation.SOON_HIGH) == 0


def test_ways_are_those_of_the_rules(evaluation: ModuleType) -> None:
    """The cells that a unit can step to, by level."""
    s = board("01230/00000/00000/00000/00000", "1,1/4,4")
    near = [evaluation.NEAR + level for level in range(TOP + 1)]
    ways = [counted(evaluation, s, 0, place, evaluation.WAITING + place) for place in near]
    assert ways == [6 - 3, 1, 0, 0]  # the enemy in its corner has three


def test_who_moves_next_has_weights_of_its_own(evaluation: ModuleType) -> None:
    """What both have counts by other weights for who moves next than for who has to wait."""
    s = board("01230/00000/00000/00000/00000", "1,1/4,4")
    assert s.mover == 0
    for place, ways in ((evaluation.NEAR, 6), (evaluation.WAITING + evaluation.NEAR, -3)):
        assert counted(evaluation, s, 0, place) == ways
        assert counted(evaluation, s, 1, place) == -ways


def test_an_enemy_does_rather_what_is_good_for_it(fog: ModuleType) -> None:
    """Of two places from where an enemy may have built, it is likelier where it wanted to go."""
    before = board(units="0,0/4,4/2,2/0,4", league="bronze")
    now = board("00000/00000/00000/00010/00000", "0,0/4,4/2,2/0,4", league="bronze")
    wanted = cell_of(3, 2)

    def judged(s: Any) -> list[tuple[int, float]]:
        """It likes to be there, and nothing else."""
        found = []
        for action in GAME.legal_actions(s, s.mover):
            after = rules.LAYOUT.copy(s)
            rules.step(after, [action, action], None)
            found.append((action, 5.0 * (wanted in after.at[2:])))
        return found

    def look(asked: Any) -> dict[tuple[int, int], float]:
        """The pairs after the enemy's turn."""
        mind = fog.Fog(0, asked)
        blank = rules.LAYOUT.copy(before)
        blank.mover = 1
        for unit in range(2):
            rules.leave(blank, slot_of(1, unit))
        mind.left = [(blank, {(before.at[2], before.at[3]): 1.0})]
        after = rules.LAYOUT.copy(now)
        for unit in range(2):
            rules.leave(after, slot_of(1, unit))
        mind.look(after, [None, None])
        assert sum(mind.pairs.values()) == pytest.approx(1)
        assert mind.likeliest(2)[0][0] == max(mind.pairs, key=mind.pairs.__getitem__)
        return dict(mind.pairs)

    careless, careful = look(None), look(judged)
    assert set(careless) == set(careful)
    pair = (wanted, before.at[3])
    assert len(careless) == 2
    assert careless[pair] == pytest.approx(0.5)
    assert careful[pair] > 0.8
