"""How certain a fit is: all results of a seed are one observation, whichever bots and seatings they are of.

Matches of a seed have the same dice, so they may come out alike: a map that favours one bot's style favours it from
every seat. What a fit would come to on other seeds is therefore estimated from how the seeds' sums vary: the sandwich
estimator, clustered by seed (P. J. Huber, "The behavior of maximum likelihood estimates under nonstandard
conditions", Berkeley Symposium 5 (1967), 221-233; K.-Y. Liang and S. L. Zeger, "Longitudinal data analysis using
generalized linear models", Biometrika 73 (1986), 13-22). Residuals of a fit are smaller than its errors, the more so
the more a seed decided: each seed's are enlarged by what it decided (R. M. Bell and D. F. McCaffrey, "Bias reduction
in standard errors for linear regression with multi-stage samples", Survey Methodology 28 (2002), 169-181; CR2).

Of a bot with few seeds, or with next to no surprise in them (it won them all), that says little. So it is mixed with
what the model says, which is enlarged by how much seeds vary over all bots, as if that were known from `BELIEF` seeds
more; the interval is wider by Student's quantile for all of these (a moderated t: G. K. Smyth, "Linear models and
empirical Bayes methods", Statistical Applications in Genetics and Molecular Biology 3 (2004), 3).

An interval's ends are where the bot's own results become as unlikely as they do, by a normal distribution of that
variance, so many deviations away: a bot with five wins and no loss has an end near by and one far away. From one seed
it cannot be known how much seeds matter: the interval is then at least that of a bot without results.
"""

from __future__ import annotations

import math
from functools import lru_cache
from statistics import NormalDist
from typing import Any

from dohyo.series.ratings.bradley_terry import PRIOR, BySeed, Fit, Reckoner, ghost_value, logistic, point_of

SURE = 0.95
BELIEF = 4.0  # seeds that the model's variance counts for, beside a bot's own
AT_FIRST = 2.0  # seeds that it counts for that a seed's matches all come out alike, beside all seeds
NEAR = 1e-13  # an end is found when it moves by no more, in proportion
STEPS = 200


def intervals(reckoner: Reckoner, fitted: Fit, groups: list[list[int]]) -> list[tuple[float, float]]:
    """How far below and above its strength each entrant's 95 % interval ends, in natural logarithms.

    Intervals are of the difference to the mean of the bot's group.
    """
    point = point_of(reckoner, fitted)
    by_seed = reckoner.by_seed(point, PRIOR, groups)
    variances = mixed(by_seed, reckoner.all_seeds)
    found = []
    for number, variance in enumerate(variances):
        freedom = min(by_seed.alike[number] - 1 + BELIEF, reckoner.all_seeds - 1)
        deviations = student(max(1.0, freedom))
        own = reckoner.own(point, number)
        ends = [_end(reckoner, own, fitted.theta[number], variance, way * deviations) for way in (-1, 1)]
        least = unknown() if by_seed.seeds[number] <= 1 else 0.0
        found.append((max(least, -ends[0]), max(least, ends[1])))
    return found


def mixed(by_seed: BySeed, all_seeds: int) -> list[float]:
    """The variances of strengths: of the seeds, and of the model where these say little."""
    excess = by_seed.repeats
    if by_seed.wanted:
        excess = (by_seed.energy / by_seed.wanted * all_seeds + AT_FIRST * by_seed.repeats) / (all_seeds + AT_FIRST)
    found = []
    for robust, model, prior, worth in zip(by_seed.robust, by_seed.model, by_seed.prior, by_seed.worth, strict=True):
        own = worth / (worth + BELIEF)
        found.append(own * robust + (1 - own) * excess * model + prior)
    return found


def _end(reckoner: Reckoner, own: Any, theta: float, variance: float, deviations: float) -> float:
    """How far away a bot's own results are as unlikely as at so many deviations of a normal distribution."""

    def at(strength: float) -> tuple[float, float, float]:
        value, slope, curvature = reckoner.along(own, strength)
        share = logistic(strength)
        return (
            value + PRIOR * ghost_value(strength),
            slope + PRIOR * (1 - 2 * share),
            curvature + 2 * PRIOR * share * (1 - share),
        )

    if variance <= 0:
        return 0.0
    best, tilt, curvature = at(theta)
    away = math.copysign(math.sqrt(variance), deviations) * abs(deviations)
    wanted = abs(deviations) * math.sqrt(variance * curvature)
    for _ in range(STEPS):
        value, slope, _ = at(theta + away)
        fallen = best - value + tilt * away  # the fit's last error, a slope that should be 0, is taken out
        root = math.sqrt(max(2 * fallen, 1e-300))
        move = (wanted - root) * root / -(slope - tilt)
        if away + move == 0 or (away + move > 0) != (deviations > 0):
            move = -away / 2
        away += move
        if abs(move) <= NEAR * max(1.0, abs(away)):
            return away
    return away


def unknown() -> float:
    """Half the width of the interval of a bot without results, in natural logarithms: that of beta(1/2, 1/2)."""
    share = math.sin(math.pi * (1 + SURE) / 4) ** 2
    return math.log(share / (1 - share))


@lru_cache(maxsize=4096)
def student(freedom: float) -> float:
    """Student's quantile: within so many deviations lies 95 % of his distribution."""
    log_scale = math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2) - math.log(math.pi * freedom) / 2
    found = NormalDist().inv_cdf((1 + SURE) / 2)  # too near, and the density falls: each step stays too near
    for _ in range(STEPS):
        density = 2 * math.exp(log_scale - (freedom + 1) / 2 * math.log1p(found * found / freedom))
        move = (SURE - _within(found, freedom)) / density
        found += move
        if move <= NEAR * found:
            break
    return found


def _within(deviations: float, freedom: float) -> float:
    """The part of Student's distribution within so many deviations, either way."""
    beyond = freedom / (freedom + deviations * deviations)
    return 1 - _beta_share(beyond, freedom / 2, 0.5)


def _beta_share(at: float, a: float, b: float) -> float:
    """The regularised incomplete beta function, by Lentz's method for its continued fraction (DLMF 8.17.22)."""
    if at <= 0 or at >= 1:
        return float(at >= 1)
    if at > (a + 1) / (a + b + 2):
        return 1 - _beta_share(1 - at, b, a)
    front = math.exp(
        a * math.log(at) + b * math.log1p(-at) + math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) - math.log(a)
    )
    c, d = 1.0, 1 / (1 - (a + b) * at / (a + 1))
    found = d
    for step in range(1, 500):
        for part in (
            step * (b - step) * at / ((a + 2 * step - 1) * (a + 2 * step)),
            -(a + step) * (a + b + step) * at / ((a + 2 * step) * (a + 2 * step + 1)),
        ):
            d = 1 / (1 + part * d)
            c = 1 + part / c
            found *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return front * found
