"""The test of `dohyo compare`: error rates, what it does with little, and what it is fed with."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterator
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
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
from tests.contest.truths import played

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
TWELFTHS = [round(part / 12, 12) for part in range(13)]  # as the command made them of four seats, once


def pairs(shares: list[float], elo: float) -> Draw:
    """Draws what pairs score, with shares tilted until their mean is that of `elo` points."""

    def tilted(tilt: float) -> np.ndarray:
        weight = np.array(shares) * np.exp(tilt * PAIR)
        return weight / weight.sum()

    tilt = optimize.brentq(lambda tilt: tilted(tilt) @ PAIR - expected(elo), -60, 60)
    return lambda count, random: np.asarray(random.choice(PAIR, size=count, p=tilted(tilt)))


def share_called_better(draw: Draw, hypotheses: Hypotheses, tests: int) -> float:
    """How many of so many tests, each to its end, call the candidate better."""
    random = np.random.default_rng(21)

    def scores() -> Iterator[float]:
        while True:
            yield from draw(50, random).tolist()

    return sum(bool(Comparison(hypotheses).take(scores()).better) for _ in range(tests)) / tests


def within(errors: float, rate: float, tests: int) -> bool:
    """Whether that share of errors may come of a rate no greater than `rate`: three standard errors for chance."""
    return errors <= rate + 3 * math.sqrt(rate * (1 - rate) / tests)


@pytest.mark.parametrize("kind", PAIRS)
def test_errors_of_pairs_are_within_alpha_and_beta(kind: str, full: bool) -> None:
    """For two seats neither hypothesis is taken wrongly more often than was asked for."""
    tests = 3000 if full else 200
    for elo1 in (60, 120) if full else (100,):
        hypotheses = Hypotheses(0, elo1, alpha=0.05, beta=0.1)
        wrong = share_called_better(pairs(PAIRS[kind], 0), hypotheses, tests)
        missed = 1 - share_called_better(pairs(PAIRS[kind], elo1), hypotheses, tests)
        assert within(wrong, 0.05, tests), (elo1, wrong)
        assert within(missed, 0.1, tests), (elo1, missed)


def ratio_by_decimals(counts: Counter[float], score0: float, score1: float) -> float:
    """The ratio by halving in decimals of 40 digits, each probability written out: nothing of the test's own way."""
    with localcontext() as context:
        context.prec = 40
        seen = {Decimal(score): Decimal(count) for score, count in counts.items()}
        for end in (Decimal(0), Decimal(1)):
            seen[end] = seen.get(end, Decimal(0)) + Decimal(ADDED)
        total = sum(seen.values(), Decimal(0))
        logs = []
        for mean in map(Decimal, (score0, score1)):
            low, high = -1 / (1 - mean), 1 / mean
            for _ in range(110):  # a probability is n / (n_all * (1 + m * away)); their sum less 1 tells the side
                middle = (low + high) / 2
                pull = sum(count * (score - mean) / (1 + middle * (score - mean)) for score, count in seen.items())
                low, high = (middle, high) if pull > 0 else (low, middle)
            likely = {score: count / total / (1 + low * (score - mean)) for score, count in seen.items()}
            assert abs(sum(likely.values()) - 1) < Decimal("1e-20")
            assert abs(sum(share * score for score, share in likely.items()) - mean) < Decimal("1e-20")
            logs.append(sum(seen[score] * share.ln() for score, share in likely.items()))
        return float(logs[1] - logs[0])


@pytest.mark.parametrize("cells", [TWELFTHS, [part / 12 for part in range(13)]], ids=["rounded", "exact"])
def test_the_ratio_of_every_small_set_of_scores(cells: list[float], full: bool) -> None:
    """It is right for one to four clusters of four seats, all 2,379 sets of their scores.

    Without `--full`, a twelfth of the sets of four. Newton's method stopped beside a pole in 36 of all, or in 5 where
    the scores were not rounded.
    """
    sets = [chosen for size in range(1, 5) for chosen in itertools.combinations_with_replacement(cells, size)]
    assert len(sets) == 2379
    wrong = []
    for chosen in sets if full else [*sets[:559], *sets[559::12]]:
        llr = log_likelihood_ratio(Counter(chosen), 0.5, expected(50))
        if llr != pytest.approx(ratio_by_decimals(Counter(chosen), 0.5, expected(50)), abs=1e-9):
            wrong.append(chosen)
    assert wrong == []


