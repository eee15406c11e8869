"""Single and double elimination: trees by hand."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import pytest

from dohyo.core.contest import Entrant, Fixture, Result
from dohyo.core.errors import OperatorError
from dohyo.series.formats import Format, make
from tests.series.formats.contests import bots, by_seed, entrant, played, result

Seats = tuple[int, ...]


def made(name: str, count: int, rounds: int = 1, **options: object) -> Format:
    """An elimination of so many bots in matches of two."""
    usual = {} if "ratings" in options else {"seeding": "order"}
    return make(name, seats=(2, 2), rounds=rounds, seed=1, entrants=count, options={**usual, **options})


def play(contest: Format, entrants: Sequence[Entrant], *winners: int) -> list[Seats]:
    """Play a batch: of each pair the one named wins, or who has the lower number. The pairs."""
    batch = contest.next(entrants)
    if batch:
        contest.take([_won(fixture, [bot for bot in fixture.seats if bot in winners]) for fixture in batch])
    return by_seed(batch)[::2]


def _won(fixture: Fixture, winners: list[int]) -> Result:
    return Result(fixture, tuple(1 if bot in winners else 2 for bot in fixture.seats)) if winners else result(fixture)


def order(contest: Format, entrants: Sequence[Entrant]) -> list[tuple[int, int]]:
    """Who has which place."""
    return [(row.entrant, row.place) for row in contest.standing(entrants)]


@pytest.mark.parametrize("name", ["single-elimination", "double-elimination"])
def test_a_batch_of_more_series_than_anybody_plays_is_refused(name: str) -> None:
    """A stranger's results may ask for them: they would fill the memory before the first was compared."""
    with pytest.raises(OperatorError) as error:
        made(name, 8, rounds=1_000_000_000).next(bots(8))
    assert error.value.key == "format-rounds"


def test_eight_bots_without_upsets() -> None:
    """The best seeds meet last; losers of one round share a place."""
    contest, rounds = played("single-elimination", 8)
    assert [batch[::2] for batch in rounds] == [[(0, 7), (1, 6), (2, 5), (3, 4)], [(0, 3), (1, 2)], [(0, 1)]]
    places = [(0, 1), (1, 2), (2, 3), (3, 3), (4, 5), (5, 5), (6, 5), (7, 5)]
    assert order(contest, bots(8)) == places
    assert contest.standing(bots(8))[0].remark == "format.champion"


def test_the_winner_takes_the_place_in_the_tree() -> None:
    """Who beats the first seed goes on where the first seed would have gone."""
    contest = made("single-elimination", 8)
    play(contest, bots(8), 7)
    assert play(contest, bots(8)) == [(7, 3), (1, 2)]


@pytest.mark.parametrize(("count", "first"), [(5, [(3, 4)]), (6, [(2, 5), (3, 4)]), (7, [(1, 6), (2, 5), (3, 4)])])
def test_byes_go_to_the_best_seeds(count: int, first: list[Seats]) -> None:
    """The first round has as many matches as leave a power of two."""
    for name in ("single-elimination", "double-elimination"):
        _, rounds = played(name, count)
        assert sorted(rounds[0][::2]) == first
        assert rounds[1][:4:2] == [(0, 3), (1, 2)]


def test_ratings_seed() -> None:
    """Seeds go by the ratings given, the greatest first."""
    _, rounds = played("single-elimination", 4, ratings="1000,1200,900,1500")
    assert rounds[0][::2] == [(3, 2), (1, 0)]


def test_a_series_is_played_to_its_end() -> None:
    """Three rounds: three seeds, both seatings; a drawn series is won by the better seed."""
    contest = made("single-elimination", 2, rounds=3, ratings=[1, 2])
    batch = contest.next(bots(2))
    assert [fixture.seats for fixture in batch] == [(1, 0), (0, 1)] * 3
    assert len({fixture.seed for fixture in batch}) == 3
    contest.take([Result(fixture, (1, 2)) for fixture in batch])
    assert order(contest, bots(2)) == [(1, 1), (0, 2)]


