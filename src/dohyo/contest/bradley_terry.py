"""The most likely strengths: Bradley and Terry's model with Davidson's ties, fitted to all pairs of all matches.

Of two bots in a match one is placed before the other, or they share a place. With strengths theta (logarithms) the
probabilities are proportional to

    exp(d / 2),  delta,  exp(-d / 2),      d = theta_a - theta_b,

where delta tells how common ties are; it is 0 where results show none (R. R. Davidson, "On extending the
Bradley-Terry model to accommodate ties in paired comparison experiments", Journal of the American Statistical
Association 65 (1970), 317-328). A match of many seats counts as all its pairs. These are not independent, so their
product is not a likelihood but a composite one (C. Varin, N. Reid, D. Firth, "An overview of composite likelihood
methods", Statistica Sinica 21 (2011), 5-42): its maximum is still right, but its certainty has to be found in another
way (`bootstrap`). Its logarithm is concave.

The prior is that every bot has won and lost half a match against an imaginary bot (the ghost) of strength 0, and that
half a pair tied and half a pair did not. It keeps ratings finite for a bot that has won or lost everything, ties them
together where no results do, and is outweighed by a dozen matches.

Everything is computed for many samples at once, which differ in the weights of results, or in priors.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from dohyo.contest.libraries import Floats, linalg, np, special
from dohyo.contest.result_arrays import Pairs

PRIOR = 0.5  # above 0: without any, strengths have no zero
EXACT = 1e-9  # a fit ends when no strength moves by more in a step: less than a millionth of an Elo point
STEPS = 200  # a few are usually enough; many more mean that something is wrong
WORTH = 3  # a curvature is used as long as each step is so many times shorter than the last
CELLS = 1 << 22  # of the largest temporary array
WIDE = 100  # with more parameters than that, solving again in each step is too slow
GHOSTS_TIE = float(np.log(2))  # two equals tie with the odds delta to 2


class Prior(NamedTuple):
    """What is assumed beforehand: in matches (see above), and by a normal distribution of the strengths (`spread`).

    Each has an axis of samples last, or is the same for all.
    """

    wins: Floats | float  # (entrants, samples): over the ghost
    losses: Floats | float  # (entrants, samples): against the ghost
    ties: Floats | float  # (samples,): pairs that tied
    decided: Floats | float  # (samples,): pairs that did not
    centre: Floats | float = 0.0  # (entrants, samples): of the normal distribution
    sharpness: Floats | float = 0.0  # (samples,): one divided by its variance; 0: no such distribution


class Fit(NamedTuple):
    """The most likely parameters, natural logarithms."""

    point: Floats  # (entrants, samples): strengths; where there are ties, log delta in one more row
    value: Floats  # (samples,): the logarithm of the likelihood there, prior included

    def theta(self, pairs: Pairs) -> Floats:
        """The strengths (entrants, samples)."""
        return self.point[: pairs.entrants]


class _Sums(NamedTuple):
    """The logarithm of the likelihood and its gradient, and what its curvature is made of."""

    value: Floats  # (samples,)
    slope: Floats  # (parameters, samples)
    mean: Floats  # (pairs, samples): of the score, which is a half, 0 or minus a half
    tied: Floats  # (pairs, samples): the probability of a tie


def usual_prior(weight: float = PRIOR) -> Prior:
    """The prior with half a match each, or with another weight."""
    return Prior(weight, weight, weight, weight)


def fit(
    pairs: Pairs,
    outcomes: Floats,
    prior: Prior,
    start: Floats | None = None,
    precision: float = EXACT,
    factor: Any = None,
) -> Fit:
    """The parameters under which results and prior are most likely, for each sample of `outcomes`.

    `outcomes` (3, pairs, samples) says how often the first of each pair was placed before the second, level with it,
    and after it. Newton's method with a search along the line, from `start` (parameters, 1) on, with the `factor` of
    the curvature there (`curvature_factor`) while that is good enough. The result is the same for every order of the
    results, to the last bit. `ArithmeticError` if it does not converge, which would be a defect.
    """
    samples = outcomes.shape[2]
    width = pairs.entrants + pairs.has_ties
    point = np.zeros((width, samples)) if start is None else np.repeat(start, samples // start.shape[1], axis=1)
    total = outcomes.sum(axis=0)
    here = _sums(pairs, outcomes, total, prior, point)
    steps = _Steps(pairs, total, prior, samples, factor)
    done = np.zeros(samples, dtype=bool)
    for _ in range(STEPS):
        step = steps.at(point, here, ~done)
        size = np.abs(step).max(axis=0, initial=0)
        # Far from the solution the curvature says little: no strength changes by more than 2 in one step.
        step *= np.minimum(1, 2 / np.maximum(size, 1e-300))
        there = _sums(pairs, outcomes, total, prior, point + step)
        while (bad := (there.value < here.value - 1e-12 * np.abs(here.value)) & (size > precision)).any():
            step[:, bad] /= 2
            size[bad] /= 2
            steps.last[bad] = 0
            there = _sums(pairs, outcomes, total, prior, point + step)
        point, here = point + step, there
        done |= size <= precision
        if done.all():
            return Fit(point, here.value)
        steps.judge(size)
    raise ArithmeticError("the fit of strengths comes to no end")


def curvature_factor(pairs: Pairs, outcomes: Floats, prior: Prior, point: Floats) -> Any:
    """The Cholesky factor of the curvature at a point (parameters, 1), for a `fit` from there; none for few bots."""
    if len(point) <= WIDE:
        return None
    total = outcomes.sum(axis=0)
    return _factor(pairs, total, prior, point, _sums(pairs, outcomes, total, prior, point), 0)


def log_evidence(pairs: Pairs, outcomes: Floats, prior: Prior, fitted: Fit) -> Floats:
    """The logarithm of the probability of the results under `prior`, by Laplace's method round the fit with it.

    For each sample; up to a constant, and to what normalises the prior.
    """
    total = outcomes.sum(axis=0)
    sums = _sums(pairs, outcomes, total, prior, fitted.point)
    every = np.arange(outcomes.shape[2])
    sizes = np.linalg.slogdet(_curvature(pairs, total, prior, fitted.point, sums, every))[1]
    found: Floats = sums.value - sizes / 2
    return found


def _sums(pairs: Pairs, outcomes: Floats, total: Floats, prior: Prior, point: Floats) -> _Sums:
    """The logarithm of the likelihood and its derivatives at `point`, prior included."""
    theta, log_delta = point[: pairs.entrants], point[pairs.entrants :]
    before, level, behind = outcomes
    apart = theta[pairs.first] - theta[pairs.second]
    far = np.abs(apart) / 2
    weak = np.exp(-2 * far)  # the stronger one's is 1: nothing overflows, however far apart they are
    tie = np.exp(log_delta - far) if pairs.has_ties else np.zeros_like(far)
    z = 1 + weak + tie
    mean = np.copysign((1 - weak) / (2 * z), apart)
    tied = tie / z
    net = (before - behind) / 2
    value = (net * apart - total * (far + np.log(z))).sum(axis=0)
    slope = pairs.incidence @ (net - total * mean)
    own_value, own_slope = _of_prior(prior, theta, log_delta)
    if pairs.has_ties:
        value = value + (level * log_delta).sum(axis=0)
        slope = np.concatenate([slope, (level - total * tied).sum(axis=0, keepdims=True)])
    return _Sums(value + own_value, slope + own_slope, mean, tied)


def _of_prior(prior: Prior, theta: Floats, log_delta: Floats) -> tuple[Floats, Floats]:
    """What the prior adds to value and slope."""
    away = theta - prior.centre
    both = prior.wins + prior.losses
    value = (prior.wins * theta - both * np.logaddexp(theta, 0)).sum(axis=0)
    value = value - prior.sharpness / 2 * (away * away).sum(axis=0)
    slopes = [prior.wins - both * special.expit(theta) - prior.sharpness * away]
    if len(log_delta):
        both = prior.ties + prior.decided
        value = value + (prior.ties * log_delta - both * np.logaddexp(log_delta, GHOSTS_TIE)).sum(axis=0)
        slopes.append(prior.ties - both * special.expit(log_delta - GHOSTS_TIE))
    return value, np.concatenate(slopes)


class _Steps:
    """Newton's steps.

    A curvature of many bots is expensive: it is used for several steps, as long as it is good enough.
    """

    def __init__(self, pairs: Pairs, total: Floats, prior: Prior, samples: int, factor: Any) -> None:
        self._pairs, self._total, self._prior = pairs, total, prior
        self._factors = [factor] * samples
        self.last = np.full(samples, np.inf)  # each sample's last step

    def at(self, point: Floats, sums: _Sums, wanted: Any) -> Floats:
        """The steps (parameters, samples); 0 where none is `wanted`."""
        found = np.zeros_like(point)
        which = np.flatnonzero(wanted)
        if len(point) <= WIDE:
            curvature = _curvature(self._pairs, self._total, self._prior, point, sums, which)
            found[:, which] = np.linalg.solve(curvature, sums.slope[:, which].T[:, :, None])[:, :, 0].T
            return found
        for one in which:
            if self._factors[one] is None:
                self._factors[one] = _factor(self._pairs, self._total, self._prior, point, sums, one)
                self.last[one] = np.inf
            found[:, one] = linalg.cho_solve(self._factors[one], sums.slope[:, one], check_finite=False)
        return found

    def judge(self, size: Floats) -> None:
        """Forget the curvatures of which the steps did not get much shorter."""
        for one in np.flatnonzero(size > self.last / WORTH):
            self._factors[one] = None
        self.last = size


def _factor(pairs: Pairs, total: Floats, prior: Prior, point: Floats, sums: _Sums, one: Any) -> Any:
    """The Cholesky factor of a sample's curvature."""
    curvature = _curvature(pairs, total, prior, point, sums, np.array([one]))[0]
    return linalg.cho_factor(curvature, overwrite_a=True, check_finite=False)


