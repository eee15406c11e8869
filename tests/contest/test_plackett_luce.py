"""The fit of strengths: against the likelihood written out, against choix, and by its symmetries."""

from __future__ import annotations

import itertools

import choix
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dohyo.contest.plackett_luce import Fit, fit, inclusions, usual_prior
from dohyo.contest.results import EMPTY, Results, as_arrays, choices_of
from tests.contest.truths import drawn_places, drawn_results, duels, played

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


def results_of(rows: list[tuple[list[int], list[int], int]]) -> Results:
    """The drawn matches as arrays, with the seed as cluster."""
    return as_arrays([played(tuple(seats), tuple(places), seed=seed) for seats, places, seed in rows])


def fitted(results: Results, entrants: int = BOTS, prior: float = 0.5) -> Fit:
    """The fit with a prior of that weight."""
    choices = choices_of(results, entrants)
    return fit(choices, usual_prior(choices, prior))


def by_the_book(results: Results, theta: np.ndarray, log_delta: dict[int, float], prior: float) -> float:
    """The logarithm of likelihood and prior, with every subset listed."""
    deltas = {1: 0.0, **log_delta}
    total = 0.0
    for seats, places in zip(results.seats, results.places, strict=True):
        left = [(place, seat) for place, seat in zip(places, seats, strict=True) if seat != EMPTY]
        while len(left) > 1:
            chosen = [seat for place, seat in left if place == min(left)[0]]
            everybody = [seat for _, seat in left]
            ways = [
                delta + theta[list(subset)].mean()
                for order, delta in deltas.items()
                for subset in itertools.combinations(everybody, order)
            ]
            total += deltas[len(chosen)] + theta[chosen].mean() - np.logaddexp.reduce(ways)
            left = [one for one in left if one[0] != min(left)[0]]
    total += prior * (theta - 2 * np.logaddexp(theta, 0)).sum()
    return total + sum(prior * (delta - 2 * np.logaddexp(delta, np.log(k))) for k, delta in log_delta.items())


@given(matches)
def test_nothing_is_likelier_than_the_fit(rows: list[tuple[list[int], list[int], int]]) -> None:
    """By the likelihood as the paper writes it, any step away from the fit is a step down."""
    results = results_of(rows)
    found = fitted(results)
    orders = choices_of(results, BOTS).orders
    at_best = by_the_book(results, found.theta, dict(zip(orders, found.log_delta, strict=True)), 0.5)
    point = np.concatenate([found.theta, found.log_delta])
    for at, step in itertools.product(range(len(point)), (-1e-3, 1e-3)):
        there = point.copy()
        there[at] += step
        deltas = dict(zip(orders, there[BOTS:], strict=True))
        assert by_the_book(results, there[:BOTS], deltas, 0.5) < at_best


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
    assert (before.theta == after.theta).all()
    assert (before.log_delta == after.log_delta).all()


@given(matches, st.permutations(range(BOTS)))
def test_names_mean_nothing(rows: list[tuple[list[int], list[int], int]], names: list[int]) -> None:
    """Who is called by another's number has the other's strength."""
    renamed = [([names[seat] for seat in seats], places, seed) for seats, places, seed in rows]
    before, after = fitted(results_of(rows)), fitted(results_of(renamed))
    assert after.theta[names] == pytest.approx(before.theta, abs=1e-7)


@given(
    st.lists(st.permutations(range(BOTS)), min_size=1, max_size=10),
    st.integers(2, BOTS),
    st.permutations(range(BOTS)),
)
def test_a_win_never_hurts(orders: list[list[int]], width: int, pair: list[int]) -> None:
    """Without ties, one more won duel lowers the winner against nobody, nor against the mean."""
    winner, loser = pair[:2]
    rows = [(order[:width], list(range(1, width + 1)), 0) for order in orders]
    before = fitted(results_of(rows)).theta
    after = fitted(results_of([*rows, ([winner, loser], [1, 2], 0)])).theta
    assert (after[winner] - after >= before[winner] - before - 1e-7).all()
    assert after[winner] - after[loser] > before[winner] - before[loser]


@given(matches)
def test_turned_results_turn_a_duels_strengths(rows: list[tuple[list[int], list[int], int]]) -> None:
    """Between two seats, winning is losing read from the other end, ties or not."""
    two = [(seats[:2], places[:2], seed) for seats, places, seed in rows]
    turned = [(seats, places[::-1], seed) for seats, places, seed in two]
    assert fitted(results_of(turned)).theta == pytest.approx(-fitted(results_of(two)).theta, abs=1e-7)


def test_rankings_as_choix_fits_them() -> None:
    """With the prior all but gone, rankings without ties give choix's strengths."""
    random = np.random.default_rng(1)
    results = drawn_results(random.normal(0, 1, 12), 300, random)
    rankings = np.take_along_axis(results.seats, results.places.argsort(axis=1), axis=1)
    found = fitted(results, 12, prior=1e-7).theta
    for theirs in (choix.ilsr_rankings(12, rankings, alpha=1e-9), choix.opt_rankings(12, rankings, alpha=1e-9)):
        assert found - found.mean() == pytest.approx(theirs - theirs.mean(), abs=1e-4)


