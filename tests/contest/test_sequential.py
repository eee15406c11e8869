"""The test of `dohyo compare`: error rates, what it does with little, and what it is fed with."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize

from dohyo.contest.sequential import (
    ADDED,
    Comparison,
    Hypotheses,
    cluster_scores,
    estimate,
    expected,
    log_likelihood_ratio,
    match_score,
    pentanomial,
)
from dohyo.core.errors import OperatorError
from tests.contest.truths import drawn_places, played

PAIR = np.linspace(0, 1, 5)
# How the pairs of two equal bots come out: in a game where seats matter little, where the first seat nearly always
# wins, where one seed decides both matches, and where next to everything is a draw.
PAIRS = {
    "usual": [0.05, 0.2, 0.5, 0.2, 0.05],
    "first seat wins": [0.02, 0.03, 0.9, 0.03, 0.02],
    "all or nothing": [0.5, 0, 0, 0, 0.5],
    "drawn": [0.005, 0.07, 0.85, 0.07, 0.005],
}

Draw = Callable[[int, np.random.Generator], np.ndarray]


def pairs(shares: list[float], elo: float) -> Draw:
    """Draws how many quarters pairs score, with shares tilted until their mean is that of `elo` points."""

    def tilted(tilt: float) -> np.ndarray:
        weight = np.array(shares) * np.exp(tilt * PAIR)
        return weight / weight.sum()

    tilt = optimize.brentq(lambda tilt: tilted(tilt) @ PAIR - expected(elo), -60, 60)
    return lambda count, random: random.choice(5, size=count, p=tilted(tilt))


def tables_of_four(elo: float) -> Draw:
    """Draws what clusters of four matches score, the candidate in each seat once, in parts of 12.

    The candidate is `elo` points better than three equal ones; half of a seed's matches go as its first.
    """
    strengths = np.array([elo * math.log(10) / 400, 0.0])

    def draw(count: int, random: np.random.Generator) -> np.ndarray:
        places = drawn_places(strengths, {}, np.tile([0, 1, 1, 1], (4 * count, 1)), random)[:, 0].reshape(count, 4)
        places = np.where(random.random((count, 4)) < 0.5, places[:, :1], places)
        return (4 - places).sum(axis=1)

    return draw


def share_called_better(draw: Draw, cells: int, hypotheses: Hypotheses, tests: int) -> float:
    """How many of so many tests, run side by side to their ends, call the candidate better."""
    random = np.random.default_rng(21)
    values = np.linspace(0, 1, cells)
    counts = np.zeros((tests, cells))
    better = 0
    while len(counts):
        counts[np.arange(len(counts)), draw(len(counts), random)] += 1
        llr = log_likelihood_ratio(values, counts, expected(hypotheses.elo0), expected(hypotheses.elo1))
        better += int((llr >= hypotheses.upper).sum())
        counts = counts[(llr > hypotheses.lower) & (llr < hypotheses.upper)]
    return better / tests


def within(errors: float, rate: float, tests: int) -> bool:
    """Whether that share of errors may come of a rate no greater than `rate`: three standard errors for chance."""
    return errors <= rate + 3 * math.sqrt(rate * (1 - rate) / tests)


@pytest.mark.parametrize("kind", PAIRS)
def test_errors_of_pairs_are_within_alpha_and_beta(kind: str, full: bool) -> None:
    """For two seats neither hypothesis is taken wrongly more often than was asked for."""
    tests = 10_000 if full else 1500
    for elo1 in (40, 120) if full else (80,):
        hypotheses = Hypotheses(0, elo1, alpha=0.05, beta=0.1)
        wrong = share_called_better(pairs(PAIRS[kind], 0), 5, hypotheses, tests)
        missed = 1 - share_called_better(pairs(PAIRS[kind], elo1), 5, hypotheses, tests)
        assert within(wrong, 0.05, tests), (elo1, wrong)
        assert within(missed, 0.1, tests), (elo1, missed)


def test_errors_at_four_seats_are_within_alpha_and_beta(full: bool) -> None:
    """For four seats neither: bots of a Plackett-Luce model, all seats of a seed alike."""
    tests = 10_000 if full else 1000
    for elo1 in (40, 120) if full else (100,):
        hypotheses = Hypotheses(0, elo1, alpha=0.1, beta=0.05)
        wrong = share_called_better(tables_of_four(0), 13, hypotheses, tests)
        missed = 1 - share_called_better(tables_of_four(elo1), 13, hypotheses, tests)
        assert within(wrong, 0.1, tests), (elo1, wrong)
        assert within(missed, 0.05, tests), (elo1, missed)


@given(st.lists(st.integers(0, 300), min_size=5, max_size=5), st.floats(-300, 300), st.floats(1, 300))
def test_the_ratio_is_of_the_most_likely_distributions(seen: list[int], elo0: float, more: float) -> None:
    """It equals what a general search finds for the likeliest distributions of either mean."""
    counts = np.array(seen, dtype=float)
    weighed = counts + np.array([ADDED, 0, 0, 0, ADDED])
    logs = []
    for elo in (elo0, elo0 + more):
        away = PAIR - expected(elo)
        # Owen's dual: the same maximum as the least of a convex function of one number.
        found = optimize.minimize_scalar(
            lambda m, away=away: -(weighed * np.log(np.maximum(1 + m * away, 1e-300))).sum(),
            bounds=(-1 / away[-1], -1 / away[0]),
            method="bounded",
            options={"xatol": 1e-12},
        )
        logs.append(found.fun)
    llr = float(log_likelihood_ratio(PAIR, counts, expected(elo0), expected(elo0 + more)))
    assert llr == pytest.approx(logs[1] - logs[0], abs=1e-4 * (1 + counts.sum()))


def test_the_ratio_by_a_list_of_all_distributions() -> None:
    """For three scores, where a distribution of known mean has one number free, all of them can be tried."""
    values, counts = np.array([0, 0.5, 1]), np.array([10.0, 25, 16])
    logs = []
    for score in (expected(0), expected(30)):
        half = np.linspace(0, 2 * min(score, 1 - score), 2_000_001)[1:-1]
        won = score - half / 2
        weighed = counts + np.array([ADDED, 0, ADDED])
        logs.append((weighed @ np.log([1 - half - won, half, won])).max())
    assert log_likelihood_ratio(values, counts, expected(0), expected(30)) == pytest.approx(
        logs[1] - logs[0], abs=1e-6
    )


def test_all_won_is_soon_better_but_not_at_once() -> None:
    """With every pair won the test ends with better, after more than a handful; the mirror image the other way."""
    for score, better in ((1.0, True), (0.0, False)):
        comparison = Comparison(Hypotheses(0, 50))
        verdicts = [comparison.take([score]) for _ in range(100)]
        assert [verdict.better for verdict in verdicts[:5]] == [None] * 5
        last = verdicts[-1]
        assert last.better is better
        assert 5 < last.clusters < 60
        assert all(map(math.isfinite, (last.elo, last.elo_low, last.elo_high, last.llr)))
        assert (last.los > 0.99) is better


def test_without_any_difference_the_baseline_is_taken() -> None:
    """Where every pair is even, as between two copies of one bot, the test ends with elo0."""
    verdict = Comparison(Hypotheses()).take([0.5] * 5000)
    assert verdict.better is False
    assert verdict.clusters < 500
    assert verdict.elo == pytest.approx(0)
    assert verdict.los == pytest.approx(0.5)
    assert verdict.elo_low < 0 < verdict.elo_high
    # The quarter of a cluster at either end: a few that happen to agree do not decide.
    assert Comparison(Hypotheses(0, 60)).take([0.5] * 18).better is None


def test_nothing_played_is_nothing_known() -> None:
    """Before the first cluster there is no decision, the interval is wide, and everything finite."""
    verdict = Comparison(Hypotheses()).verdict()
    assert (verdict.clusters, verdict.better, verdict.llr, verdict.elo, verdict.los) == (0, None, 0, 0, 0.5)
    assert (verdict.lower, verdict.upper) == pytest.approx((-2.944, 2.944), abs=1e-3)
    assert verdict.elo_high > 300


def test_what_comes_after_the_decision_is_not_looked_at() -> None:
    """However many scores come in at a time, decision, count and Elo are the same."""
    scores = [*np.random.default_rng(5).choice(PAIR, 400, p=pairs_of_a_better_bot()), *[0.0] * 400]
    at_once, by_tens = Comparison(Hypotheses(0, 60)), Comparison(Hypotheses(0, 60))
    first = at_once.take(scores)
    for at in range(0, 800, 10):
        second = by_tens.take(scores[at : at + 10])
    assert first == second
    assert first.better
    assert sum(pentanomial(at_once.counts)) == first.clusters < 400


def pairs_of_a_better_bot() -> list[float]:
    """Shares of pairs by score, for a bot that is some 100 points better."""
    return [0.03, 0.1, 0.42, 0.3, 0.15]


def test_elo_and_its_interval() -> None:
    """Three quarters of the score are 191 points; the interval holds the truth about 95 times of a hundred."""
    assert estimate({0.5: 5000, 1.0: 5000})[0] == pytest.approx(190.8, abs=0.2)
    random = np.random.default_rng(6)
    draw, held = pairs(PAIRS["usual"], 100), 0
    for _ in range(400):
        counts = np.bincount(draw(60, random), minlength=5)
        _, low, high, _ = estimate(dict(zip(PAIR.tolist(), counts.tolist(), strict=True)))
        held += low <= 100 <= high
    assert 0.92 <= held / 400 <= 0.98


def test_a_matchs_score() -> None:
    """It is the share of others that the candidate stands before, half for a shared place, over all its seats."""
    assert match_score((1, 2), (7, 3), 7) == 1
    assert match_score((2, 2, 1, 4), (7, 3, 4, 5), 7) == 0.5
    assert match_score((1, 2, 3, 3), (7, 3, 7, 4), 7) == (1 + 1 + 0 + 0.5) / 4
    for seats in ((3, 4), (7, 7)):
        with pytest.raises(ValueError, match="did not play"):
            match_score((1, 2), seats, 7)


def test_clusters_count_in_the_order_of_their_fixtures() -> None:
    """What is behind the first cluster that lacks results waits, in whatever order results come in."""
    rows = [
        played(seats, (1, 2), number, number // 2)
        for number, seats in enumerate([(0, 1), (1, 0), (0, 1), (0, 1)] * 2)
    ]
    assert list(cluster_scores(rows[::-1], 0, 2)) == [0.5, 1, 0.5, 1]
    assert list(cluster_scores(rows[:5] + rows[6:], 0, 2)) == [0.5, 1]
    assert list(cluster_scores(rows[1:], 0, 2)) == []
    assert list(cluster_scores(rows[2:], 0, 2)) == []
    assert list(cluster_scores([], 0, 2)) == []


@pytest.mark.parametrize("wrong", [{"elo0": 5, "elo1": 5}, {"elo1": math.nan}, {"alpha": 0}, {"beta": 0.5}])
def test_hypotheses_that_are_none_are_refused(wrong: dict[str, float]) -> None:
    """Equal Elos, no numbers, and error rates that no test can have are the operator's mistakes."""
    with pytest.raises(OperatorError, match="--"):
        Hypotheses(**wrong)


def test_a_score_outside_of_its_range_is_an_error() -> None:
    """A cluster's score lies between 0 and 1."""
    with pytest.raises(ValueError, match="not between"):
        Comparison(Hypotheses()).take([1.5])
