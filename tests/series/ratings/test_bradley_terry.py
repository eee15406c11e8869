"""The fit of strengths: against the likelihood written out, against choix, by symmetries, and by a pair's odds."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special

from dohyo.series.ratings import plain
from dohyo.series.ratings.arrays import ArrayReckoner
from dohyo.series.ratings.bradley_terry import fit
from dohyo.series.ratings.meetings import Matches, checked, matches_of, rows_of
from dohyo.series.ratings.plain import PlainReckoner
from tests.series.ratings.truths import Drawn, drawn_places, drawn_results, duels, played, ranked

BOTS = 5

# Small contests with every kind of match: two to five seats, ties of any size, a bot against itself.
matches = st.lists(
    st.integers(2, 5).flatmap(
        lambda width: st.tuples(
            st.lists(st.integers(0, BOTS - 1), min_size=width, max_size=width),
            st.lists(st.integers(1, 4), min_size=width, max_size=width),
            st.integers(0, 3),
        )
    ),
    min_size=1,
    max_size=12,
)


def results_of(rows: list[tuple[list[int], list[int], int]]) -> list[Matches]:
    """The drawn matches."""
    return matches_of(played(tuple(seats), tuple(places), seed=seed) for seats, places, seed in rows)


def fitted(results: list[Matches], entrants: int = BOTS, prior: float = 0.5) -> tuple[np.ndarray, float]:
    """The strengths and log delta (-inf without ties) with a prior of that weight."""
    found = fit(ArrayReckoner(results, entrants), prior)
    return np.array(found.theta), found.log_delta


def by_the_book(results: list[Matches], theta: np.ndarray, log_delta: float, prior: float) -> float:
    """The logarithm of composite likelihood and prior, pair by pair."""
    total = prior * (theta - 2 * np.logaddexp(theta, 0)).sum()
    if np.isfinite(log_delta):
        total += prior * (log_delta - 2 * np.logaddexp(log_delta, np.log(2)))
    for block in results:
        for _, seats, places in rows_of(block):
            for (place, one), (its, other) in itertools.combinations(zip(places, seats, strict=True), 2):
                half = (theta[one] - theta[other]) / 2
                what = half if place < its else -half if place > its else log_delta
                if one != other and (place != its or place <= 1 + sum(each < place for each in places)):
                    total += 3 / (len(seats) + 1) * (what - np.logaddexp.reduce([half, -half, log_delta]))
    return float(total)


@given(matches)
def test_plain_python_is_as_numpy(rows: list[tuple[list[int], list[int], int]]) -> None:
    """The fit's strengths are the same to 1e-9 without NumPy."""
    own, theirs = (fit(kind(results_of(rows), BOTS)) for kind in (PlainReckoner, ArrayReckoner))
    assert own.theta == pytest.approx(theirs.theta, rel=0, abs=1e-9)
    assert own.log_delta == pytest.approx(theirs.log_delta, rel=0, abs=1e-9)


def test_a_fit_without_numpy_takes_few_factors(monkeypatch: pytest.MonkeyPatch) -> None:
    """With many bots nearly all the time goes into factors of the curvature: one serves several steps."""
    made: list[int] = []
    factor = plain._cholesky
    monkeypatch.setattr(plain, "_cholesky", lambda matrix: made.append(len(matrix)) or factor(matrix))
    strengths = np.random.default_rng(3).normal(0, 1, 40)
    results = drawn_results(strengths, 400, np.random.default_rng(4)).matches()
    newton, step = [], ArrayReckoner.step
    monkeypatch.setattr(ArrayReckoner, "step", lambda *given: newton.append(1) or step(*given))
    own, theirs = (fit(kind(results, 40)) for kind in (PlainReckoner, ArrayReckoner))
    assert own.theta == pytest.approx(theirs.theta, rel=0, abs=1e-9)
    assert len(made) < len(newton)


@given(matches)
def test_nothing_is_likelier_than_the_fit(rows: list[tuple[list[int], list[int], int]]) -> None:
    """By the likelihood written out pair by pair, any step away from the fit is a step down."""
    results = results_of(rows)
    theta, log_delta = fitted(results)
    at_best = by_the_book(results, theta, log_delta, 0.5)
    for at, step in itertools.product(range(BOTS + bool(np.isfinite(log_delta))), (-1e-3, 1e-3)):
        there = np.append(theta, log_delta)
        there[at] += step
        assert by_the_book(results, there[:BOTS], there[BOTS], 0.5) < at_best


