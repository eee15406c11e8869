"""Brackets: what is drawn of a knock-out is what is played, at every moment of it; and who held the hill."""

from __future__ import annotations

import msgspec
import pytest

from dohyo.core.contest import Fixture, Result
from dohyo.series.formats import all_formats
from dohyo.series.formats.brackets import ABSENT, BYE, LATER, MAYBE, OPEN, OVER, Bracket, Pairing, is_tree
from tests.series.formats.contests import Case, batches, bots, entrant, play
from tests.series.formats.test_eliminations import made
from tests.series.formats.test_eliminations import play as play_pairs

CASES = [
    Case(name, (seats, seats), rounds, bots(count), salt=count)
    for name, seats in (("single-elimination", 2), ("double-elimination", 2), ("single-elimination", 4))
    for rounds in (1, 3)
    for count in (*range(seats, 14), 29, 32)
]


def pairings(bracket: Bracket | None, *states: str) -> list[Pairing]:
    """Those of a bracket in one of these states, or all."""
    assert bracket is not None
    found = [pairing for each in bracket.rounds for pairing in each.pairings if pairing.slots]
    return [pairing for pairing in found if not states or pairing.state in states]


def names(pairing: Pairing) -> list[int | None]:
    """Whose slots these are."""
    return [slot.entrant for slot in pairing.slots]


@pytest.mark.parametrize(
    "case", CASES, ids=lambda case: f"{case.format}-{case.seats[0]}-{len(case.entrants)}-{case.rounds}"
)
def test_a_bracket_shows_what_is_played(case: Case) -> None:
    """Before each batch its tables are the open ones; after it they are over, and who stays in goes on from them."""
    contest, past = case.make(), set()
    for batch in batches(case, contest):
        bracket = contest.bracket(case.entrants)
        tables = {frozenset(fixture.seats) for fixture in batch}
        assert {pairing.entrants for pairing in pairings(bracket, OPEN)} == tables
        assert all(pairing.batch == contest.batch for pairing in pairings(bracket, OPEN))
        assert {(pairing.batch, pairing.entrants) for pairing in pairings(bracket, OVER)} == past
        past |= {(contest.batch, table) for table in tables}
    bracket = contest.bracket(case.entrants)
    assert bracket is not None
    assert not pairings(bracket, OPEN, LATER, MAYBE)
    standing = contest.standing(case.entrants)
    assert bracket.champion == standing[0].entrant
    for side in bracket.sides():
        assert is_tree(side) or case.seats[0] > 2 or side[0].side == "final"
    in_order = sorted(slot.seed for pairing in pairings(bracket) for slot in pairing.slots)
    assert set(in_order) == set(range(1, len(case.entrants) + 1))


@pytest.mark.parametrize(
    "case", CASES, ids=lambda case: f"{case.format}-{case.seats[0]}-{len(case.entrants)}-{case.rounds}"
)
def test_rounds_to_come_are_those_that_come(case: Case) -> None:
    """The bracket has the same tables before the first match as at the end, but for a second grand final."""
    contest = case.make()
    before = contest.bracket(case.entrants)
    assert before is not None
    for _ in batches(case, contest):
        pass
    after = contest.bracket(case.entrants)
    assert after is not None
    for at, each in enumerate(before.rounds):
        if each.side == "final" and each.number == 2:
            assert pairings(before)[-1].state == MAYBE
            continue
        now = after.rounds[at]
        shapes = [
            [(len(one.slots), [slot.source for slot in one.slots]) for one in of.pairings] for of in (each, now)
        ]
        assert shapes[0] == shapes[1]


def test_numbers_are_opponents_beaten() -> None:
    """A match won counts one, a drawn one half; a series that ends level says so, and what decided it."""
    contest = made("single-elimination", 4, rounds=2)
    batch = contest.next(bots(4))
    contest.take([Result(f, (1, 1) if f.seats[0] in (0, 3) else (1, 2)) for f in batch])
    bracket = contest.bracket(bots(4))
    assert bracket is not None
    first, second = bracket.rounds[0].pairings
    assert [(slot.entrant, slot.seed, slot.beaten, slot.goes_on) for slot in first.slots] in (
        [(0, 1, 2.0, True), (3, 4, 2.0, False)],
        [(0, 1, 2.0, False), (3, 4, 2.0, True)],
    )
    assert first.level
    assert second.level
    assert [slot.beaten for slot in second.slots] == [2.0, 2.0]
    assert bracket.ties_by == "lot"


