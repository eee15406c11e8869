"""Alpha-beta search: it finds what plain minimax finds, in plain Python and compiled, whenever it is interrupted."""

from __future__ import annotations

import time
from math import nan
from typing import Any

import pytest
from msgspec.structs import replace

from dohyo import games
from dohyo.core.flat import flat
from dohyo.core.game import Chance
from dohyo.core.options import resolve
from dohyo.games.wondev_woman.board import set_height
from dohyo.search import AlphaBeta, deepening
from tests.search import piles
from tests.search.piles import pile

PILES = replace(piles.game(), chance=Chance.AT_START)
WONDEV = games.find("wondev-woman")
WIN = 1e6


@flat
def many_ways(s: Any, seat: int) -> float:
    """How many cells are free beside the first units, and the points: seldom the same for two actions."""
    found = 0.0
    for p in range(2):
        worth = 100.0 * s.points[p]
        for unit in range(s.units):
            at = s.at[2 * p + unit]
            worth += 0.37 * at + 3.1 * s.height[at] - 0.01 * at * at
        found += worth if p == seat else -worth
    return found


def dealt(seed: int, league: str = "wood1", turns: int = 0) -> Any:
    """A position after some turns, in each of which the middle one of all actions was played."""
    rules = WONDEV.rules
    s = WONDEV.new_state(resolve(WONDEV.options, {"league": league}), 2)
    dice = [0] * rules.DICE
    rules.roll(s, WONDEV.source(seed), dice)
    rules.deal(s, dice, None)
    for turn in range(turns):
        actions = WONDEV.legal_actions(s, s.mover)
        action = actions[(turn * 7 + seed) % len(actions)]
        rules.step(s, [action, action], None)
    return s


def minimax(game: Any, value: Any, s: Any, seat: int, depth: int, ply: int) -> float:
    """What a position is worth to a seat, by the definition."""
    rules = game.rules
    if rules.over(s):
        ranks = [0, 0]
        rules.places(s, ranks)
        return (ranks[seat] < ranks[1 - seat]) * (WIN - ply) - (ranks[seat] > ranks[1 - seat]) * (WIN - ply)
    if depth == 0:
        return float(value(s, seat))
    mover = 0 if rules.acts(s, 0) else 1
    found = []
    for action in game.legal_actions(s, mover):
        after = rules.LAYOUT.copy(s)
        rules.step(after, [action, action], None)
        found.append(minimax(game, value, after, seat, depth - 1, ply + 1))
    return max(found) if mover == seat else min(found)


def worths(game: Any, value: Any, s: Any, seat: int, depth: int) -> dict[int, float]:
    """What each action is worth."""
    found = {}
    for action in game.legal_actions(s, seat):
        after = game.rules.LAYOUT.copy(s)
        game.rules.step(after, [action, action], None)
        found[action] = minimax(game, value, after, seat, depth - 1, 1)
    return found


@pytest.mark.parametrize(("stones", "depth"), [(5, 6), (6, 6), (7, 4), (9, 8), (13, 3), (22, 1)])
def test_the_best_of_a_pile_is_found(stones: int, depth: int) -> None:
    """Who can leave a multiple of four does; the end itself is worth more the earlier it is."""
    choice = AlphaBeta(PILES, value=piles.even, depth=depth).choose(pile(stones, mover=1), 1, playouts=10**6)
    known = worths(PILES, piles.even, pile(stones, mover=1), 1, depth)
    assert choice.action == stones % 4
    assert choice.value == known[choice.action] == max(known.values())
    assert choice.visits == depth


SMALL = (  # boards of a few cells, and where the units stand: few actions, so that minimax gets deep
    ("010../123../01.../...../.....", "0,0/1,2", 4),
    ("0200./1230./...../...../.....", "0,0/3,1", 4),
    ("333../232../...../...../.....", "0,1/2,0", 5),
)


def small(grid: str, units: str) -> Any:
    """A position on such a board."""
    return WONDEV.new_state(resolve(WONDEV.options, {"league": "wood2", "grid": grid, "units": units}), 2)


@pytest.mark.parametrize(("grid", "units", "depth"), SMALL)
def test_no_action_is_cut_off_by_mistake(grid: str, units: str, depth: int) -> None:
    """Over all actions of a real game it finds just what minimax finds, and looks at fewer positions."""
    s = small(grid, units)
    for each in range(2, depth + 1):
        known = worths(WONDEV, many_ways, s, 0, each)
        choice = AlphaBeta(WONDEV, value=many_ways, depth=each).choose(s, 0, playouts=10**9)
        assert choice.value == pytest.approx(max(known.values()))
        assert known[choice.action] == pytest.approx(max(known.values()))


@pytest.mark.parametrize("points", [-400, 0, 400])
@pytest.mark.parametrize(("grid", "units", "depth"), SMALL)
def test_several_worlds_count_by_their_mean(grid: str, units: str, depth: int, points: int) -> None:
    """An action counts by what it is worth in each world, and a world that comes twice counts twice."""
    s, other = small(grid, units), small(grid, units)
    s.points[0] = other.points[0] = points  # the worth of everything is far below or above 0
    set_height(other, other.at[2], 3)  # where the enemy stands, which changes nothing for us
    known, others = (worths(WONDEV, many_ways, each, 0, depth) for each in (s, other))
    mean = {action: (2 * known[action] + others[action]) / 3 for action in known}
    search = AlphaBeta(WONDEV, value=many_ways, depth=depth, slack=1e5)
    choice = search.choose(s, 0, playouts=10**9, worlds=[s, s, other])
    assert choice.value == pytest.approx(max(mean.values()))
    assert mean[choice.action] == pytest.approx(max(mean.values()))