@given(matches, st.randoms(use_true_random=False))
def test_order_means_nothing(rows: list[tuple[list[int], list[int], int]], random: object) -> None:
    """Matches in another order, and seats in another order, give the same numbers to the last bit."""
    shuffled = []
    for seats, places, seed in rows:
        order = list(range(len(seats)))
        random.shuffle(order)  # type: ignore[attr-defined]
        shuffled.append(([seats[at] for at in order], [places[at] for at in order], seed))
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    before, after = fitted(results_of(rows)), fitted(results_of(shuffled))
    assert (before[0] == after[0]).all()
    assert before[1] == after[1]


@given(matches, st.permutations(range(BOTS)))
def test_names_mean_nothing(rows: list[tuple[list[int], list[int], int]], names: list[int]) -> None:
    """Who is called by another's number has the other's strength."""
    renamed = [([names[seat] for seat in seats], places, seed) for seats, places, seed in rows]
    before, after = fitted(results_of(rows)), fitted(results_of(renamed))
    assert after[0][names] == pytest.approx(before[0], abs=1e-7)


@given(
    st.lists(st.permutations(range(BOTS)), min_size=1, max_size=10),
    st.integers(2, BOTS),
    st.permutations(range(BOTS)),
)
def test_a_win_never_hurts(orders: list[list[int]], width: int, pair: list[int]) -> None:
    """Without ties, one more won duel lowers the winner against nobody, nor against the mean."""
    winner, loser = pair[:2]
    rows = [(order[:width], list(range(1, width + 1)), 0) for order in orders]
    before = fitted(results_of(rows))[0]
    after = fitted(results_of([*rows, ([winner, loser], [1, 2], 0)]))[0]
    assert (after[winner] - after >= before[winner] - before - 1e-7).all()
    assert after[winner] - after[loser] > before[winner] - before[loser]


@given(matches)
def test_turned_results_turn_strengths(rows: list[tuple[list[int], list[int], int]]) -> None:
    """A last place tells as much as a first one, with any number of seats, ties or not."""
    known = [(seats, ranked(places), seed) for seats, places, seed in rows]
    turned = [(seats, ranked([-place for place in places]), seed) for seats, places, seed in rows]
    assert fitted(results_of(turned))[0] == pytest.approx(-fitted(results_of(known))[0], abs=1e-7)


@pytest.mark.parametrize("width", [2, 4])
def test_pairs_as_choix_fits_them(width: int) -> None:
    """With the prior all but gone, the pairs of matches give choix's strengths."""
    import choix  # which takes half a second, in each worker that reads this file

    random = np.random.default_rng(1)
    results = drawn_results(random.normal(0, 1, 12), 600, random, width=width)
    rankings = np.take_along_axis(results.seats, results.places.argsort(axis=1), axis=1)
    pairs = np.concatenate([rankings[:, [one, other]] for one, other in itertools.combinations(range(width), 2)])
    found, _ = fitted(results.matches(), 12, prior=1e-7)
    theirs = choix.opt_pairwise(12, pairs, alpha=1e-9)
    assert found - found.mean() == pytest.approx(theirs - theirs.mean(), abs=1e-4)


def test_davidsons_ties() -> None:
    """For two bots, ties are as common as Davidson's formula says, and so are wins."""
    rows = [*duels((0, 1, 50), (1, 0, 20)), *(played((0, 1), (1, 1), seed=900 + at) for at in range(30))]
    theta, log_delta = fitted(matches_of(rows), 2, prior=1e-7)
    first, second = np.exp(theta)
    tie = np.exp(log_delta) * np.sqrt(first * second)
    assert np.array([first, second, tie]) / (first + second + tie) == pytest.approx([0.5, 0.2, 0.3], abs=1e-5)


def test_the_truth_is_found() -> None:
    """Ten thousand matches of four seats give back the strengths that they were drawn from; duels with ties too."""
    random = np.random.default_rng(3)
    truth = random.normal(0, 1, 10)
    found, _ = fitted(drawn_results(truth, 10_000, random, each=1).matches(), 10)
    assert found - found.mean() == pytest.approx(truth - truth.mean(), abs=0.1)
    found, log_delta = fitted(
        drawn_results(truth, 20_000, random, each=1, width=2, log_delta={2: -1.0}).matches(), 10
    )
    assert found - found.mean() == pytest.approx(truth - truth.mean(), abs=0.15)
    assert log_delta == pytest.approx(-1.0, abs=0.1)


