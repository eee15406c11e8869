"""What a set of scores says about the strength of a bot over its parameters: a Gaussian process.

The score of a round is taken as

    mean + f(values) + g(seed) + h(seed, values) + noise

where f is a smooth function with a length for each parameter, g is what a seed's deal gives to every candidate that
played it, h what it gives to those alone that have nearly these values (bots without dice then play the same match
again, which says nothing new), and the noise is what is left. All candidates of a generation play the same seed, so
that g falls out of their comparison. Lengths and deviations that make the scores likeliest, under wide priors
(maximum a posteriori), are found by L-BFGS with exact derivatives, and choose where to play. Points are rows of
numbers: from 0 to 1 for a number, the index of the word for a parameter that is one of several words (then every
other word is equally far away).

`next_points` says where to play next. Where the maximum lies matters, not how high it is, so it takes the points that
reduce most the variance of f(z) - f(best), averaged over the places z where the maximum may be. Those are drawn from
the process itself. The variance after a result does not depend on the result, so a whole generation can be chosen
before it is played.

`believed` says how high the score is somewhere, and how sure that is. The likeliest lengths and deviations alone
claim too much: the place was chosen for its high scores, and a process that is a little too lively explains these by
strength. So it takes the mean over many lengths and deviations, drawn by how likely they make the scores.

No scores end in an error: lengths and deviations stay within bounds in which every covariance has a factor, points
and scores are clipped to where they belong, and what rounding takes from a covariance is added to its diagonal.
Importing this raises `OperatorError` where NumPy or SciPy is not installed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from dohyo.core.errors import OperatorError

try:
    import numpy as np
    from numpy.typing import NDArray
    from scipy import linalg, optimize  # type: ignore[import-untyped]
except ImportError as error:
    raise OperatorError("needs-tune") from error

__all__ = ["Array", "Model", "np"]

Array = NDArray[np.float64]
Prior = tuple[float, float]

MIDDLE = 0.5  # a score before anything is known
MEAN_VARIANCE = 0.25  # of the scores' mean around it
# The priors, as logarithms: mean and width of a normal distribution. Behind them the bounds, which need no logarithm.
LENGTH, SIGNAL, NOISE, DEAL, LOCAL = (0.35, 0.5), (0.25, 0.7), (0.3, 0.4), (0.05, 0.7), (0.05, 0.7)
LENGTHS, SIGNALS, NOISES, DEALS, LOCALS = (0.02, 20.0), (0.002, 2.0), (0.05, 2.0), (0.002, 2.0), (0.002, 2.0)
# Those of f, when it is asked how high the score is: it may be nearly flat, or steeper than most.
BELIEVED_LENGTH, BELIEVED_SIGNAL = (0.3, 0.7), (0.15, 1.0)
SPIKY = 1.2  # by so much more than the process says is the score not known: bots' strengths have peaks
JITTER = 1e-9
SURE = 0.02  # of the noise: what is left of it where the score is known without a match
STEPS = 40  # of the search for lengths and variances
SPREAD, NEAR = 128, 128  # places looked at for the next generation: all over the space, and around the best one
DRAWS = 128  # functions drawn to see where the maximum may be
WIDE = 1024  # places looked at for the best one
CLOSER = (0.5, 0.25, 0.12, 0.06, 0.03)  # of a length: how far around the best one it is looked for in turn
BELIEFS, KEPT = 64, 10  # lengths and deviations drawn, to say how high a score is; of these are kept
TAIL, WIDER = 5, 1.2  # they are drawn from a distribution of Student's with so many degrees, so much wider
STRONG, NOISY, DEALT, NEARBY = -4, -3, -2, -1  # where the deviations stand behind the lengths
STEP = 0.05  # of a logarithm, for second derivatives


class Known(NamedTuple):
    """What the scores say with certain lengths and deviations: these (as logarithms), a factor, and weights."""

    found: Array
    factor: Any
    weights: Array


class Model:
    """A Gaussian process over points of `space`, a list of the number of words of each parameter (0 for numbers)."""

    def __init__(self, space: Sequence[int]) -> None:
        self.words = np.array(space)
        self._count = len(space)
        self._prior, self._width = self._priors(LENGTH, SIGNAL)
        self._believed_prior, self._believed_width = self._priors(BELIEVED_LENGTH, BELIEVED_SIGNAL)
        self._bounds = np.log([LENGTHS] * self._count + [SIGNALS, NOISES, DEALS, LOCALS])
        self._owners = np.repeat(np.arange(self._count), np.maximum(self.words, 1))  # of the columns of `_columns`
        self._points: Array = np.empty((0, self._count))
        self._beliefs: list[Known] = []

    def fit(self, points: Array, scores: Array, seeds: NDArray[Any], even: Array | None = None) -> None:
        """Take in all scores so far: points (n, parameters), scores (n) from 0 to 1, and which seed each played.

        `even` is a point whose expected score is one half, as is known without a match: it meets itself. What comes
        of it depends on these alone, and on no earlier call.
        """
        self._points = self._inside(points)
        self._away = np.clip(np.nan_to_num(scores, nan=MIDDLE), 0.0, 1.0) - MIDDLE
        self._same = (seeds[:, None] == seeds[None, :]).astype(float)
        self._noisy = np.ones(len(points))
        if even is not None:
            self._points = np.vstack([self._points, self._inside(even)[None]])
            self._away = np.append(self._away, 0.0)
            self._same = np.pad(self._same, (0, 1))  # no seed's deal is in it
            self._noisy = np.append(self._noisy, SURE**2)
        self._own = self._columns(self._points)
        self._beliefs = []
        found = optimize.minimize(
            self._cost, self._prior, method="L-BFGS-B", jac=True, bounds=self._bounds, options={"maxiter": STEPS}
        )
        self._known = self._knowing(found.x if np.isfinite(found.x).all() else self._prior)

    @property
    def lengths(self) -> Array:
        """How far a parameter has to go, as a part of its range, to change the strength much."""
        return np.asarray(np.exp(self._known.found[: self._count]))

    @property
    def noise(self) -> float:
        """The standard deviation of a round's score."""
        return float(np.exp(self._known.found[NOISY]))

    def mean(self, points: Array) -> Array:
        """The expected score at each point, with the likeliest lengths."""
        return np.asarray(MIDDLE + self._shared(points, self._points, self._known.found) @ self._known.weights)

    def believed(self, points: Array) -> tuple[Array, Array]:
        """The expected score at each point, and the standard deviation of what is known of it."""
        self._beliefs = self._beliefs or self._drawn_beliefs()
        points = self._inside(points)
        means, variances = zip(*(self._told(points, known) for known in self._beliefs), strict=True)
        mean = np.mean(means, axis=0)
        return mean, SPIKY * np.sqrt(np.mean(variances, axis=0) + np.var(means, axis=0))

    def best(self, draw: np.random.Generator, known: Sequence[Array] = ()) -> Array:
        """The point with the highest expected score; `known` are further places to look at."""
        places = np.vstack([self.scattered(WIDE, draw), self._points, *known])
        top = places[int(np.argmax(self.mean(places)))]
        for part in CLOSER:
            places = np.vstack([top[None], self._around(top, part, NEAR, draw)])
            top = places[int(np.argmax(self.mean(places)))]
        return np.asarray(top)

    def next_points(self, count: int, draw: np.random.Generator, snap: Any) -> Array:
        """Where to play next, at most `count` places, none twice; `snap` makes of rows such that are possible values.

        The same values would play the same seed again, and bots without dice the same matches.
        """
        top = self.best(draw)
        places = snap(np.vstack([top[None], self.scattered(SPREAD, draw), self._around(top, 0.7, NEAR, draw)]))
        tops, left = self._drawn_tops(places, draw)
        chance = np.bincount(tops, minlength=len(places)) / DRAWS
        noise = np.exp(2 * self._known.found[NOISY])
        free = np.ones(len(places), bool)
        chosen = []
        for _ in range(count):
            if not free.any():
                break
            against = left - left[0][None, :]
            gain = chance @ against**2 / (left.diagonal() + noise)
            at = int(np.where(free, gain, -1.0).argmax())
            chosen.append(at)
            free &= (places != places[at]).any(axis=1)
            left = left - np.outer(left[:, at], left[at]) / (left[at, at] + noise)
        return np.asarray(places[chosen])

    def settled(self, draw: np.random.Generator) -> Array:
        """The point to end with: the middle of where the maximum may be; of words, those with the highest score.

        A maximum is flat, so the highest of the expected scores lies anywhere on it; the middle is steadier.
        """
        top = self.best(draw)
        places = np.vstack([top[None], self.scattered(2 * NEAR, draw), self._around(top, 1.0, NEAR, draw)])
        places = np.where(self.words > 0, top, places)
        tops, _ = self._drawn_tops(places, draw)
        middle = places[tops].mean(axis=0)
        return np.asarray(np.where(self.words > 0, top, middle))

    def _drawn_tops(self, places: Array, draw: np.random.Generator) -> tuple[NDArray[np.int64], Array]:
        """Where functions drawn from the process have their maximum, and the covariance of what is not known."""
        found, factor, weights = self._known
        shared = self._shared(places, self._points, found)
        mean = MIDDLE + shared @ weights
        left = self._shared(places, places, found) - shared @ linalg.cho_solve(factor, shared.T)
        drawn = mean + draw.standard_normal((DRAWS, len(places))) @ np.tril(_factor(left)[0]).T
        return drawn.argmax(axis=1), left

    def scattered(self, count: int, draw: np.random.Generator) -> Array:
        """Places all over the space."""
        places = draw.random((count, self._count))
        return np.where(self.words > 0, np.floor(places * np.maximum(self.words, 1)), places)

    def _around(self, point: Array, part: float, count: int, draw: np.random.Generator) -> Array:
        """Places around a point, at about this part of the lengths."""
        near = np.clip(point + draw.standard_normal((count, len(point))) * self.lengths * part, 0.0, 1.0)
        stays = draw.random((count, len(point))) > part / 2
        return np.where(self.words > 0, np.where(stays, point, self.scattered(count, draw)), near)

    def _priors(self, length: Prior, signal: Prior) -> tuple[Array, Array]:
        """The means and widths of all logarithms' priors."""
        means, widths = zip(*([length] * self._count + [signal, NOISE, DEAL, LOCAL]), strict=True)
        return np.log(means), np.array(widths)

    # --- covariances

    def _inside(self, points: Array) -> Array:
        """The points, each number from 0 to 1 and each word one that there is."""
        finite = np.nan_to_num(points, nan=MIDDLE)
        return np.where(
            self.words > 0, np.clip(np.rint(finite), 0, np.maximum(self.words - 1, 0)), np.clip(finite, 0.0, 1.0)
        )

    def _columns(self, points: Array) -> Array:
        """The points as columns whose squared distance is that of the points: a word is a column for each word."""
        parts = [
            (points[:, [at]] == np.arange(words)) / np.sqrt(2.0) if words else points[:, [at]]
            for at, words in enumerate(self.words)
        ]
        return np.hstack(parts)

    def _alike(self, one: Array, other: Array, found: Array) -> Array:
        """The correlation of f between rows of columns."""
        scale = np.exp(-found[self._owners])
        one, other = one * scale, other * scale
        apart = (one**2).sum(1)[:, None] + (other**2).sum(1)[None, :] - 2 * one @ other.T
        return np.asarray(np.exp(-np.maximum(apart, 0.0) / 2))

    def _shared(self, one: Array, other: Array, found: Array) -> Array:
        """The covariance of expected scores."""
        alike = self._alike(self._columns(one), self._columns(other), found)
        return np.asarray(np.exp(2 * found[STRONG]) * alike + MEAN_VARIANCE)

    def _whole(self, found: Array, alike: Array) -> Array:
        """The covariance of scores, from the correlation of f."""
        strong, _, dealt, nearby = np.exp(2 * found[STRONG:])
        whole = strong * alike + MEAN_VARIANCE + (dealt + nearby * alike) * self._same
        whole[np.diag_indices(len(whole))] += np.exp(2 * found[NOISY]) * self._noisy
        return np.asarray(whole)

    def _knowing(self, found: Array) -> Known:
        factor = _factor(self._whole(found, self._alike(self._own, self._own, found)))
        return Known(found, factor, linalg.cho_solve(factor, self._away))

    def _told(self, points: Array, known: Known) -> tuple[Array, Array]:
        """The expected score at each point, and the variance of what is known of it."""
        shared = self._shared(points, self._points, known.found)
        explained = (shared * linalg.cho_solve(known.factor, shared.T).T).sum(1)
        variance = np.exp(2 * known.found[STRONG]) + MEAN_VARIANCE
        return MIDDLE + shared @ known.weights, np.maximum(variance - explained, 0.0)

    def _cost(self, found: Array) -> tuple[float, Array]:
        """How unlikely the scores are with these lengths and deviations, and its derivatives."""
        alike = self._alike(self._own, self._own, found)
        factor = _factor(self._whole(found, alike))
        inverse = linalg.cho_solve(factor, np.eye(len(alike)))
        weights = inverse @ self._away
        off = (found - self._prior) / self._width
        cost = 0.5 * self._away @ weights + np.log(factor[0].diagonal()).sum() + 0.5 * off @ off
        inner = 0.5 * (inverse - np.outer(weights, weights))  # the derivative is its product with the covariance's
        strong, noise, dealt, nearby = np.exp(2 * found[STRONG:])
        same, near = inner * self._same, inner * alike
        near_same = near * self._same
        of_lengths = strong * near + nearby * near_same
        # The sum of these times each squared distance, without a matrix of distances for each parameter.
        columns = 2 * (of_lengths.sum(0) @ self._own**2 - (self._own * (of_lengths @ self._own)).sum(0))
        lengths = np.bincount(self._owners, columns, self._count) * np.exp(-2 * found[: self._count])
        variances = [
            strong * near.sum(),
            noise * (inner.diagonal() @ self._noisy),
            dealt * same.sum(),
            nearby * near_same.sum(),
        ]
        slope = np.array([*lengths, *(2 * part for part in variances)]) + off / self._width
        return float(cost), slope

    # --- beliefs

    def _unlikely(self, known: Known) -> float:
        """How unlikely the scores are, with the wider priors."""
        off = (known.found - self._believed_prior) / self._believed_width
        fits = 0.5 * self._away @ known.weights + np.log(known.factor[0].diagonal()).sum()
        return float(fits + 0.5 * off @ off)

    def _drawn_beliefs(self) -> list[Known]:
        """Lengths and deviations that are drawn by how likely they make the scores."""
        draw = np.random.default_rng(len(self._points))
        middle, root = self._known.found, self._spread()
        raw = draw.standard_normal((BELIEFS, len(middle))) @ root.T
        raw *= np.sqrt(TAIL / draw.chisquare(TAIL, BELIEFS))[:, None]
        low, high = self._bounds.T
        drawn = np.clip(middle + raw, low, high)
        away = np.linalg.solve(root, (drawn - middle).T)
        proposed = -0.5 * (TAIL + len(middle)) * np.log1p((away**2).sum(0) / TAIL)
        weights = np.array([-self._unlikely(self._knowing(one)) for one in drawn]) - proposed
        shares = np.cumsum(np.exp(weights - weights.max()))
        at = np.searchsorted(shares / shares[-1], (np.arange(KEPT) + 0.5) / KEPT)
        return [self._knowing(drawn[one]) for one in at]

    def _spread(self) -> Array:
        """A root of the covariance of lengths and deviations around the likeliest ones."""
        found, count = self._known.found, len(self._known.found)
        rows = []
        for at in range(count):
            step = np.zeros(count)
            step[at] = STEP
            rows.append((self._cost(found + step)[1] - self._cost(found - step)[1]) / (2 * STEP))
        values, vectors = np.linalg.eigh((np.array(rows) + np.array(rows).T) / 2)
        least = 1 / (2 * self._width.max()) ** 2  # no direction is wider than the priors are
        return np.asarray(WIDER * vectors / np.sqrt(np.maximum(values, least)))


def _factor(covariance: Array) -> Any:
    """Its lower factor, as `cho_solve` takes it; what rounding has taken from it is added to its diagonal."""
    added, most = 0.0, float(covariance.diagonal().max())
    for _ in range(16):  # after the tenth, the diagonal is greater than all else in its row together
        try:
            return linalg.cholesky(covariance + added * np.eye(len(covariance)), lower=True), True
        except linalg.LinAlgError:
            added = max(10 * added, JITTER * max(most, JITTER))
    return np.diag(np.sqrt(covariance.diagonal() + added)), True
