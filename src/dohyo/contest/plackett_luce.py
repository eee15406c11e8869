"""The most likely strengths: a Plackett-Luce model with ties, fitted to all results at once.

The model is that of Turner, van Etten, Firth and Kosmidis, "Modelling rankings in R: the PlackettLuce package",
Computational Statistics 35 (2020), 1027-1057 (it is called the Davidson-Luce model too). From the set A of those who
are left, the set C of k bots shares the next place with a probability proportional to

    delta_k * (product of the strengths in C) ** (1 / k),      delta_1 = 1,

where delta_k tells how common ties of k are; it is 0 where results show none. For two seats that is Davidson's
model of 1970, without ties it is Plackett and Luce's, for two seats without ties Bradley and Terry's.

Strengths are kept as logarithms, theta. The logarithm of the likelihood is then

    chosen . (theta, log delta)  -  sum over sets A: count_A * log Z_A,

Z_A the sum of the above over all subsets of A. It is concave. The subsets need not be listed: those of size k add up
to an elementary symmetric polynomial of the exp(theta / k).

The prior is that of the same paper: every bot has won and lost half a match against a ghost of strength 1, and half
a choice each among k ghosts was a tie of all and was none. It keeps ratings finite for a bot that has won or
lost everything, ties them together where no results do, and is outweighed by a dozen matches.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from dohyo.contest.libraries import Floats, Ints, linalg, np, special
from dohyo.contest.results import Choices

PRIOR = 0.5  # above 0: without any, strengths have no zero
EXACT = 1e-9  # a fit ends when no strength moves by more in a step: a hundred-millionth of an Elo point
STEPS = 200
WORTH = 4  # a curvature serves as long as each step is at least so many times shorter than the last
CELLS = 1 << 21  # of the largest array that is made on the way


class Prior(NamedTuple):
    """What is taken for granted, in matches (see above), and by a normal distribution of the strengths (`spread`)."""

    wins: Floats  # (entrants,): over the ghost
    losses: Floats  # (entrants,): against the ghost
    ties: Floats  # (orders, 2): ghosts that tied, ghosts that did not
    centre: Floats | float = 0.0  # of the normal distribution, (entrants,) or the same for all
    sharpness: float = 0.0  # one divided by its variance; 0: no such distribution


class Fit(NamedTuple):
    """The most likely parameters, natural logarithms, and how sharply likelihood falls off there."""

    theta: Floats  # (entrants,)
    log_delta: Floats  # (orders,)
    factor: Any  # the Cholesky factor of the curvature over both, as `scipy.linalg.cho_solve` takes it


class _Sums(NamedTuple):
    """The logarithm of the likelihood at a point, its gradient, and its negative curvature's upper half if wanted."""

    value: float
    slope: Floats
    curvature: Floats | None


def usual_prior(choices: Choices, weight: float = PRIOR) -> Prior:
    """The prior with half a match each, or with another weight."""
    entrants, orders = choices.entrants, len(choices.orders)
    return Prior(np.full(entrants, weight), np.full(entrants, weight), np.full((orders, 2), weight))


def fit(
    choices: Choices,
    prior: Prior | None = None,
    weights: Floats | None = None,
    start: Fit | None = None,
    precision: float = EXACT,
) -> Fit:
    """The parameters under which the results, each cluster weighed by `weights` (1), and the prior are most likely.

    Newton's method with a search along the line, which works out the curvature anew only when the last one no longer
    serves; the same for every order of the results, to the last bit. From a `start` it sets out with its curvature.
    """
    data = _Weighed(choices, prior or usual_prior(choices), weights)
    point = np.concatenate([start.theta, start.log_delta]) if start else np.zeros(data.width)
    here, factor, size = data.sums(point), start.factor if start else None, np.inf
    for _ in range(STEPS):
        last = size
        if factor is None:
            factor, last = linalg.cho_factor(data.sums(point, curved=True).curvature), np.inf
        step = linalg.cho_solve(factor, here.slope)
        size = float(np.abs(step).max(initial=0))
        # Far from the goal the curvature says little: no strength goes further than e**2 at once.
        step *= min(1, 2 / max(size, 1e-300))
        there = data.sums(point + step)
        while there.value < here.value - 1e-12 * abs(here.value) and size > precision:
            step, size, last = step / 2, size / 2, 0
            there = data.sums(point + step)
        point, here = point + step, there
        if size <= precision:
            break
        if size > last / WORTH:
            factor = None
    return Fit(point[: choices.entrants], point[choices.entrants :], factor)