def test_a_narrow_search_still_looks_at_every_action_of_the_root() -> None:
    """With `width` 1 the other seat does what looks best at once."""
    s = dealt(1, "wood2", turns=8)
    narrow = AlphaBeta(WONDEV, value=many_ways, depth=3, width=1).choose(s, s.mover, playouts=10**9)
    whole = AlphaBeta(WONDEV, value=many_ways, depth=3).choose(s, s.mover, playouts=10**9)
    assert narrow.playouts < whole.playouts


@pytest.mark.parametrize(("grid", "units", "depth"), SMALL)
def test_what_was_searched_is_not_searched_again(grid: str, units: str, depth: int) -> None:
    """Positions that several orders of actions lead to are noted: fewer are looked at, and nothing else changes."""
    s = small(grid, units)
    found = [AlphaBeta(WONDEV, value=many_ways, depth=depth, entries=entries) for entries in (0, 2, 1 << 10)]
    none, two, many = (search.choose(s, 0, playouts=10**9) for search in found)
    assert none.value == pytest.approx(two.value) == pytest.approx(many.value)
    assert many.playouts < none.playouts
    assert many == found[2].choose(s, 0, playouts=10**9)  # a search knows nothing of the one before


def test_a_place_for_notes_is_a_power_of_two() -> None:
    """The lowest bits of a key say where a position is noted."""
    for entries in (1, 3, -1, 1 << 40):
        with pytest.raises(ValueError, match="power of two"):
            AlphaBeta(WONDEV, value=many_ways, entries=entries)


@pytest.mark.parametrize("told", [{"late": -1}, {"width": -1}, {"depth": 0}, {"margin": -1.0}, {"loud": nan}])
def test_numbers_that_say_nothing_are_refused(told: dict[str, Any]) -> None:
    """A mistyped number does not search in some other way."""
    with pytest.raises(ValueError, match=next(iter(told))):
        AlphaBeta(WONDEV, value=many_ways, **told)


def test_what_promises_little_is_searched_less() -> None:
    """Late actions cost fewer positions; the best of a pile is found all the same."""
    s = dealt(1, turns=8)
    fewer = AlphaBeta(WONDEV, value=many_ways, depth=3, width=8, late=2).choose(s, s.mover, playouts=10**9)
    whole = AlphaBeta(WONDEV, value=many_ways, depth=3, width=8).choose(s, s.mover, playouts=10**9)
    assert fewer.visits == whole.visits == 3
    assert fewer.playouts < whole.playouts
    choice = AlphaBeta(PILES, value=piles.even, depth=8, late=2).choose(pile(9, mover=1), 1, playouts=10**6)
    assert (choice.action, choice.value) == (1, WIN - 5)


def test_a_value_that_was_found_is_not_asked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """What an order was made by is the value of the position itself, for who moves there."""
    told: dict[str, Any] = {"depth": 4, "width": 5, "entries": 1 << 10, "margin": 1.0}
    asked = []

    @flat
    def asks(states: Any, ply: int, mover: int, stack: Any) -> float:
        asked.append(ply)
        return many_ways(states[ply], mover)

    positions = [dealt(seed, turns=10 * seed) for seed in range(4)]
    heard = [AlphaBeta(WONDEV, value=many_ways, **told).choose(s, s.mover, playouts=4000) for s in positions]
    monkeypatch.setattr(deepening, "worth_now", asks)
    assert heard == [AlphaBeta(WONDEV, value=many_ways, **told).choose(s, s.mover, playouts=4000) for s in positions]
    assert asked


def test_it_ends_when_it_should() -> None:
    """After so many positions, or at a moment; and an answer is there in any case."""
    s = dealt(2, turns=6)
    search = AlphaBeta(WONDEV, value=many_ways)
    few = search.choose(s, s.mover, playouts=1)
    known = dict(search.values(s))
    assert few.visits == 1
    assert few.options == ()  # of the others it is known only that they are no better
    assert known[few.action] == max(known.values()) == few.value
    some = search.choose(s, s.mover, playouts=300)
    assert 300 <= some.playouts < 300 + 2 * 259
    assert search.choose(s, s.mover, until=time.monotonic() - 1).visits == 1
    with pytest.raises(ValueError, match="say how long"):
        search.choose(s, s.mover)
    with pytest.raises(ValueError, match="no world"):
        search.choose(s, s.mover, playouts=1, worlds=[])
    with pytest.raises(ValueError, match="nothing to decide"):
        search.choose(s, 1 - s.mover, playouts=1)


def test_only_for_two_seats_that_take_turns_without_dice() -> None:
    """Other games are refused, and a value that cannot be compiled, too."""
    for other in (games.find("drop-block"), piles.game()):
        with pytest.raises(ValueError, match="seats"):
            AlphaBeta(other, value=piles.even)
    with pytest.raises(ValueError, match="@flat"):
        AlphaBeta(WONDEV, value=lambda s, seat: 0.0)


def test_compiled_it_does_the_same() -> None:
    """The same choice after the same number of positions, and deeper ones in the time."""
    pytest.importorskip("numba")
    told: dict[str, Any] = {"width": 6, "late": 2, "entries": 1 << 10, "margin": 1.0}
    plain = AlphaBeta(WONDEV, value=many_ways, **told)
    fast = AlphaBeta(WONDEV, value=many_ways, **told, compiled=True)
    for seed in range(3):
        s = dealt(seed, "bronze", turns=9 * seed)
        fast._bundle = 1  # interrupted after every step: it goes on where it was
        assert fast.choose(s, s.mover, playouts=700) == plain.choose(s, s.mover, playouts=700)
        assert fast.values(s) == plain.values(s)
    assert fast.choose(s, s.mover, playouts=10**5).visits > plain.choose(s, s.mover, playouts=700).visits