def test_duels_as_choix_fits_them() -> None:
    """With the prior all but gone, duels give choix's strengths."""
    random = np.random.default_rng(2)
    results = drawn_results(random.normal(0, 1, 12), 600, random, width=2)
    pairs = np.take_along_axis(results.seats, results.places.argsort(axis=1), axis=1)
    found = fitted(results, 12, prior=1e-7).theta
    theirs = choix.ilsr_pairwise(12, pairs, alpha=1e-9)
    assert found - found.mean() == pytest.approx(theirs - theirs.mean(), abs=1e-4)


def test_davidsons_ties() -> None:
    """For two bots, ties are as common as Davidson's formula says, and so are wins."""
    rows = [*duels((0, 1, 50), (1, 0, 20)), *(played((0, 1), (1, 1), seed=900 + at) for at in range(30))]
    found = fitted(as_arrays(rows), 2, prior=1e-7)
    first, second = np.exp(found.theta)
    tie = np.exp(found.log_delta[0]) * np.sqrt(first * second)
    assert np.array([first, second, tie]) / (first + second + tie) == pytest.approx([0.5, 0.2, 0.3], abs=1e-5)


def test_the_truth_is_found() -> None:
    """Ten thousand matches with ties of two and three give back what they were drawn from."""
    random = np.random.default_rng(3)
    truth = random.normal(0, 1, 10)
    results = drawn_results(truth, 10_000, random, each=1, log_delta={2: -1.0, 3: -0.5})
    found = fitted(results, 10)
    assert found.theta - found.theta.mean() == pytest.approx(truth - truth.mean(), abs=0.1)
    assert found.log_delta == pytest.approx([-1.0, -0.5], abs=0.1)


def test_who_never_lost_is_finite() -> None:
    """Bots that won all or lost all, also by the thousand, and matches that all were ties, give finite numbers."""
    for rows in (duels((0, 1, 1)), duels((0, 1, 5000)), [played((0, 1, 2), (1, 1, 1), seed=at) for at in range(99)]):
        found = fitted(as_arrays(rows), 3)
        assert np.isfinite(found.theta).all()
        assert np.isfinite(found.log_delta).all()
        assert np.abs(found.theta).max() < 12
    assert fitted(as_arrays(duels((0, 1, 9))), 2).theta[0] > fitted(as_arrays(duels((0, 1, 3))), 2).theta[0] > 0


def test_weights_are_repetitions() -> None:
    """A cluster of weight 3 counts as three of it."""
    random = np.random.default_rng(4)
    results = drawn_results(random.normal(0, 1, 6), 30, random, log_delta={2: 0.0})
    weights = random.integers(1, 4, 30)
    times = np.repeat(np.arange(60), weights[results.clusters])
    repeated = Results(results.seats[times], results.places[times], results.clusters[times])
    choices = choices_of(results, 6)
    assert fit(choices, weights=weights.astype(float)).theta == pytest.approx(fitted(repeated, 6).theta, abs=1e-7)


def test_inclusions_far_apart() -> None:
    """Where one strength outweighs all others, nothing cancels: the small parts keep their digits."""
    x = np.array([[1e12], [1.0], [1e-6], [2e-6]])
    total, parts = inclusions(x, 3)
    ways = list(itertools.combinations(range(4), 3))
    products = np.array([np.prod(x[list(way), 0]) for way in ways])
    assert total[0] == pytest.approx(products.sum(), rel=1e-12)
    for at in range(4):
        own = sum(product for way, product in zip(ways, products, strict=True) if at in way)
        assert parts[at, 0] == pytest.approx(own / products.sum(), rel=1e-12)


def test_a_wide_match() -> None:
    """Forty seats with shared places are fitted too: the strong stand before the weak."""
    random = np.random.default_rng(5)
    truth = np.linspace(-2, 2, 40)
    order = np.argsort(-(truth + random.gumbel(size=(60, 40))), axis=1).argsort(axis=1)
    results = Results(np.tile(np.arange(40), (60, 1)), 1 + order // 3, np.arange(60))
    assert np.corrcoef(fitted(results, 40).theta, truth)[0, 1] > 0.97


def test_arrays_that_do_not_fit_are_refused() -> None:
    """A seat held by nobody's number, and shapes that differ, are errors."""
    with pytest.raises(ValueError, match="not one of 2"):
        choices_of(as_arrays(duels((0, 2, 1))), 2)
    with pytest.raises(ValueError, match="one shape"):
        choices_of(Results(np.zeros((3, 2), int), np.zeros((3, 3), int), np.zeros(3, int)), 2)


def test_truths_are_drawn_as_the_model_says() -> None:
    """The tests' own draws have the model's probabilities: three equals, a tie of two half as likely as a win."""
    random = np.random.default_rng(6)
    places = drawn_places(np.zeros(3), {2: np.log(0.5)}, np.tile(np.arange(3), (30_000, 1)), random)
    alone = ((places == 1).sum(axis=1) == 1).mean()
    assert alone == pytest.approx(1 / 1.5, abs=0.01)
    assert {tuple(row) for row in np.sort(places, axis=1).tolist()} == {(1, 2, 3), (1, 1, 3), (1, 2, 2)}
