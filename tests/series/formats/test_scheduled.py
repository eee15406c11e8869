"""Round-robin, gauntlet and king of the hill: by example."""

from __future__ import annotations

import gc
import tracemalloc
from collections import Counter
from itertools import combinations, pairwise, permutations

import msgspec
import pytest

from dohyo.core.contest import Result
from dohyo.core.errors import OperatorError
from dohyo.series.formats import make
from tests.series.formats.contests import Case, batches, bots, played, result


def test_three_bots_meet_each_other_in_both_seatings() -> None:
    """Two seats: each pair once in each seating a round, on one seed; another seed in the next round."""
    case = Case("round-robin", (2, 2), 2, bots(3))
    (batch,) = batches(case)
    assert Counter(fixture.seats for fixture in batch) == dict.fromkeys(permutations(range(3), 2), 2)
    assert Counter(fixture.seed for fixture in batch) == {fixture.seed: 2 for fixture in batch}
    assert len({fixture.seed for fixture in batch}) == 6


def test_six_bots_at_tables_of_four() -> None:
    """Balanced: six tables, each from all four seats; everybody plays 16 matches, pairs differ by one table."""
    _, (batch,) = played("round-robin", 6, seats=4)
    assert len(batch) == 24
    assert Counter(bot for seats in batch for bot in seats) == dict.fromkeys(range(6), 16)
    met = Counter(pair for seats in batch for pair in combinations(sorted(seats), 2))
    assert len(met) == 15
    assert max(met.values()) - min(met.values()) == 4


def test_four_bots_at_tables_of_four() -> None:
    """As many bots as seats: one table a round, from each seat."""
    _, (batch,) = played("round-robin", 4, seats=4, rounds=3)
    assert len(batch) == 12


@pytest.mark.parametrize(("seating", "matches"), [("all", 5 * 24), ("rotations", 5 * 4), ("balanced", 5 * 4)])
def test_seatings_of_larger_tables(seating: str, matches: int) -> None:
    """Five bots at tables of four: each table in every order, or from every seat."""
    _, (batch,) = played("round-robin", 5, seats=4, seating=seating)
    assert len(batch) == matches
    assert {frozenset(seats) for seats in batch} == {frozenset(table) for table in combinations(range(5), 4)}


def test_without_rotating_each_table_plays_once() -> None:
    """Balanced without rotating: seats are still equal, each match has its own seed."""
    case = Case("round-robin", (4, 4), 3, bots(9), {"rotate": False})
    (batch,) = batches(case)
    assert len({fixture.seed for fixture in batch}) == len(batch) == 27
    sat = Counter((bot, seat) for fixture in batch for seat, bot in enumerate(fixture.seats))
    assert set(sat.values()) == {3}
    met = Counter(pair for fixture in batch for pair in combinations(sorted(fixture.seats), 2))
    assert max(met.values()) - min(met.values()) == 1


def test_large_contests_come_in_small_pieces(full: bool) -> None:
    """Fifty bots, 1000 rounds, 200,000 matches: batches of about 1000, and memory that hardly grows with them."""
    contest = make("round-robin", seats=(4, 4), rounds=1000, seed=3, entrants=50)
    field = bots(50)
    contest.enter(field)

    def one_batch() -> int:
        batch = contest.next(field)
        contest.take([Result(fixture, (1, 2, 3, 4)) for fixture in batch])
        return len(batch)

    def held() -> int:
        gc.collect()  # also what Python keeps for later
        return tracemalloc.get_traced_memory()[0]

    tracemalloc.start()
    first, more = (5, 10) if full else (1, 2)
    assert [one_batch() for _ in range(first)] == [1000] * first
    before = held()
    assert [one_batch() for _ in range(more)] == [1000] * more
    grown = held() - before
    tracemalloc.stop()
    assert grown < 2 * 1000 * more  # two bytes a match


def test_whoever_pauses_is_passed_over() -> None:
    """Matches of a bot that takes no part are left out; at the end of the schedule they come when it is back."""
    entrants = list(bots(40))
    entrants[3] = msgspec.structs.replace(entrants[3], absences=((0, 1),))
    case = Case("round-robin", (2, 2), 1, tuple(entrants))
    first, second = batches(case)
    assert not any(3 in fixture.seats for fixture in first)
    assert any(3 in fixture.seats for fixture in second)
    assert len({fixture.seed for fixture in first + second}) < 780


def test_points_of_a_round_robin() -> None:
    """A win is a point, a draw half of one; equal points share a place."""
    contest, _ = played("round-robin", 4)
    assert [(row.entrant, row.place, row.points) for row in contest.standing(bots(4))] == [
        (0, 1, 6),
        (1, 2, 4),
        (2, 3, 2),
        (3, 4, 0),
    ]
    contest = make("round-robin", seats=(2, 2), rounds=1, seed=1, entrants=3)
    contest.take([Result(fixture, (1, 1)) for fixture in contest.next(bots(3))])
    assert {(row.place, row.points) for row in contest.standing(bots(3))} == {(1, 2)}