def test_three_good_clusters_are_not_called_worse() -> None:
    """Scores of 11/12, 11/12 and 10/12 decide nothing against the candidate, rounded or not."""
    for scores in ([0.916666666667, 0.916666666667, 0.833333333333], [11 / 12, 11 / 12, 10 / 12]):
        verdict = Comparison(Hypotheses(0, 50)).take(scores)
        assert verdict.better is None
        assert verdict.llr == pytest.approx(0.384304, abs=1e-6)


@given(
    st.dictionaries(st.floats(0, 1), st.integers(1, 10**6), max_size=12), st.floats(-4000, 3999), st.floats(1, 4000)
)
@example({0.0: 10**6}, 0, 10)
@example({1.0: 10**6}, -4000, 4000)
@example({5e-324: 1, 1.0: 1}, 0, 4000)
def test_the_ratio_of_any_scores(counts: dict[float, int], elo0: float, more: float) -> None:
    """Whatever scores were seen how often, and whatever Elos are asked for, it is what decimals of 40 digits give."""
    means = expected(elo0), expected(min(4000.0, elo0 + more))
    exact = ratio_by_decimals(Counter(counts), *means)
    assert log_likelihood_ratio(counts, *means) == pytest.approx(exact, rel=1e-6, abs=1e-6)


def test_the_ratio_is_of_the_most_likely_distributions() -> None:
    """It equals what a general search among all distributions of either mean finds for the likeliest."""
    random = np.random.default_rng(8)
    for seats in range(2, 9):
        scores = np.arange(1, seats * (seats - 1)) / (seats * (seats - 1))
        chosen = random.choice(scores, 4)
        counts = Counter(chosen.tolist()) + Counter({0.0: ADDED, 1.0: ADDED})
        cells, seen = np.array(sorted(counts)), np.array([counts[score] for score in sorted(counts)])
        logs = []
        for mean in (expected(0), expected(50)):
            # The free parameters are all probabilities; two sums are held.
            found = optimize.minimize(
                lambda shares, seen=seen: -(seen * np.log(shares)).sum(),
                np.full(len(cells), 1 / len(cells)),
                jac=lambda shares, seen=seen: -seen / shares,
                method="SLSQP",
                bounds=[(1e-9, 1)] * len(cells),
                constraints=[
                    {"type": "eq", "fun": lambda shares: shares.sum() - 1},
                    {"type": "eq", "fun": lambda shares, cells=cells, mean=mean: shares @ cells - mean},
                ],
                options={"ftol": 1e-12, "maxiter": 500},
            )
            assert found.success
            logs.append(found.fun)
        llr = log_likelihood_ratio(Counter(chosen.tolist()), expected(0), expected(50))
        assert llr == pytest.approx(logs[0] - logs[1], abs=1e-4), seats


@pytest.mark.parametrize("seats", range(2, 9))
def test_a_clusters_score_is_exact(seats: int) -> None:
    """Of any places, ties too, and any number of baselines it is the fraction that it should be, to the last bit."""
    random = np.random.default_rng(seats)
    for baselines in (1, 3):
        rows, exact = [], Fraction(0)
        for number in range(seats * baselines):
            drawn = random.integers(1, seats + 1, seats).tolist()
            places = tuple(1 + sum(other < one for other in drawn) for one in drawn)
            own = number % seats
            seated = tuple(0 if seat == own else 1 + seat % baselines for seat in range(seats))
            rows.append(played(seated, places, number))
            shares = [(place > places[own]) + Fraction(place == places[own], 2) for place in places]
            exact += (sum(shares) - Fraction(1, 2)) / (seats - 1)
        (score,) = cluster_scores(rows, 0, len(rows))
        assert score == float(exact / len(rows))
        (same,) = cluster_scores(rows[::-1], 0, len(rows))
        assert same == score


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
        _, low, high, _ = estimate(Counter(draw(60, random).tolist()))
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


@pytest.mark.parametrize(
    "wrong",
    [{"elo0": 5, "elo1": 5}, {"elo1": math.nan}, {"elo1": 4001}, {"elo0": -9000}, {"alpha": 0}, {"beta": 0.5}],
)
def test_hypotheses_that_are_none_are_refused(wrong: dict[str, float]) -> None:
    """Equal Elos, no numbers, far too great ones, and impossible error rates are the operator's mistakes."""
    with pytest.raises(OperatorError, match="--"):
        Hypotheses(**wrong)


def test_a_score_outside_of_its_range_is_an_error() -> None:
    """A cluster's score lies between 0 and 1."""
    with pytest.raises(ValueError, match="not between"):
        Comparison(Hypotheses()).take([1.5])
