"""Ratings that follow results: order, new versions, and the scale they are shown on."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from openskill.models import PlackettLuce

from dohyo.core.contest import Result, faults_last
from dohyo.series.ratings.ladder_ratings import BETA, CENTRE, MU, POINTS, SIGMA, LadderRating, LadderRatings, after
from dohyo.series.sequential import expected
from tests.series.formats.contests import entrant
from tests.series.ratings.truths import drawn_results, played


def rows(matches: int, bots: int = 6) -> tuple[np.ndarray, list[Result]]:
    """A truth, and four-seat results drawn from it."""
    random = np.random.default_rng(11)
    truth = random.normal(0, 1, bots)
    results = drawn_results(truth, matches, random, each=1)
    pairs = zip(results.seats.tolist(), results.places.tolist(), strict=True)
    return truth, [played(tuple(seats), tuple(places), at, at) for at, (seats, places) in enumerate(pairs)]


def all_of(ladder: LadderRatings, bots: int = 6) -> list[LadderRating]:
    """The ratings of entrants 0 and up."""
    return [ladder.of(number) for number in range(bots)]


def test_a_fold_over_results() -> None:
    """Taken at once, one by one, or with looks in between, the same results give the same ratings."""
    _, results = rows(60)
    at_once, one_by_one = LadderRatings(), LadderRatings()
    at_once.take(results)
    for result in results:
        one_by_one.take([result])
        one_by_one.of(3)
        one_by_one.of(77)
    assert all_of(at_once) == all_of(one_by_one)
    assert sum(rating.seats for rating in all_of(at_once)) == 240


def test_a_seed_counts_once() -> None:
    """Matches of a seed that come out alike change ratings as one of them does, and no less is unknown after them."""
    once, again, each_alone = LadderRatings(), LadderRatings(), LadderRatings()
    once.take([played((0, 1), (1, 2))])
    matches = [played((0, 1), (1, 2), 0), played((1, 0), (2, 1), 1), played((0, 1), (1, 2), 2)]
    again.take(matches)
    for match in matches:
        each_alone.take([match])
    assert [(each.mu, each.sigma) for each in all_of(again, 2)] == [
        pytest.approx((each.mu, each.sigma)) for each in all_of(once, 2)
    ]
    assert again.of(0).seats == 3
    assert each_alone.of(0).mu > again.of(0).mu
    assert each_alone.of(0).sigma < again.of(0).sigma


@given(st.lists(st.tuples(st.floats(0, 50), st.floats(0.5, 9), st.integers(1, 4)), min_size=2, max_size=6))
def test_a_match_changes_them_as_openskill_does(drawn: list[tuple[float, float, int]]) -> None:
    """Of any seats and places, shared ones too, the ratings after a match are openskill's."""
    model = PlackettLuce(mu=MU, sigma=SIGMA, beta=BETA)
    theirs = model.rate(
        [[model.rating(mu=mu, sigma=sigma)] for mu, sigma, _ in drawn], ranks=[float(place) for *_, place in drawn]
    )
    places = [1 + sum(other < place for *_, other in drawn) for *_, place in drawn]
    own = after([LadderRating(mu, sigma) for mu, sigma, _ in drawn], places)
    for found, (wanted,) in zip(own, theirs, strict=True):
        assert (found.mu, found.sigma) == pytest.approx((wanted.mu, wanted.sigma))


def test_the_strong_come_up() -> None:
    """After four hundred matches the ratings stand in the order of the truth, each surer than at first."""
    truth, results = rows(400)
    ladder = LadderRatings()
    ladder.take(results)
    assert np.corrcoef([rating.mu for rating in all_of(ladder)], truth)[0, 1] > 0.95
    assert all(rating.sigma < SIGMA / 3 for rating in all_of(ladder))


def test_the_scale_is_elos() -> None:
    """The newcomer is 1500; two well-known bots win as their difference says by Elo's formula."""
    newcomer = LadderRatings().of(0)
    assert (newcomer.mu, newcomer.sigma, newcomer.elo) == (MU, SIGMA, CENTRE)
    better = LadderRating(MU + 3, 0.0)
    assert better.low == better.elo == better.high
    assert expected(better.elo - CENTRE) == pytest.approx(1 / (1 + np.exp(-3 / (np.sqrt(2) * BETA))))
    assert newcomer.high - newcomer.low == pytest.approx(2 * 1.96 * POINTS * SIGMA, rel=1e-4)


def test_a_shared_place_draws_together() -> None:
    """Equals who share a place stay equal; a weak bot that shares one with a strong bot gains."""
    ladder = LadderRatings()
    ladder.take([played((0, 1), (1, 1))])
    assert ladder.of(0).mu == pytest.approx(ladder.of(1).mu)
    ladder.take([played((0, 1), (1, 2), at, at) for at in range(5)])
    low = ladder.of(1).mu
    ladder.take([played((0, 1), (1, 1))])
    assert ladder.of(1).mu > low


def test_a_place_shared_for_faults_says_nothing_of_who_shares_it() -> None:
    """Where all had a fault, means stay; who lost to a third falls, and the weak one gains nothing by company."""
    ladder = LadderRatings()
    ladder.take([played((0, 1), (1, 2), at, at) for at in range(5)])
    before = [ladder.of(number).mu for number in range(2)]
    ladder.take([played((0, 1), faults_last((1, 1), (("exited",), ("timeout",))), 5, 5)])
    assert [ladder.of(number).mu for number in range(2)] == before
    ladder.take([played((0, 1, 2), faults_last((1, 2, 3), (("exited",), ("timeout",), ())), 6, 6)])
    assert all(ladder.of(number).mu < mu for number, mu in enumerate(before))
    assert ladder.of(2).mu > MU


def test_a_new_version_starts_where_the_old_one_stands() -> None:
    """It has the mean of its predecessor when it first plays, and the deviation of an unknown bot."""
    _, results = rows(60)
    ladder = LadderRatings([entrant(number, f"bot {number}") for number in range(6)])
    ladder.take(results)
    old = ladder.of(2)
    ladder.enter([entrant(6, "bot 2", since=9, follows=2), entrant(7, "bot 2", since=9, follows=6)])
    assert ladder.of(6) == ladder.of(7) == LadderRating(old.mu, SIGMA)
    ladder.take([played((2, 0), (1, 2))])
    later = ladder.of(2).mu
    assert ladder.of(6).mu == later != old.mu
    ladder.take([played((6, 0), (2, 1))])
    assert ladder.of(6).mu < later
    assert ladder.of(6).sigma < SIGMA
    assert ladder.of(2).mu == later
    assert ladder.of(7).mu == ladder.of(6).mu


def test_a_bot_on_several_seats() -> None:
    """Against itself alone nothing is learnt; beside others its seats count together, once."""
    ladder = LadderRatings()
    ladder.take([played((4, 4), (1, 2))])
    assert ladder.of(4) == LadderRating(MU, SIGMA)
    ladder.take([played((4, 4, 5), (1, 2, 3))])
    assert ladder.of(4).mu > MU > ladder.of(5).mu
    assert ladder.of(4).seats == 2
