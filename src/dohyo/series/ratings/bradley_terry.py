"""The most likely strengths: Bradley and Terry's model with Davidson's ties, fitted to all pairs of all matches.

Of two bots in a match one is placed before the other, or they share a place. With strengths theta (logarithms) the
probabilities are proportional to

    exp(d / 2),  delta,  exp(-d / 2),      d = theta_a - theta_b,

where delta tells how common ties are; it is 0 where results show none (R. R. Davidson, "On extending the
Bradley-Terry model to accommodate ties in paired comparison experiments", Journal of the American Statistical
Association 65 (1970), 317-328). A match of many seats counts as all its pairs. These are not independent, so their
product is not a likelihood but a composite one (C. Varin, N. Reid, D. Firth, "An overview of composite likelihood
methods", Statistica Sinica 21 (2011), 5-42): its maximum is still right, but its certainty has to be found in another
way (`intervals`). Its logarithm is concave.

The prior is that every bot has won and lost half a match against an imaginary bot (the ghost) of strength 0, and that
half a pair tied and half a pair did not. It keeps ratings finite for a bot that has won or lost everything, ties them
together where no results do, and is outweighed by a dozen matches.

What grows with the number of matches, or with a power of the number of bots, is done by a `Reckoner`: with NumPy
(`arrays`) or in plain Python (`plain`). Both do the same.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

PRIOR = 0.5  # above 0: without any, strengths have no zero
EXACT = 1e-9  # a fit ends when no strength moves by more in a step, and errors shrink to their squares
STEPS = 200  # a few are usually enough; many more mean that something is wrong
FAR = 2.0  # no strength changes by more in one step: far from the solution the curvature says little
GHOSTS_TIE = math.log(2)  # two equals tie with the odds delta to 2
NEARLY = 1e-12  # by so small a part a sum of floats may be off


class Fit(NamedTuple):
    """The most likely parameters, natural logarithms; `log_delta` is minus infinity where no result is a tie."""

    theta: list[float]
    log_delta: float


class BySeed(NamedTuple):
    """What the results say of the certainty of a fit, each for all entrants.

    `robust` is the variance by what the seeds' results came to (the sandwich), `model` the variance if all matches
    were independent, `prior` what the prior adds to either. `seeds` counts those that a bot took part in, `alike` how
    many equally informative ones they come to, `worth` how many if each were a seed between equals.

    Over all bots: the squares of the seeds' scores sum up to `energy`, where independent matches would come to
    `wanted`; there are `repeats` matches of the same bots on a seed.
    """

    robust: list[float]
    model: list[float]
    prior: list[float]
    seeds: list[int]
    alike: list[float]
    worth: list[float]
    energy: float
    wanted: float
    repeats: float


class Reckoner(Protocol):
    """Sums over the results of one contest; parameters are strengths, and log delta last where there are ties."""

    entrants: int
    has_ties: bool
    all_seeds: int
    pairs: list[tuple[int, int]]  # of entrants that met, the lower number first
    matches: list[int]  # by entrant: the seats that it had

    def value(self, point: Sequence[float]) -> float:
        """The logarithm of the likelihood, without the prior."""

    def step(self, point: Sequence[float], prior: float) -> list[float]:
        """Newton's step with the prior."""

    def by_seed(self, point: Sequence[float], prior: float, groups: list[list[int]]) -> BySeed:
        """How certain a fit is, by seed: variances of the difference to the mean of the group."""

    def own(self, point: Sequence[float], entrant: int) -> Any:
        """One entrant's part of the results, for `along`."""

    def along(self, own: Any, at: float) -> tuple[float, float, float]:
        """Value, slope and negative curvature of the entrant's part with the strength `at`, others as they are."""


def fit(reckoner: Reckoner, prior: float = PRIOR) -> Fit:
    """The parameters under which results and prior are most likely, by Newton's method with a search along the line.

    It is the same for every order of the results. `ArithmeticError` if it does not converge, which would be a defect.
    """
    point = [0.0] * (reckoner.entrants + reckoner.has_ties)
    here = reckoner.value(point) + prior_value(reckoner, point, prior)
    for _ in range(STEPS):
        step = reckoner.step(point, prior)
        size = max(map(abs, step), default=0.0)
        if size > FAR:
            step, size = [part * FAR / size for part in step], FAR
        while True:
            there = [at + part for at, part in zip(point, step, strict=True)]
            value = reckoner.value(there) + prior_value(reckoner, there, prior)
            if value >= here - NEARLY * abs(here) or size <= EXACT:
                break
            step, size = [part / 2 for part in step], size / 2
        point, here = there, value
        if size <= EXACT:
            return fit_of(reckoner, point)
    raise ArithmeticError("the fit of strengths comes to no end")


def fit_of(reckoner: Reckoner, point: Sequence[float]) -> Fit:
    """A point's parameters."""
    theta = [float(part) for part in point[: reckoner.entrants]]
    return Fit(theta, float(point[-1]) if reckoner.has_ties else -math.inf)


def point_of(reckoner: Reckoner, fitted: Fit) -> list[float]:
    """A fit's point."""
    return [*fitted.theta, fitted.log_delta] if reckoner.has_ties else fitted.theta


def prior_value(reckoner: Reckoner, point: Sequence[float], prior: float) -> float:
    """What the prior adds to the logarithm of the likelihood."""
    total = sum(ghost_value(part) for part in point[: reckoner.entrants])
    if reckoner.has_ties:
        total += point[-1] - 2 * _log_add(point[-1], GHOSTS_TIE)
    return prior * total


def prior_slopes(reckoner: Reckoner, point: Sequence[float], prior: float) -> tuple[list[float], list[float]]:
    """What the prior adds to the slope, and to the diagonal of the negative curvature."""
    shares = [logistic(part) for part in point[: reckoner.entrants]]
    if reckoner.has_ties:
        shares.append(logistic(point[-1] - GHOSTS_TIE))
    return [prior * (1 - 2 * share) for share in shares], [2 * prior * share * (1 - share) for share in shares]


def ghost_value(theta: float) -> float:
    """The logarithm of the odds of having won and lost against the ghost."""
    return theta - 2 * _log_add(theta, 0.0)


def logistic(number: float) -> float:
    """1 / (1 + exp(-number)), for any number."""
    if number >= 0:
        return 1 / (1 + math.exp(-number))
    weak = math.exp(number)
    return weak / (1 + weak)


def _log_add(one: float, other: float) -> float:
    """The logarithm of a sum of two numbers whose logarithms these are."""
    return max(one, other) + math.log1p(math.exp(-abs(one - other)))
