"""What makes alpha-beta deep: what it promises to be exact is what minimax finds, and the rest still finds wins."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from dohyo.core.flat import flat
from dohyo.search import AlphaBeta
from dohyo.search.deepening_stack import LAST
from tests.search import graphs
from tests.search.graphs import ACTIONS, LAYOUT, drawn

GRAPHS = graphs.game()
WIN = 1e6
ENTRIES = 1 << 8  # few: many positions push others out
LOUD = 9.0
SEEDS = range(120)


@flat
def by_place(s: Any, seat: int) -> float:
    """Seldom the same at two places."""
    worth = (s.at * 7 + 3) % 12 - 5.5
    return worth if seat == 0 else -worth  # type: ignore[no-any-return]


@flat
def last_edges(s: Any, seat: int, action: int) -> float:
    """The last edge of each place is said to gain something."""
    return 10.0 + action if action == 2 else 0.0


@flat
def place(s: Any) -> int:
    """Where it is."""
    return s.at + 1  # type: ignore[no-any-return]


@flat
def other_owner(s: Any) -> bool:
    """A pass: the other seat moves on from here."""
    s.owner[s.at] = 1 - s.owner[s.at]
    return True


def choices(s: Any) -> list[int]:
    """What may be done there."""
    return [action for action in range(ACTIONS) if s.edge[s.at * ACTIONS + action] >= 0]


def is_choice(s: Any) -> bool:
    """Whether there is anything to search for."""
    return not GRAPHS.rules.over(s) and len(choices(s)) > 1


def worth_of(s: Any, depth: int, loud: Any = None) -> float:
    """What the first position is worth to its mover, by the definition; `loud(s, action)` goes on at the horizon."""
    rules = GRAPHS.rules

    def at(node: int) -> Any:
        there = LAYOUT.copy(s)
        there.at = node
        return there

    @cache
    def worth(node: int, left: int, ply: int) -> float:
        """For seat 0."""
        here = at(node)
        mover = here.owner[node]
        sign = 1.0 if mover == 0 else -1.0
        if here.end[node]:
            return {1: WIN - ply, 2: ply - WIN, 3: 0.0}[here.end[node]]
        if left <= 0 and (loud is None or ply == LAST):
            return float(by_place(here, 0))
        options = [action for action in choices(here) if left > 0 or loud(here, action)]
        found = [sign * by_place(here, 0)] if left <= 0 else []
        for action in options:
            after = at(node)
            rules.step(after, [action, action], None)
            found.append(sign * worth(after.at, left - 1, ply + 1))
        return sign * max(found)

    return worth(s.at, depth, 0) * (1.0 if s.owner[s.at] == 0 else -1.0)


def found_by(s: Any, depth: int, **more: Any) -> float:
    """What the search says that it is worth."""
    search = AlphaBeta(GRAPHS, value=by_place, depth=depth, **more)
    return search.choose(s, s.owner[s.at], playouts=10**9).value


@pytest.mark.parametrize("depth", [3, 6, 9])
def test_a_table_and_empty_windows_change_no_result(depth: int) -> None:
    """However often a position comes again on another way, how early a win comes included."""
    for s in filter(is_choice, map(drawn, SEEDS)):
        assert found_by(s, depth, entries=ENTRIES) == worth_of(s, depth)


@flat
def high(s: Any, seat: int) -> float:
    """More than half of what a win is worth."""
    return 1.7e5 * by_place(s, seat)


def test_a_high_value_is_not_taken_for_a_win() -> None:
    """Only a win comes later on a longer way, not what `value` says."""
    for s in filter(is_choice, map(drawn, SEEDS)):
        plain, noted = (AlphaBeta(GRAPHS, value=high, depth=6, entries=entries) for entries in (0, ENTRIES))
        seat = s.owner[s.at]
        assert noted.choose(s, seat, playouts=10**9).value == plain.choose(s, seat, playouts=10**9).value


def test_the_order_of_actions_changes_no_result() -> None:
    """Whatever `gain` says, and with killers and history."""
    for s in filter(is_choice, map(drawn, SEEDS)):
        for more in ({}, {"entries": ENTRIES}):
            assert found_by(s, 6, gain=last_edges, **more) == worth_of(s, 6)


@pytest.mark.parametrize("entries", [0, ENTRIES])
def test_beyond_the_horizon_loud_actions_are_followed(entries: int) -> None:
    """Until there are none, or the mover does better by none of them: as the definition says."""
    for s in filter(is_choice, map(drawn, SEEDS)):
        found = found_by(s, 3, gain=last_edges, loud=LOUD, entries=entries)
        assert found == worth_of(s, 3, lambda here, action: action == 2)


def test_what_is_loud_is_seen_by_the_value_itself() -> None:
    """Without `gain`, an action is loud that makes the value so much better, or ends the match so."""

    def is_loud(here: Any, action: int) -> bool:
        mover = here.owner[here.at]
        before = by_place(here, mover)
        after = LAYOUT.copy(here)
        GRAPHS.rules.step(after, [action, action], None)
        end = after.end[after.at]
        now = by_place(after, mover) if not end else 0.0 if end == 3 else WIN if end == mover + 1 else -WIN
        return bool(now >= before + LOUD)

    for s in filter(is_choice, map(drawn, SEEDS)):
        assert found_by(s, 3, loud=LOUD) == worth_of(s, 3, is_loud)


def test_what_is_left_out_hides_no_win_that_is_seen() -> None:
    """With all that makes it deep, who can force a win in a few turns does so, where each place counts for itself."""
    won = 0
    for s in filter(is_choice, map(drawn, SEEDS)):
        if worth_of(s, 3) > WIN / 2:
            won += 1
            more = {"gain": last_edges, "loud": LOUD, "entries": ENTRIES, "margin": 2.0, "skip": other_owner}
            assert found_by(s, 6, **more) > WIN / 2
    assert won > 10


def test_an_action_from_the_table_is_not_taken_for_the_only_one() -> None:
    """Where there is no choice the search looks a turn further: not where the other actions are not listed yet."""
    s = LAYOUT.new()
    s.owner[:] = [node % 2 for node in range(graphs.NODES)]
    s.edge[:] = [(node * 5 + 2 * edge + 1) % graphs.NODES for node in range(graphs.NODES) for edge in range(ACTIONS)]
    for entries in (0, ENTRIES):
        search = AlphaBeta(GRAPHS, value=by_place, depth=6, margin=1.0, entries=entries)
        assert search.choose(s, 0, playouts=10**5).visits == 6
        upper = search._stack.upper  # of each ply that was met
        assert max(ply for ply in range(LAST) if upper[ply]) < 6


def test_a_position_that_comes_again_is_a_draw() -> None:
    """Who is told which positions are the same takes a way back for a draw, and not for what the value says."""
    s = LAYOUT.new()
    s.owner[:4] = [0, 1, 0, 0]
    s.edge[:] = [-1] * len(s.edge)
    s.edge[0 * ACTIONS], s.edge[0 * ACTIONS + 1] = 1, 2  # to the other seat, or to where it loses
    s.edge[1 * ACTIONS] = 0
    s.end[2] = 2
    assert found_by(s, 4) == by_place(s, 0) != 0
    for entries in (0, ENTRIES):
        assert found_by(s, 4, identity=place, entries=entries) == 0


def test_what_cannot_be_used_is_refused() -> None:
    """A table has a power of two of entries, and functions are flat."""
    for entries in (-2, 1, 3, 100):
        with pytest.raises(ValueError, match="power of two"):
            AlphaBeta(GRAPHS, value=by_place, entries=entries)
    with pytest.raises(ValueError, match="`gain` must carry"):
        AlphaBeta(GRAPHS, value=by_place, gain=lambda s, seat, action: 0.0)


def test_compiled_it_goes_as_deep() -> None:
    """All of it together: the same choice after the same number of positions."""
    pytest.importorskip("numba")
    more: dict[str, Any] = {"gain": last_edges, "loud": LOUD, "identity": place, "skip": other_owner}
    more |= {"value": by_place, "margin": 3.0, "entries": ENTRIES}
    plain, fast = AlphaBeta(GRAPHS, **more), AlphaBeta(GRAPHS, compiled=True, **more)
    for s in filter(is_choice, map(drawn, SEEDS)):
        for playouts in (30, 400):
            seat = s.owner[s.at]
            assert fast.choose(s, seat, playouts=playouts) == plain.choose(s, seat, playouts=playouts)