def test_a_batch_that_is_played_shows_how_far_it_is() -> None:
    """Results of the batch that is not over are counted in its pairing, and nobody goes on by them."""
    contest = made("single-elimination", 4, rounds=2)
    batch = contest.next(bots(4))
    so_far = [Result(batch[0], (1, 2)), Result(batch[1], ())]
    bracket = contest.bracket(bots(4), so_far)
    first = pairings(bracket, OPEN)[0]
    assert (first.played, first.matches) == (1, 4)
    assert [(slot.beaten, slot.goes_on) for slot in first.slots] == [(1.0, False), (0.0, False)]
    assert [names(pairing) for pairing in pairings(bracket, LATER)] == [[None, None]]


def test_byes_and_who_took_no_part() -> None:
    """A bye is a pairing of one; who takes no part is shown in the round from which it is missing."""
    entrants = list(bots(5))
    entrants[1] = msgspec.structs.replace(entrants[1], absences=((1, 2),))
    for name in ("single-elimination", "double-elimination"):
        contest = made(name, 5)
        assert play_pairs(contest, entrants) == [(3, 4)]
        bracket = contest.bracket(entrants)
        byes = [
            names(pairing) for pairing in pairings(bracket, BYE) if bracket and pairing in bracket.rounds[0].pairings
        ]
        assert sorted(byes) == [[0], [1], [2]]
        missing = [set(names(pairing)) for pairing in pairings(bracket, ABSENT)]
        assert missing == ([{1}] if name == "single-elimination" else [{1, 2}])


def test_the_grand_final_is_played_again_where_it_has_to_be() -> None:
    """A second grand final stands there as one that may be needed, and goes where it is not."""
    contest = made("double-elimination", 4)
    for count in range(4):
        assert len(pairings(contest.bracket(bots(4)), MAYBE)) == 1, count
        play_pairs(contest, bots(4))
    bracket = contest.bracket(bots(4))
    assert bracket is not None
    assert [each.number for each in bracket.rounds if each.side == "final"] == [1]
    assert bracket.champion == 0


def test_formats_without_a_bracket_have_none() -> None:
    """Only knock-outs have a bracket, only king of the hill has a hill."""
    for name in all_formats():
        options = {"bosses": (0,)} if name == "league" else {}
        contest = Case(name, (2, 4), 2, bots(4), options).make()
        contest.enter(bots(4))
        assert (contest.bracket(bots(4)) is not None) == name.endswith("elimination")
        assert (contest.hill([]) is not None) == (name == "king-of-the-hill")


# --- king of the hill


def hill(*places: tuple[int, ...], seats: tuple[int, ...] = (0, 1, 2), **options: str) -> list[tuple]:
    """The reigns after matches that ended so: holders, first and last match, who came first how often."""
    contest = Case("king-of-the-hill", (2, 4), 9, bots(len(seats)), dict(options)).make()
    played = [Result(Fixture(0, at, seats, at), each, tuple(map(float, each))) for at, each in enumerate(places)]
    found = contest.hill(played)
    assert found is not None
    return [(reign.holders, reign.first, reign.last, reign.firsts) for reign in found.reigns]


def test_who_is_first_holds_the_hill() -> None:
    """It is held until somebody is before the holder; while several are level, all who were not overtaken hold it."""
    won_by_0, won_by_1 = (1, 2, 3), (2, 1, 3)
    assert hill(won_by_0, won_by_0, won_by_1) == [((0,), 0, 2, {0: 2, 1: 1})]
    assert hill(won_by_0, won_by_1, won_by_1) == [((0,), 0, 1, {0: 1, 1: 1}), ((1,), 2, 2, {1: 1})]
    assert hill((1, 1, 3), won_by_1) == [((0, 1), 0, 0, {0: 1, 1: 1}), ((1,), 1, 1, {1: 1})]
    assert hill(won_by_0, (), won_by_0)[0][:3] == ((0,), 0, 2)
    assert hill(won_by_0, rank="scores")[0][0] == (2,)


def test_late_entries_are_known() -> None:
    """Who enters later has the match in which it played first; the others count as there from the start."""
    late = (*bots(3), entrant(3, "late", since=1))
    case = Case("king-of-the-hill", (2, 4), 150, late, upsets=0)
    contest, played = case.make(), []
    while batch := contest.next(late):
        played += play(batch, case)
        contest.take(played[-len(batch) :])
    found = contest.hill(played)
    assert found is not None
    assert found.late == [(100, 3)]
    assert found.matches == 150
    assert found.reigns[-1].holders == (contest.standing(late)[0].entrant,)
