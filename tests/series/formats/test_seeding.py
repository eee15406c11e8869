"""Seeds, byes and ties: by lot, by ratings, or in the order of entering."""

from __future__ import annotations

from collections import Counter

import pytest

from dohyo.core.contest import Result
from dohyo.core.errors import OperatorError
from dohyo.series.formats import Format, all_formats, make
from dohyo.series.formats.base import Terms
from dohyo.series.formats.seeding import Seeding
from tests.series.formats.contests import bots, entrant

SEEDED = [
    name for name, format_ in all_formats().items() if "seeding" in {option.name for option in format_.info.options}
]
TRIES = 400


def made(name: str, count: int, seed: int, **options: object) -> Format:
    """A contest of so many bots in matches of two."""
    return make(name, seats=(2, 2), rounds=1, seed=seed, entrants=count, options=options)


def first(contest: Format, count: int) -> set[int]:
    """Who plays in the first batch."""
    return {bot for fixture in contest.next(bots(count)) for bot in fixture.seats}


def test_which_formats_are_seeded() -> None:
    """Those in which places of a tree, byes or first pairings are to be given."""
    assert SEEDED == ["double-elimination", "single-elimination", "swiss"]


@pytest.mark.parametrize("name", SEEDED)
def test_byes_come_by_lot(name: str) -> None:
    """Of five bots each has a bye of the first round in about as many contests as any other."""
    byes = Counter(bot for seed in range(TRIES) for bot in {0, 1, 2, 3, 4} - first(made(name, 5, seed), 5))
    expected = TRIES * (1 if name == "swiss" else 3) / 5
    assert all(abs(byes[bot] - expected) < 60 for bot in range(5))


@pytest.mark.parametrize("name", SEEDED)
def test_the_order_may_be_asked_for(name: str) -> None:
    """With `seeding` = order, who enters first is seeded first."""
    assert first(made(name, 5, 1, seeding="order"), 5) == ({0, 1, 2, 3} if name == "swiss" else {3, 4})


@pytest.mark.parametrize("name", SEEDED)
@pytest.mark.parametrize("ratings", ["1,2,3,4,5", "b4=9, b3=8,b2=7.5,b1=-1,b0=-2", {"4": 9, "b3": 8, "b2": 3}])
def test_ratings_seed_by_number_or_name(name: str, ratings: object) -> None:
    """Ratings are given in the order of entering or by name; who has none comes last. The lowest have no bye."""
    for seed in range(5):
        assert first(made(name, 5, seed, ratings=ratings), 5) == ({1, 2, 3, 4} if name == "swiss" else {0, 1}) or (
            name == "swiss" and isinstance(ratings, dict)
        )


@pytest.mark.parametrize("name", ["single-elimination", "double-elimination"])
def test_ties_are_decided_by_lot(name: str) -> None:
    """Two who are level go on about equally often; with ratings the better one does."""

    def winner(seed: int, **options: object) -> int:
        contest = made(name, 2, seed, **options)
        while batch := contest.next(bots(2)):
            contest.take([Result(fixture, (1, 1)) for fixture in batch])
        return contest.standing(bots(2))[0].entrant

    for options in ({}, {"seeding": "order"}):
        assert abs(sum(winner(seed, **options) for seed in range(TRIES)) - TRIES / 2) < 60
    assert {winner(seed, ratings="1,2") for seed in range(9)} == {1}


def test_each_batch_has_lots_of_its_own() -> None:
    """Who had luck in one batch's tie has none by that in the next: over batches both go on about equally often."""
    seeding = Seeding(Terms("single-elimination", (2, 2), 1, 7, 2, {"ratings": (), "seeding": "lot"}))
    on = Counter(min((0, 1), key=lambda bot: seeding.tie(batch, bot)) for batch in range(TRIES))
    assert abs(on[0] - TRIES / 2) < 60


def test_a_lot_does_not_depend_on_who_joins() -> None:
    """A bot that joins a Swiss system leaves the pairs of the others as they were drawn."""
    late = (*bots(6), entrant(6, "late", since=1))
    assert made("swiss", 6, 3).next(late) == made("swiss", 6, 3).next(bots(6))


@pytest.mark.parametrize(
    ("options", "key"),
    [
        ({"seeding": "rating"}, "format-seeding-ratings"),
        ({"seeding": "lot", "ratings": "1,2"}, "format-seeding-idle"),
        ({"ratings": "1,2,3"}, "format-ratings"),
        ({"ratings": "nan,1"}, "format-option-value"),
        ({"ratings": "nobody=3"}, "format-no-bot"),
        ({"seeding": "lots"}, "format-option-value"),
    ],
)
def test_what_does_not_fit_is_refused(options: dict[str, object], key: str) -> None:
    """Ratings that are missing, idle, too many, no numbers, or of nobody are the operator's mistakes."""
    with pytest.raises(OperatorError) as caught:
        made("single-elimination", 2, 1, **options).enter(bots(2))
    assert caught.value.key == key
