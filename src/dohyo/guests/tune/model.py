"""What a set of scores says about the strength of a bot over its parameters: a Gaussian process.

The score of a round is taken as

    mean + f(values) + g(seed) + noise

where f is a smooth function with a length for each parameter, g is what a seed's deal gives to every candidate that
played it, and the noise is what is left. All candidates of a generation play the same seed, so that g falls out of
their comparison. Lengths and variances are those that make the scores likeliest, under wide priors (maximum a
posteriori), found by L-BFGS with exact derivatives. Points are rows of numbers: from 0 to 1 for a number, the index
of the word for a parameter that is one of several words (then every other word is equally far away).

`next_points` says where to play next. Where the maximum lies matters, not how high it is, so it takes the points that
reduce most the variance of f(z) - f(best), averaged over the places z where the maximum may be. Those are drawn from
the process itself. The variance after a result does not depend on the result, so a whole generation can be chosen
before it is played. Importing this raises `OperatorError` where NumPy or SciPy is not installed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dohyo.core.errors import OperatorError

try:
    import numpy as np
    from numpy.typing import NDArray
    from scipy import linalg, optimize  # type: ignore[import-untyped]
except ImportError as error:
    raise OperatorError("needs-tune") from error

__all__ = ["Array", "Model", "np"]

Array = NDArray[np.float64]

MIDDLE = 0.5  # a score before anything is known
MEAN_VARIANCE = 0.25  # of the scores' mean around it
# The priors, as logarithms: mean and width of a normal distribution.
LENGTH, SIGNAL, NOISE, DEAL = (0.35, 0.5), (0.25, 0.7), (0.3, 0.4), (0.05, 0.7)
JITTER = 1e-9
TINY = 1e-12
STEPS = 40  # of the search for lengths and variances
SPREAD, NEAR = 192, 192  # places looked at for the next generation: all over the space, and around the best one
DRAWS = 128  # functions drawn to see where the maximum may be
WIDE = 2048  # places looked at for the best one
CLOSER = (0.5, 0.25, 0.12, 0.06, 0.03)  # of a length: how far around the best one it is looked for in turn


class Model:
    """A Gaussian process over points of `space`, a list of the number of words of each parameter (0 for numbers)."""

    def __init__(self, space: Sequence[int]) -> None:
        self.words = np.array(space)
        count = len(space)
        self._prior = np.log([LENGTH[0]] * count + [SIGNAL[0], NOISE[0], DEAL[0]])
        self._width = np.array([LENGTH[1]] * count + [SIGNAL[1], NOISE[1], DEAL[1]])
        self._found = self._prior
        self._points: Array = np.empty((0, count))

    def fit(self, points: Array, scores: Array, seeds: NDArray[Any]) -> None:
        """Take in all scores so far: points (n, parameters), scores (n) from 0 to 1, and which seed each played.

        What comes of it depends on these alone, and on no earlier call.
        """
        self._points = points
        apart = self._apart(points, points)
        same = (seeds[:, None] == seeds[None, :]).astype(float)
        away = scores - MIDDLE
        found = optimize.minimize(
            self._cost, self._prior, (apart, same, away), "L-BFGS-B", jac=True, options={"maxiter": STEPS}
        )
        self._found = found.x
        whole, _ = self._covariance(self._found, apart, same)
        self._factor = linalg.cho_factor(whole, lower=True)
        self._weights = linalg.cho_solve(self._factor, away)

    @property
    def lengths(self) -> Array:
        """How far a parameter has to go, as a part of its range, to change the strength much."""
        return np.asarray(np.exp(self._found[:-3]))

    @property
    def noise(self) -> float:
        """The standard deviation of a round's score."""
        return float(np.exp(self._found[-2]))

    def mean(self, points: Array) -> Array:
        """The expected score at each point."""
        return np.asarray(MIDDLE + self._shared(points, self._points) @ self._weights)

    def error(self, points: Array) -> Array:
        """The standard deviation of what is known of the score at each point."""
        shared = self._shared(points, self._points)
        variance = np.exp(2 * self._found[-3]) + MEAN_VARIANCE
        explained = (shared * linalg.cho_solve(self._factor, shared.T).T).sum(1)
        return np.asarray(np.sqrt(np.maximum(variance - explained, 0.0)))

    def best(self, draw: np.random.Generator, known: Sequence[Array] = ()) -> Array:
        """The point with the highest expected score; `known` are further places to look at."""
        places = np.vstack([self.scattered(WIDE, draw), self._points, *known])
        top = places[int(np.argmax(self.mean(places)))]
        for part in CLOSER:
            places = np.vstack([top[None], self._around(top, part, NEAR, draw)])
            top = places[int(np.argmax(self.mean(places)))]
        return np.asarray(top)

    def next_points(self, count: int, draw: np.random.Generator, snap: Any) -> Array:
        """Where to play next, as (count, parameters); `snap` makes rows such that they are possible values."""
        top = self.best(draw)
        places = snap(np.vstack([top[None], self.scattered(SPREAD, draw), self._around(top, 0.7, NEAR, draw)]))
        tops, left = self._drawn_tops(places, draw)
        chance = np.bincount(tops, minlength=len(places)) / DRAWS
        noise = np.exp(2 * self._found[-2])
        chosen = []
        for _ in range(count):
            against = left - left[0][None, :]
            gain = (chance[:, None] * against**2).sum(axis=0) / (left.diagonal() + noise)
            at = int(gain.argmax())
            chosen.append(at)
            left = left - np.outer(left[:, at], left[at]) / (left[at, at] + noise)
        return np.asarray(places[chosen])

    def settled(self, draw: np.random.Generator) -> Array:
        """The point to end with: the middle of where the maximum may be, near the highest expected score.

        A maximum is flat, so the highest of the expected scores lies anywhere on it; the middle is steadier.
        """
        top = self.best(draw)
        places = np.vstack([top[None], self._around(top, 1.0, 2 * NEAR, draw)])
        tops, _ = self._drawn_tops(places, draw)
        middle = places[tops].mean(axis=0)
        return np.asarray(np.where(self.words > 0, top, middle))

    def _drawn_tops(self, places: Array, draw: np.random.Generator) -> tuple[NDArray[np.int64], Array]:
        """Where functions drawn from the process have their maximum, and the covariance of what is not known."""
        shared = self._shared(places, self._points)
        mean = MIDDLE + shared @ self._weights
        left = self._shared(places, places) - shared @ linalg.cho_solve(self._factor, shared.T)
        drawn = mean + draw.standard_normal((DRAWS, len(places))) @ _root(left).T
        return drawn.argmax(axis=1), left

    def scattered(self, count: int, draw: np.random.Generator) -> Array:
        """Places all over the space."""
        places = draw.random((count, len(self.words)))
        return np.where(self.words > 0, np.floor(places * np.maximum(self.words, 1)), places)

    def _around(self, point: Array, part: float, count: int, draw: np.random.Generator) -> Array:
        """Places around a point, at about this part of the lengths."""
        near = np.clip(point + draw.standard_normal((count, len(point))) * self.lengths * part, 0.0, 1.0)
        stays = draw.random((count, len(point))) > part / 2
        return np.where(self.words > 0, np.where(stays, point, self.scattered(count, draw)), near)

    # --- covariances

    def _apart(self, one: Array, other: Array) -> Array:
        """The squared distances by parameter, as (parameters, rows of one, rows of other)."""
        apart = one.T[:, :, None] - other.T[:, None, :]
        return np.where(self.words[:, None, None] > 0, (apart != 0).astype(float), apart**2)

    def _shared(self, one: Array, other: Array) -> Array:
        """The covariance of expected scores."""
        scaled = self._apart(one, other) / (2 * self.lengths[:, None, None] ** 2)
        return np.exp(2 * self._found[-3] - scaled.sum(axis=0)) + MEAN_VARIANCE  # type: ignore[no-any-return]

    @staticmethod
    def _covariance(found: Array, apart: Array, same: Array) -> tuple[Array, Array]:
        """The covariance of scores, and the part of it that is f's."""
        smooth = np.exp(2 * found[-3] - (apart / (2 * np.exp(2 * found[:-3])[:, None, None])).sum(axis=0))
        whole = smooth + MEAN_VARIANCE + np.exp(2 * found[-1]) * same
        whole[np.diag_indices(len(whole))] += np.exp(2 * found[-2]) + JITTER
        return whole, smooth

    def _cost(self, found: Array, apart: Array, same: Array, away: Array) -> tuple[float, Array]:
        """How unlikely the scores are with these lengths and variances, and its derivatives."""
        whole, smooth = self._covariance(found, apart, same)
        factor = linalg.cholesky(whole, lower=True)
        inverse = linalg.cho_solve((factor, True), np.eye(len(whole)))
        weights = inverse @ away
        off = (found - self._prior) / self._width
        cost = 0.5 * away @ weights + np.log(factor.diagonal()).sum() + 0.5 * off @ off
        inner = 0.5 * (inverse - np.outer(weights, weights))  # the derivative is its product with the covariance's
        of_smooth = inner * smooth
        lengths = [(of_smooth * part).sum() / np.exp(2 * at) for part, at in zip(apart, found[:-3], strict=True)]
        variances = [
            of_smooth.sum(),
            inner.trace() * np.exp(2 * found[-2]),
            (inner * same).sum() * np.exp(2 * found[-1]),
        ]
        slope = np.array([*lengths, *(2 * part for part in variances)]) + off / self._width
        return float(cost), slope


def _root(covariance: Array) -> Array:
    """A matrix whose product with its own transpose is the covariance, but for what rounding has taken from it."""
    added = JITTER * float(covariance.diagonal().max()) + TINY
    while True:
        try:
            return np.asarray(linalg.cholesky(covariance + added * np.eye(len(covariance)), lower=True))
        except linalg.LinAlgError:
            added *= 10  # equal places have equal values, so that the matrix has no inverse
