"""The test of `dohyo compare`: error rates, what it does with little, and what it is fed with."""

from __future__ import annotations

import itertools
import math
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy import optimize

from dohyo.core.errors import OperatorError
from dohyo.series.sequential import (
    Bets,
    Comparison,
    Hypotheses,
    cluster_scores,
    estimate,
    expected,
    match_score,
    pentanomial,
    share,
)
from tests.series.ratings.truths import played

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
    """Draws what pairs score, with shares tilted until their mean is that of `elo` points."""

    chosen = tilted(shares, elo)
    return lambda count, random: np.asarray(random.choice(PAIR, size=count, p=chosen))


def tilted(shares: list[float], elo: float) -> np.ndarray:
    """The shares of pairs, tilted until their mean is that of `elo` points."""

    def weighed(tilt: float) -> np.ndarray:
        weight = np.array(shares) * np.exp(tilt * PAIR)
        return np.asarray(weight / weight.sum())

    return weighed(optimize.brentq(lambda tilt: weighed(tilt) @ PAIR - expected(elo), -60, 60))


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


@pytest.mark.parametrize("kind", PAIRS)
@pytest.mark.parametrize(("claimed", "aimed"), [(0, 10), (-30, 0), (150, 500)])
def test_bets_are_fair_where_the_claim_is_true(kind: str, claimed: int, aimed: int) -> None:
    """Over all sequences of five pairs whose mean is the claimed one, the stake stays what it was, on average.

    That is all that the bound on errors needs; where the mean is lower, it shrinks.
    """
    for elo, highest in ((claimed, 1 + 1e-9), (claimed - 60, 0.999)):
        shares, total = tilted(PAIRS[kind], elo), 0.0
        for cells in itertools.product(range(5), repeat=5):
            if likely := math.prod(shares[cell] for cell in cells):
                bets = Bets(expected(claimed), expected(aimed))
                for cell in cells:
                    bets.take(cell / 4)
                total += likely * math.exp(bets.log)
        assert total <= highest
        if elo == claimed:
            assert total == pytest.approx(1, abs=1e-9)


@given(st.lists(st.floats(0, 1), max_size=30), st.floats(-4000, 3999), st.floats(1, 4000))
@example([0.0] * 30, 0, 10)
@example([1.0] * 30, -4000, 4000)
@example([5e-324, 1.0], 0, 4000)
def test_bets_on_any_scores_are_finite(scores: list[float], elo0: float, more: float) -> None:
    """Whatever scores come and whatever Elos are asked for, nothing is lost altogether and all is finite."""
    comparison = Comparison(Hypotheses(elo0, min(4000.0, elo0 + more)))
    verdict = comparison.take(scores)
    assert math.isfinite(verdict.llr)
    assert verdict.more is None or verdict.more >= 0


def test_the_mirror_image_is_told_the_other_way() -> None:
    """Scores turned round, with the Elos turned round, give the opposite decision after as many clusters."""
    scores = np.random.default_rng(4).choice(PAIR, 3000, p=tilted(PAIRS["usual"], 30)).tolist()
    one = Comparison(Hypotheses(0, 40, alpha=0.05, beta=0.1)).take(scores)
    other = Comparison(Hypotheses(-40, 0, alpha=0.1, beta=0.05)).take(1 - score for score in scores)
    assert (other.better, other.clusters) == (not one.better, one.clusters)
    assert other.llr == pytest.approx(-one.llr)


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


def test_the_obvious_is_soon_told_but_not_at_once() -> None:
    """With next to every pair won, ten are enough whatever difference was asked for; the mirror image as well."""
    for elo1 in (1, 10, 50, 400):
        for score, better in ((1.0, True), (0.0, False)):
            comparison = Comparison(Hypotheses(0, elo1))
            verdicts = [comparison.take([score]) for _ in range(20)]
            last = verdicts[-1]
            assert last.better is better
            assert (2 if elo1 == 400 else 4) < last.clusters <= 10  # 400 better, and three pairs lost?
            known, open_end = (last.elo_low, last.elo_high) if better else (last.elo_high, last.elo_low)
            assert all(map(math.isfinite, (known, last.llr)))
            assert last.elo == open_end == (math.inf if better else -math.inf)  # how much better, nothing says
            assert (last.los > 0.99) is better
    assert Comparison(Hypotheses()).take([0.5, 0.5, *[1.0] * 20]).clusters <= 12  # 207-0-1 took 208 matches once


def test_without_any_difference_it_is_not_better() -> None:
    """Where every pair is even, as between two copies of one bot, the test ends with not better; but not at once."""
    verdict = Comparison(Hypotheses()).take([0.5] * 5000)
    assert verdict.better is False
    assert verdict.clusters < 300
    assert verdict.elo == pytest.approx(0)
    assert verdict.los == pytest.approx(0.5)
    assert verdict.elo_low < 0 < verdict.elo_high
    assert Comparison(Hypotheses(0, 60)).take([0.5] * 15).better is None


