"""Swiss: pairing, byes, standings; by example, and against a search of all pairings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dohyo.core.contest import Result
from dohyo.series.formats import make
from dohyo.series.formats.pairing import NOBODY, matched, paired
from tests.series.formats.contests import Case, batches, bots, by_seed, played

Graph = list[list[bool]]


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """Who may meet whom, of up to nine bots."""
    count = draw(st.integers(0, 9))
    free = [[False] * count for _ in range(count)]
    for one, other in combinations(range(count), 2):
        free[one][other] = free[other][one] = draw(st.booleans())
    return free


def most_pairs(free: Graph, left: Sequence[int]) -> int:
    """How many pairs can be made at most, found by trying everything."""
    if not left:
        return 0
    one, *rest = left
    with_one = [1 + most_pairs(free, [bot for bot in rest if bot != other]) for other in rest if free[one][other]]
    return max([most_pairs(free, rest), *with_one])


@given(graphs())
def test_a_matching_is_the_greatest(free: Graph) -> None:
    """As many pairs are made as any search finds, each of two who may meet."""
    mates = matched(free, [NOBODY] * len(free))
    pairs = [(bot, mate) for bot, mate in enumerate(mates) if mate != NOBODY]
    assert all(mates[mate] == bot and free[bot][mate] for bot, mate in pairs)
    assert len(pairs) == 2 * most_pairs(free, range(len(free)))


@given(graphs())
def test_the_top_gets_its_wish_where_the_rest_allows(free: Graph) -> None:
    """Each bot, from the top, gets the first of its wishes that leaves a pairing for all others."""
    mates = paired(len(free), lambda one, other: free[one][other], lambda left: left[1:])
    left = list(range(len(free)))
    if 2 * most_pairs(free, left) < len(free):
        assert mates == []
        return
    while left:
        one, *rest = left
        possible = [
            other
            for other in rest
            if free[one][other] and 2 * most_pairs(free, [bot for bot in rest if bot != other]) == len(rest) - 1
        ]
        assert mates[one] == possible[0]
        left = [bot for bot in rest if bot != possible[0]]


def test_the_upper_half_meets_the_lower() -> None:
    """Eight bots: 0-4, 1-5, 2-6, 3-7; then winners among themselves."""
    _, rounds = played("swiss", 8, rounds=3)
    assert rounds[0][::2] == [(0, 4), (1, 5), (2, 6), (3, 7)]
    assert rounds[1][::2] == [(0, 2), (1, 3), (4, 6), (5, 7)]
    assert rounds[2][0] == (0, 1)
    for batch in rounds:
        assert batch[1::2] == [seats[::-1] for seats in batch[::2]]


def test_five_bots_meet_all_others_in_five_rounds() -> None:
    """An odd field: in five rounds everybody has met everybody once, and rested once."""
    contest, rounds = played("swiss", 5, rounds=5)
    assert Counter(frozenset(seats) for batch in rounds for seats in batch) == {
        frozenset(pair): 2 for pair in combinations(range(5), 2)
    }
    rested = [set(range(5)) - {bot for seats in batch for bot in seats} for batch in rounds]
    assert rested[0] == {4}  # the lowest
    assert sorted(bot for one in rested for bot in one) == list(range(5))
    standing = contest.standing(bots(5))
    assert [(row.entrant, row.points, row.at) for row in standing] == [
        (0, 5, 1),
        (1, 4, 1),
        (2, 3, 1),
        (3, 2, 1),
        (4, 1, 1),
    ]


@pytest.mark.parametrize("count", [4, 6, 7, 8, 11, 12])
def test_nobody_meets_twice_while_that_can_be_avoided(count: int) -> None:
    """Whatever comes of the matches: no pair twice in the first count / 2 rounds, where a pairing always exists."""
    for salt in range(20):
        case = Case("swiss", (2, 2), count // 2, bots(count), salt=salt, upsets=8)
        met = Counter(frozenset(seats) for batch in batches(case) for seats in by_seed(batch)[::2])
        assert set(met.values()) == {1}


def test_rematches_come_when_there_is_nobody_else() -> None:
    """Two bots meet again and again, each time on another seed."""
    case = Case("swiss", (2, 2), 3, bots(2))
    fixtures = [fixture for batch in batches(case) for fixture in batch]
    assert len(fixtures) == 6
    assert len({fixture.seed for fixture in fixtures}) == 3


def test_equal_points_are_decided_by_the_opponents() -> None:
    """Buchholz, by hand: of two with equal points the one with the stronger opponents stands first."""
    contest = make("swiss", seats=(2, 2), rounds=2, seed=1, entrants=4, options={"seeding": "order"})
    first = contest.next(bots(4))  # 0-2, 1-3; 0 and 1 win
    contest.take([Result(one, tuple(1 if bot < 2 else 2 for bot in one.seats)) for one in first])
    second = contest.next(bots(4))  # 0-1, 2-3; 0 and 3 win
    contest.take([Result(one, tuple(1 if bot in (0, 3) else 2 for bot in one.seats)) for one in second])
    rows = [(row.entrant, row.place, row.points, row.tiebreaks) for row in contest.standing(bots(4))]
    assert rows == [(0, 1, 2, (1,)), (1, 2, 1, (3,)), (3, 3, 1, (1,)), (2, 4, 0, (3,))]


def test_tables_of_four() -> None:
    """Ten bots at tables of four: two rest, worth half a series; tables are filled from the top."""
    contest, rounds = played("swiss", 10, seats=4, rounds=2)
    assert rounds[0][::4] == [(0, 1, 2, 3), (4, 5, 6, 7)]
    assert {row.entrant: row.points for row in contest.standing(bots(10))}[9] == 0.5 + 0
    assert not {frozenset(seats) for seats in rounds[0]} & {frozenset(seats) for seats in rounds[1]}


def test_a_pairing_plays_a_series() -> None:
    """With `series` = 3 each pair plays three seeds in a round."""
    case = Case("swiss", (2, 2), 1, bots(4), {"series": 3})
    (batch,) = batches(case)
    assert len(batch) == 12
    assert len({fixture.seed for fixture in batch}) == 6
