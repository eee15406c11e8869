"""How far apart strengths are, if results decide who meets.

A ladder pairs bots that seem equally strong. Two that by luck seem further apart than they are do not meet again, and
nothing corrects the error: then the most likely strengths are too far apart (in duels of 16 bots with 80 matches
each, by a seventh). An estimate that includes the distribution of strengths has no such error, whatever the pairing
was, because the results contain everything that decided who met. So strengths are assumed to be drawn from a normal
distribution round a common mean; its deviation is not known either, so each possible one is weighted by how likely it
makes the results (a hierarchical model; Gelman and others, Bayesian Data Analysis, chapter 5; the half-Cauchy prior
is that of Gelman, Bayesian Analysis 1 (2006), 515-534).
"""

from __future__ import annotations

import math
from typing import NamedTuple

from dohyo.contest.bradley_terry import CELLS, PRIOR, Fit, Prior, fit, log_evidence, usual_prior
from dohyo.contest.libraries import Floats, np, special
from dohyo.contest.result_arrays import Pairs

SCALES = np.geomspace(0.1, 6.0, 22)  # deviations that are looked at, in natural logarithms of odds: 17 to 1000 Elo
USUAL = 1.0  # half of all contests are assumed to have a greater one: 174 Elo
ROUGH = 1e-3
NODES, WEIGHTS = np.polynomial.hermite_e.hermegauss(48)


class Spread(NamedTuple):
    """Possible deviations of the strengths, and the probability that the true one is at most so great; both (n,)."""

    scales: Floats
    up_to: Floats

    def drawn(self, uniform: float) -> float:
        """The deviation at that part (above 0 and below 1) of the distribution."""
        return float(np.interp(uniform, self.up_to, self.scales))


def spread(pairs: Pairs, outcomes: Floats, start: Fit, weight: float = PRIOR) -> Spread:
    """How far apart strengths lie, as far as the results (`bradley_terry.fit`) tell."""
    found = np.empty(len(SCALES))
    some = max(1, CELLS // max(len(start.point) ** 2, 3 * len(pairs.first), 1))
    for begin in range(0, len(SCALES), some):
        part = slice(begin, begin + some)
        prior = within(usual_prior(weight), SCALES[part])
        counted = np.repeat(outcomes, len(SCALES[part]), axis=2)
        fitted = fit(pairs, counted, prior, start.point, ROUGH)
        found[part] = log_evidence(pairs, counted, prior, fitted)
    found += [_log_prior(float(scale), pairs.entrants, weight) for scale in SCALES]
    # By the trapezium rule over the logarithm of the deviation.
    density = np.exp(found - found.max()) * SCALES
    up_to = np.concatenate([[0.0], np.cumsum((density[1:] + density[:-1]) / 2)])
    return Spread(SCALES, up_to / up_to[-1])


def within(prior: Prior, scale: Floats | float) -> Prior:
    """The prior, with strengths round 0 by a normal distribution of that deviation."""
    return prior._replace(centre=0.0, sharpness=np.power(scale, -2.0))


def _log_prior(scale: float, entrants: int, weight: float) -> float:
    """The prior of a deviation, and the constant that normalises the strengths' distribution with it."""
    ghost = weight * (special.log_expit(scale * NODES) + special.log_expit(-scale * NODES))
    normal = math.log(scale) + math.log(float(WEIGHTS @ np.exp(ghost)))
    return -math.log1p((scale / USUAL) ** 2) - entrants * normal