def test_a_gauntlet_has_the_candidate_in_every_match() -> None:
    """Two seats: the candidate, named or numbered, against each other bot, in both seatings."""
    for candidate in ("b2", 2, "2"):
        _, (batch,) = played("gauntlet", 5, rounds=2, candidate=candidate)
        assert Counter(batch) == {seats: 2 for other in (0, 1, 3, 4) for seats in ((2, other), (other, 2))}


def test_places_of_a_gauntlet_go_by_points_a_match() -> None:
    """The candidate plays more than each other bot: with half of its points it is behind who has more than half."""
    contest = make("gauntlet", seats=(2, 2), rounds=1, seed=1, entrants=4, options={"candidate": 1})
    drawn = contest.next(bots(4))
    contest.take([Result(fixture, (1, 1)) for fixture in drawn])
    rows = contest.standing(bots(4))
    assert [(row.place, row.points, row.matches) for row in rows] == [(1, 1, 2), (1, 3, 6), (1, 1, 2), (1, 1, 2)]
    assert [row.remark for row in rows] == ["", "format.candidate", "", ""]
    contest = make("gauntlet", seats=(2, 2), rounds=1, seed=1, entrants=4, options={"candidate": 1})
    drawn = contest.next(bots(4))
    contest.take([Result(each, (1 + (each.seats[0] == 1), 1 + (each.seats[1] == 1))) for each in drawn])
    rows = contest.standing(bots(4))
    assert [(row.entrant, row.place, row.points) for row in rows] == [(0, 1, 2), (2, 1, 2), (3, 1, 2), (1, 4, 0)]


def test_a_gauntlet_at_tables_of_four() -> None:
    """The others are filled in evenly: each meets the candidate equally often, and so does every pair of them."""
    _, (batch,) = played("gauntlet", 8, seats=4, candidate=7)
    assert all(7 in seats for seats in batch)
    assert Counter(seats.index(7) for seats in batch) == dict.fromkeys(range(4), 7)
    assert Counter(bot for seats in batch for bot in seats if bot != 7) == dict.fromkeys(range(7), 12)
    met = Counter(pair for seats in batch for pair in combinations(sorted(set(seats) - {7}), 2))
    assert set(met.values()) == {4}


def test_king_of_the_hill_seats_everybody() -> None:
    """All in each match, each match on its own seed; after as many matches as bots each has had each seat."""
    contest = make("king-of-the-hill", seats=(1, 100), rounds=250, seed=1, entrants=6)
    sizes, sat, beside = [], Counter[tuple[int, int]](), Counter[tuple[int, int]]()
    while batch := contest.next(bots(6)):
        sizes.append(len(batch))
        assert len({fixture.seed for fixture in batch}) == len(batch)
        sat.update((bot, seat) for fixture in batch for seat, bot in enumerate(fixture.seats))
        beside.update(pair for fixture in batch for pair in pairwise(fixture.seats))
        contest.take([result(fixture) for fixture in batch])
    assert sizes == [100, 100, 50]
    assert set(sat.values()) == {41, 42}
    assert len(beside) == 30  # neighbours change
    assert [row.entrant for row in contest.standing(bots(6))] == list(range(6))


def test_king_of_the_hill_may_go_by_scores() -> None:
    """With `rank` = scores the sum of scores comes first."""
    for rank, first in (("places", 0), ("scores", 1)):
        contest = make("king-of-the-hill", seats=(2, 2), rounds=2, seed=1, entrants=2, options={"rank": rank})
        # Bot 0 comes first with the smaller score.
        results = {(0, 1): ((1, 2), (1.0, 5.0)), (1, 0): ((2, 1), (5.0, 1.0))}
        contest.take([Result(fixture, *results[fixture.seats]) for fixture in contest.next(bots(2))])
        assert contest.standing(bots(2))[0].entrant == first


def test_king_of_the_hill_alone() -> None:
    """A game of one seat is a contest against nobody: it is played, and earns no points."""
    contest, (batch,) = played("king-of-the-hill", 1, seats=1, rounds=3)
    assert batch == [(0,)] * 3
    assert contest.standing(bots(1))[0].matches == 3


def test_duels_without_rotating() -> None:
    """`rotate=no` plays each seed once with `balanced`, seats still in turn; elsewhere a new contest refuses it."""
    case = Case("round-robin", (2, 2), 3, bots(2), {"rotate": False, "seating": "balanced"})
    (batch,) = batches(case)
    assert len({fixture.seed for fixture in batch}) == len(batch) == 6
    assert Counter(fixture.seats for fixture in batch) == {(0, 1): 3, (1, 0): 3}
    case.make().check_new()
    for seating in (None, "all", "rotations"):
        idle = make(
            "round-robin", seats=(2, 2), rounds=1, seed=1, entrants=2, options={"rotate": "no", "seating": seating}
        )
        with pytest.raises(OperatorError, match="add --option seating=balanced to rotate=no"):
            idle.check_new()