def log_evidence(choices: Choices, prior: Prior, fitted: Fit) -> float:
    """The logarithm of the probability of the results under `prior`, by Laplace's method round the fit with it.

    Up to a constant, and to what normalises the prior.
    """
    there = _Weighed(choices, prior, None).sums(np.concatenate([fitted.theta, fitted.log_delta]), curved=True)
    factor, _ = linalg.cho_factor(there.curvature)
    return there.value - float(np.log(np.diag(factor)).sum())


class _Weighed:
    """Choices with a weight for each cluster, and the likelihood that comes of them."""

    def __init__(self, choices: Choices, prior: Prior, weights: Floats | None) -> None:
        if weights is None:
            weights = np.ones(choices.chosen.shape[1])
        self.choices, self.prior = choices, prior
        self.width = choices.entrants + len(choices.orders)
        self.chosen = choices.chosen @ weights
        self.counts = [count @ weights for count in choices.counts]

    def sums(self, point: Floats, curved: bool = False) -> _Sums:
        """The logarithm of the likelihood and its derivatives at `point`, prior included."""
        value, slope, diagonal = _of_prior(self.choices, self.prior, point)
        curvature = np.diag(diagonal) if curved else None
        value += float(self.chosen @ point)
        slope += self.chosen
        for sets, count in zip(self.choices.sets, self.counts, strict=True):
            size = len(sets)
            orders = [at for at, order in enumerate(self.choices.orders) if order <= size]
            rows = max(1, CELLS // (size * size))
            for begin in range(0, sets.shape[1], rows):
                part = slice(begin, begin + rows)
                value -= _add_sets(sets[:, part], count[part], self.choices, orders, point, slope, curvature)
        return _Sums(value, slope, curvature)


def _of_prior(choices: Choices, prior: Prior, point: Floats) -> tuple[float, Floats, Floats]:
    """What the prior adds to value, slope and the curvature's diagonal."""
    theta, log_delta = point[: choices.entrants], point[choices.entrants :]
    ghosts = np.log(np.array(choices.orders, dtype=float))
    pull = np.concatenate([prior.wins, prior.ties[:, 0]])
    both = np.concatenate([prior.wins + prior.losses, prior.ties.sum(axis=1)])
    against = np.concatenate([np.zeros_like(theta), ghosts])
    here = np.concatenate([theta, log_delta])
    share: Floats = special.expit(here - against)
    value = float(pull @ here - both @ np.logaddexp(here, against))
    slope, diagonal = pull - both * share, both * share * (1 - share)
    if prior.sharpness:
        away = theta - prior.centre
        value -= prior.sharpness / 2 * float(away @ away)
        slope[: choices.entrants] -= prior.sharpness * away
        diagonal[: choices.entrants] += prior.sharpness
    return value, slope, diagonal


def _add_sets(
    sets: Ints,
    count: Floats,
    choices: Choices,
    orders: list[int],
    point: Floats,
    slope: Floats,
    curvature: Floats | None,
) -> float:
    """Subtract these sets' expectation from `slope`, add to the upper half of `curvature`; the sum of count * log Z.

    `sets` is (size, sets), `orders` holds places in `choices.orders`.
    """
    entrants = choices.entrants
    theta = point[sets]
    highest = theta.max(axis=0)
    ties = [1, *(choices.orders[at] for at in orders)]
    weights, means = [], []
    for order, delta in zip(ties, [0.0, *point[entrants:][orders]], strict=True):
        total, inclusion = inclusions(np.exp((theta - highest) / order), order)
        weights.append(np.exp(delta) * total)
        means.append(inclusion / order)
    z = sum(weights)
    shares = [weight / z for weight in weights]
    mean = sum(share * one for share, one in zip(shares, means, strict=True))
    slope[:entrants] -= np.bincount(sets.ravel(), (count * mean).ravel(), minlength=entrants)
    for at, share in zip(orders, shares[1:], strict=True):
        slope[entrants + at] -= count @ share
    if curvature is not None:
        _curve(sets, count, ties, shares, means, mean, curvature)
        _curve_ties(sets, count, orders, shares[1:], means[1:], mean, entrants, curvature)
    return float(count @ (np.log(z) + highest))


def inclusions(x: Floats, order: int) -> tuple[Floats, Floats]:
    """The elementary symmetric polynomial of that order over the first axis, and each one's part in it.

    `x` is (size, sets) and positive. The first result is (sets,), the second (size, sets): the probability of being
    in a subset of `order` members drawn with probability proportional to the product of its x.
    Only sums of positive numbers: nothing cancels, however far apart the x are.
    """
    if order == 1:
        total = x.sum(axis=0)
        return total, x / total
    size, sets = x.shape
    before = np.zeros((size + 1, order, sets))  # [m, k]: the polynomial of order k over the first m
    after = np.zeros((size + 1, order, sets))  # [m, k]: over those from m on
    before[0, 0] = after[size, 0] = 1
    for at in range(size):
        before[at + 1] = before[at]
        before[at + 1, 1:] += x[at] * before[at, :-1]
        back = size - 1 - at
        after[back] = after[back + 1]
        after[back, 1:] += x[back] * after[back + 1, :-1]
    with_it = x * np.einsum("iks,iks->is", before[:-1], after[1:, ::-1])
    total = with_it.sum(axis=0) / order
    return total, with_it / total


def _curve(
    sets: Ints,
    count: Floats,
    ties: list[int],
    shares: list[Floats],
    means: list[Floats],
    mean: Floats,
    curvature: Floats,
) -> None:
    """Add the covariance of who is chosen.

    Two bots' covariance within subsets of k is taken as -(1 - c) w_i w_j, w the inclusions and c such that all add
    up as they must. That is exact for k = 1, for k = everybody and for equal strengths; else a close approximation
    that is never indefinite, so that Newton's method takes some more steps to the same end.
    """
    own = -mean * mean
    spread = []
    for order, share, one in zip(ties, shares, means, strict=True):
        squares = (one * one).sum(axis=0) * order * order
        left = np.maximum(order * order - squares, 1e-12)
        c = np.minimum(order * (order - 1) / left, 1.0)
        own += share * ((1 - c) * one * (1 - one) + one * one)
        spread.append(share * c)
    _add(curvature, sets, sets, count * own)
    for low in range(len(sets) - 1):
        others = slice(low + 1, None)
        both = -mean[low] * mean[others]
        for one, weight, order in zip(means, spread, ties, strict=True):
            if order > 1:
                both = both + weight * one[low] * one[others]
        first = np.broadcast_to(sets[low], both.shape)
        # A bot on two seats meets itself: both halves of the pair fall on the diagonal.
        _add(curvature, first, sets[others], count * np.where(first == sets[others], 2, 1) * both)


def _curve_ties(
    sets: Ints,
    count: Floats,
    orders: list[int],
    shares: list[Floats],
    means: list[Floats],
    mean: Floats,
    entrants: int,
    curvature: Floats,
) -> None:
    """Add the covariance of how many are chosen with who is, and with itself."""
    for at, share, one in zip(orders, shares, means, strict=True):
        with_theta = np.bincount(sets.ravel(), (count * share * (one - mean)).ravel(), minlength=entrants)
        curvature[:entrants, entrants + at] += with_theta
        curvature[entrants + at, entrants + at] += count @ share
        for other, its_share in zip(orders, shares, strict=True):
            if other >= at:
                curvature[entrants + at, entrants + other] -= count @ (share * its_share)


def _add(matrix: Floats, rows: Ints, columns: Ints, values: Floats) -> None:
    """Add `values` to the matrix at those places, which may occur more than once."""
    width = matrix.shape[1]
    places = (rows * width + columns).ravel()
    if len(places) * 8 < matrix.size:  # few: do not walk through the whole matrix
        np.add.at(matrix.reshape(-1), places, values.ravel())
    else:
        matrix.reshape(-1)[:] += np.bincount(places, values.ravel(), minlength=matrix.size)