def test_tables_of_four_send_the_worse_half_home() -> None:
    """Six bots: the four lowest play for two places; the final decides the first four places one by one."""
    contest, rounds = played("single-elimination", 6, seats=4)
    assert [batch[0] for batch in rounds] == [(2, 3, 4, 5), (0, 1, 2, 3)]
    assert order(contest, bots(6)) == [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 5)]
    _, rounds = played("single-elimination", 16, seats=4)
    assert rounds[0][::4] == [(0, 7, 8, 15), (1, 6, 9, 14), (2, 5, 10, 13), (3, 4, 11, 12)]
    assert rounds[1][::4] == [(0, 3, 4, 7), (1, 2, 5, 6)]


def test_who_takes_no_part_is_out() -> None:
    """A bot that pauses when its round is drawn is out, and the round is drawn without it."""
    entrants = list(bots(4))
    entrants[0] = msgspec.structs.replace(entrants[0], absences=((1, 2),))
    contest = made("single-elimination", 4)
    assert play(contest, entrants) == [(0, 3), (1, 2)]
    assert contest.next(entrants) == []
    assert order(contest, entrants) == [(1, 1), (0, 2), (2, 3), (3, 3)]


def test_eight_bots_with_a_second_chance() -> None:
    """Without upsets: losers drop to the other side of the losers' tree; the one who lost has to win twice."""
    contest = made("double-elimination", 8)
    assert play(contest, bots(8)) == [(0, 7), (3, 4), (1, 6), (2, 5)]
    assert play(contest, bots(8)) == [(0, 3), (1, 2), (7, 4), (6, 5)]  # two of the winners', two of the losers'
    assert play(contest, bots(8)) == [(4, 2), (5, 3)]
    assert play(contest, bots(8)) == [(0, 1), (2, 3)]
    assert play(contest, bots(8)) == [(2, 1)]
    assert play(contest, bots(8)) == [(0, 1)]
    assert contest.next(bots(8)) == []
    places = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 5), (6, 7), (7, 7)]
    assert order(contest, bots(8)) == places


def test_who_lost_once_wins_the_grand_final_twice() -> None:
    """The first seed loses its first series, wins all others, and has to beat the other finalist two times."""
    contest = made("double-elimination", 4)
    assert play(contest, bots(4), 3) == [(0, 3), (1, 2)]
    assert play(contest, bots(4)) == [(3, 1), (0, 2)]
    assert play(contest, bots(4)) == [(0, 3)]
    assert play(contest, bots(4)) == [(1, 0)]
    assert contest.standing(bots(4))[0].remark == "format.still-in"
    assert play(contest, bots(4)) == [(1, 0)]
    assert contest.next(bots(4)) == []
    assert order(contest, bots(4)) == [(0, 1), (1, 2), (3, 3), (2, 4)]


def test_the_second_grand_final_decides() -> None:
    """Won once and lost once, the grand final's second series counts."""
    contest = made("double-elimination", 2)
    play(contest, bots(2), 1)
    play(contest, bots(2), 0)
    assert play(contest, bots(2), 1) == [(1, 0)]
    assert contest.next(bots(2)) == []
    assert order(contest, bots(2)) == [(1, 1), (0, 2)]


def test_who_takes_no_part_loses_that_series() -> None:
    """Double elimination: a bot that pauses drops into the losers' tree, and may come back there."""
    entrants = list(bots(4))
    entrants[0] = msgspec.structs.replace(entrants[0], absences=((1, 2),))
    contest = made("double-elimination", 4)
    assert play(contest, entrants) == [(0, 3), (1, 2)]
    assert play(contest, entrants) == [(3, 2)]  # 1 has won against 0
    assert play(contest, entrants) == [(2, 0)]
    assert play(contest, entrants) == [(1, 0)]


def test_late_bots_are_not_in_it() -> None:
    """The field is who was there at the start; who enters later stands behind it."""
    late = (*bots(4), entrant(4, "late", since=1))
    for name in ("single-elimination", "double-elimination"):
        contest = made(name, 4)
        while pairs := play(contest, late):
            assert not any(4 in pair for pair in pairs)
        assert order(contest, late)[-1] == (4, 5)