def test_it_says_how_much_is_still_to_come() -> None:
    """After ten clusters the number still needed is told, and it is about right where scores go on as they were."""
    random = np.random.default_rng(9)
    missed = []
    for _ in range(20):
        comparison = Comparison(Hypotheses())
        scores = pairs(PAIRS["usual"], 60)(2000, random).tolist()
        verdict = comparison.take(scores[:40])
        if verdict.more is not None:
            end = comparison.take(scores[40:]).clusters
            missed.append(math.log((verdict.clusters + verdict.more) / end))
    assert len(missed) > 10
    assert abs(np.median(missed)) < math.log(2)
    assert Comparison(Hypotheses()).take([0.5] * 9).more is None
    assert Comparison(Hypotheses()).take([1.0] * 20).more is None


def test_a_share_has_an_interval() -> None:
    """The mean score is the observed one; its interval holds it, and is wide when little is known."""
    assert share({}) == (0.5, 0.0, 1.0)
    seen, low, high = share({1.0: 3})
    assert (seen, high) == (1, 1)
    assert 0.3 < low < 0.9
    seen, low, high = share({0.5: 5000, 1.0: 5000})
    assert (low, high) == pytest.approx((0.745, 0.755), abs=1e-3)


def binomial_interval(won: int, matches: int) -> tuple[float, float]:
    """Of so many matches on a seat, none drawn, the ends of the score's interval."""
    return share({score: count for score, count in ((1.0, won), (0.0, matches - won)) if count})[1:]


@pytest.mark.parametrize("matches", [10, 20, 40])
def test_a_shares_interval_holds_the_truth_as_often_as_it_says(matches: int) -> None:
    """Of matches won or lost, whatever the truth from 15 to 85 %: 95 in 100 on average, nowhere below 91."""
    ends = [binomial_interval(won, matches) for won in range(matches + 1)]
    held = []
    for chance in np.linspace(0.15, 0.85, 141).tolist():
        each = [math.comb(matches, won) * chance**won * (1 - chance) ** (matches - won) for won in range(matches + 1)]
        held.append(math.fsum(p for p, (low, high) in zip(each, ends, strict=True) if low <= chance <= high))
    assert min(held) > 0.915
    assert 0.94 < np.mean(held) < 0.97
    assert binomial_interval(1, 10) == pytest.approx((0.018, 0.404), abs=1e-3)  # as the literature has it


@pytest.mark.parametrize("clusters", [1, 2, 8, 9, 40, 2000])
def test_where_one_side_scored_all_only_one_end_is_known(clusters: int) -> None:
    """The Elo is infinite, the known end is that of a bot that does so in 5 % of all tries; both ways are alike."""
    elo, low, high, los = estimate({1.0: clusters, 0.5: 0})
    assert (elo, high) == (math.inf, math.inf)
    assert expected(low) ** clusters == pytest.approx(0.05)
    assert share({1.0: clusters}) == pytest.approx((1.0, expected(low), 1.0))
    lost = estimate({0.0: clusters})
    assert lost[:3] == pytest.approx((-math.inf, -math.inf, -low))
    assert lost[3] == pytest.approx(1 - los)


@given(st.dictionaries(st.sampled_from(PAIR.tolist()), st.integers(0, 30)))
@example({1.0: 9})
@example({0.75: 30, 1.0: 1})
def test_nothing_is_surer_than_so_many_clusters_can_show(counts: dict[float, int]) -> None:
    """Whatever the scores, the likelihood of superiority is no nearer to 0 or 1 than that of clusters all won."""
    *_, los = estimate(counts)
    assert 0.5 ** (sum(counts.values()) + 1) <= los <= 1 - 0.5 ** (sum(counts.values()) + 1)


def test_nothing_played_is_nothing_known() -> None:
    """Before the first cluster there is no decision, the interval is wide, and everything finite."""
    verdict = Comparison(Hypotheses()).verdict()
    assert (verdict.clusters, verdict.better, verdict.llr, verdict.elo, verdict.los) == (0, None, 0, 0, 0.5)
    assert (verdict.lower, verdict.upper) == pytest.approx((-2.996, 2.996), abs=1e-3)
    assert verdict.elo_high > 300


def test_without_hypotheses_nothing_is_decided() -> None:
    """There is the same estimate as of a test, and no bound that any number of clusters could reach."""
    scores = [1.0] * 2000
    verdict = Comparison(None).take(scores)
    assert (verdict.clusters, verdict.better, verdict.llr, verdict.more) == (2000, None, 0, None)
    assert (verdict.lower, verdict.upper) == (-math.inf, math.inf)
    few = Comparison(None).take(scores[:3])
    tested = Comparison(Hypotheses()).take(scores[:3])
    assert (few.elo, few.elo_low, few.elo_high, few.los) == (tested.elo, tested.elo_low, tested.elo_high, tested.los)


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


@pytest.mark.process
def test_it_needs_no_library() -> None:
    """A comparison works where NumPy, SciPy and openskill are not installed."""
    program = """
import sys
sys.modules.update(dict.fromkeys(("numpy", "scipy", "openskill")))
import dohyo.series.compare_folder, dohyo.terminal.compare_kept
from dohyo.series.compare import Trial
from dohyo.series.sequential import Comparison, Hypotheses
print(Comparison(Hypotheses()).take([1.0] * 20).better)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"