def test_a_difference_is_the_odds_of_a_pair() -> None:
    """With normal luck, which the model lacks, matches of two, four and eight tell the same odds of a pair."""
    random = np.random.default_rng(8)
    truth = np.linspace(-1.5, 1.5, 8)
    found = {}
    for width, matches in ((2, 100_000), (4, 40_000), (8, 30_000)):
        tables = random.permuted(np.tile(np.arange(8), (matches, 1)), axis=1)[:, :width]
        luck = random.normal(0, 1.702 / np.sqrt(2), tables.shape)
        places = np.argsort(np.argsort(-(truth[tables] + luck), axis=1), axis=1)
        found[width], _ = fitted(Drawn(tables, places, np.arange(matches)).matches(), 8)
    assert found[4] == pytest.approx(found[2], abs=0.06)
    assert found[8] == pytest.approx(found[2], abs=0.06)
    odds = special.ndtr(np.subtract.outer(truth, truth) / 1.702)
    assert special.expit(np.subtract.outer(found[8], found[8])) == pytest.approx(odds, abs=0.015)


def test_many_ties_come_to_an_end() -> None:
    """Where most places are shared, in wide matches, nothing is likelier than the fit."""
    random = np.random.default_rng(1)
    truth = np.linspace(-4, 4, 16)
    tables = random.permuted(np.tile(np.arange(16), (500, 1)), axis=1)[:, :12]
    drawn = -np.round((truth[tables] + random.normal(0, 0.3, tables.shape)) / 4)
    places = np.array([ranked(row) for row in drawn.tolist()])
    reckoner = ArrayReckoner(Drawn(tables, places, np.arange(500)).matches(), 16)
    found = fit(reckoner)
    assert np.abs(reckoner.step([*found.theta, found.log_delta], 0.5)).max() < 1e-7


def test_who_never_lost_is_finite() -> None:
    """Bots that won all or lost all, also by the thousand, and matches that all were ties, give finite numbers."""
    for rows in (duels((0, 1, 1)), duels((0, 1, 5000)), [played((0, 1, 2), (1, 1, 1), seed=at) for at in range(99)]):
        theta, log_delta = fitted(matches_of(rows), 3)
        assert np.isfinite(theta).all()
        assert log_delta < 12
        assert np.abs(theta).max() < 12
    assert fitted(matches_of(duels((0, 1, 9))), 2)[0][0] > fitted(matches_of(duels((0, 1, 3))), 2)[0][0] > 0


def test_a_match_counts_for_less_than_its_pairs() -> None:
    """A match of four seats tells less than the duels of all pairs, and a bot's own seats nothing of each other."""
    wide, alone = [played((0, 1, 2, 3), (1, 2, 3, 4))], duels(*((a, b, 1) for a in range(4) for b in range(a + 1, 4)))
    assert fitted(matches_of(wide), 4)[0][0] < fitted(matches_of(alone), 4)[0][0]
    assert fitted(matches_of([played((0, 0), (1, 2))]), 2)[0].tolist() == [0, 0]


def test_a_wide_match() -> None:
    """Forty seats with shared places are fitted too: the strong stand before the weak."""
    random = np.random.default_rng(5)
    truth = np.linspace(-2, 2, 40)
    order = np.argsort(-(truth + random.gumbel(size=(60, 40))), axis=1).argsort(axis=1)
    results = Drawn(np.tile(np.arange(40), (60, 1)), 1 + order // 3, np.arange(60))
    assert np.corrcoef(fitted(results.matches(), 40)[0], truth)[0, 1] > 0.97


def test_matches_that_do_not_fit_are_refused() -> None:
    """A seat held by nobody's number, and places that are missing, are errors."""
    with pytest.raises(ValueError, match="not one of 2"):
        checked(matches_of(duels((0, 2, 1))), 2)
    with pytest.raises(ValueError, match="as many places"):
        checked([Matches(2, [0, 1], [1], [7])], 2)


def test_truths_are_drawn_as_the_model_says() -> None:
    """The tests' own draws have the model's probabilities: three equals, a tie of two half as likely as a win."""
    random = np.random.default_rng(6)
    places = drawn_places(np.zeros(3), {2: np.log(0.5)}, np.tile(np.arange(3), (30_000, 1)), random)
    alone = ((places == 1).sum(axis=1) == 1).mean()
    assert alone == pytest.approx(1 / 1.5, abs=0.01)
    assert {tuple(row) for row in np.sort(places, axis=1).tolist()} == {(1, 2, 3), (1, 1, 3), (1, 2, 2)}