def _curvature(pairs: Pairs, total: Floats, prior: Prior, point: Floats, sums: _Sums, which: Any) -> Floats:
    """The negative curvature (which, parameters, parameters) of these samples at `point`."""
    entrants, width = pairs.entrants, len(point)
    mean, tied, count = sums.mean[:, which], sums.tied[:, which], np.broadcast_to(total, sums.mean.shape)[:, which]
    theta, log_delta = point[:entrants, which], point[entrants:, which]
    found = np.zeros((len(which), width, width))
    spread = count * ((1 - tied) / 4 - mean * mean)
    found[:, pairs.first, pairs.second] = found[:, pairs.second, pairs.first] = -spread.T
    share = special.expit(theta)
    both = _of(prior.wins, which) + _of(prior.losses, which)
    every = np.arange(entrants)
    diagonal = abs(pairs.incidence) @ spread + both * share * (1 - share) + _of(prior.sharpness, which)
    found[:, every, every] = diagonal.T
    if pairs.has_ties:
        along = pairs.incidence @ (-count * mean * tied)
        found[:, :entrants, entrants] = found[:, entrants, :entrants] = along.T
        share = special.expit(log_delta - GHOSTS_TIE)[0]
        both = _of(prior.ties, which) + _of(prior.decided, which)
        found[:, entrants, entrants] = (count * tied * (1 - tied)).sum(axis=0) + both * share * (1 - share)
    return found


def _of(values: Floats | float, which: Any) -> Floats | float:
    """These samples' part of a prior."""
    if np.ndim(values) == 0:
        return values
    part: Floats = np.asarray(values)[..., which]
    return part
