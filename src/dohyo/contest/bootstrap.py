"""How certain a fit is: strengths are fitted again under random weights of the clusters.

Rubin's Bayesian bootstrap ("The Bayesian bootstrap", Annals of Statistics 9 (1981), 130-134): each cluster, that is
all results of a seed together, gets a weight with exponential distribution, so that no bot is ever without results.
The prior's half matches get weights too, with the gamma distribution of shape 1/2: for matches against one opponent
all this comes to Jeffreys' interval, beta(wins + 1/2, losses + 1/2), which is honest about a bot that has
won or lost everything, too.

A bootstrap of few clusters gives intervals that are too narrow. Its interval is therefore widened from the normal
distribution's quantile to Student's, and by the bootstrap's own bias, with the number of clusters that the bot took
part in. From one seed, it cannot be known how much seeds matter: then the interval is at least that of a bot without
results.
"""

from __future__ import annotations

from typing import NamedTuple

from dohyo.contest.bradley_terry import CELLS, PRIOR, Fit, Prior, curvature_factor, fit, usual_prior
from dohyo.contest.libraries import Floats, Ints, np, special
from dohyo.contest.result_arrays import Pairs
from dohyo.contest.spread import Spread

SAMPLES = 200
SURE = 0.95
ROUGH = 3e-3  # a sample's strengths are accurate to half an Elo point, which is enough


class Intervals(NamedTuple):
    """The lower and upper ends, each (entrants,), in natural logarithms as `Fit.theta`."""

    low: Floats
    high: Floats


def sampled(
    pairs: Pairs,
    fitted: Fit,
    samples: int = SAMPLES,
    seed: int = 0,
    prior: float = PRIOR,
    spread: Spread | None = None,
) -> Floats:
    """Strengths (samples, entrants) under random weights, a function of the results' content and `seed`.

    With a `spread` each sample has one that is drawn from it, and strengths that are drawn by it to be pulled to.
    """
    clusters, entrants = pairs.outcomes.shape[1], pairs.entrants
    plain = usual_prior(prior)
    factor = curvature_factor(pairs, pairs.weighed(np.ones((clusters, 1))), plain, fitted.point)
    some = max(1, CELLS // max(3 * len(pairs.first), clusters, entrants**2))
    found = np.empty((samples, entrants))
    for begin in range(0, samples, some):
        part = [_drawn(_Uniform(seed, at), clusters, entrants, prior, spread)
                for at in range(begin, min(begin + some, samples))]  # fmt: skip
        weights = np.stack([weight for weight, _ in part], axis=-1)
        ghosts = Prior._make(np.stack(values, axis=-1) for values in zip(*(ghost for _, ghost in part), strict=True))
        fits = fit(pairs, pairs.weighed(weights), ghosts, fitted.point, ROUGH, factor)
        found[begin : begin + some] = fits.theta(pairs).T
    return found


def _drawn(
    uniform: _Uniform, clusters: int, entrants: int, prior: float, spread: Spread | None
) -> tuple[Floats, Prior]:
    """One sample's weights of clusters, and its prior."""
    weights = -np.log(uniform.draw(clusters))
    wins, losses, (ties, decided) = (2 * prior * uniform.half_gamma(count) for count in (entrants, entrants, 2))
    if spread is None:
        return weights, Prior(wins, losses, ties, decided, np.zeros(entrants), 0.0)
    scale = spread.drawn(float(uniform.draw(1)[0]))
    return weights, Prior(wins, losses, ties, decided, scale * uniform.normal(entrants), scale**-2)


def intervals(centre: Floats, samples: Floats, played_in: Ints, sure: float = SURE) -> Intervals:
    """Intervals round `centre` (entrants,) that hold the truth with probability `sure`.

    `samples` is (samples, entrants), `played_in` the number of clusters that each entrant took part in.
    """
    tails = [(1 - sure) / 2, (1 + sure) / 2]
    # Of few samples the usual quantiles lie too far in: of 100 they hold 93 %, not 95. Weibull's do not.
    low, high = np.quantile(samples, tails, axis=0, method="weibull")
    widening = _widening(played_in, sure)
    below, above = np.maximum(centre - low, 0) * widening, np.maximum(high - centre, 0) * widening
    # One cluster says nothing about the variation between clusters.
    span = np.where(played_in <= 1, unknown(sure), 0)
    span[np.ptp(samples, axis=0) == 0] = 0  # the anchor of the scale is certain by definition
    return Intervals(centre - np.maximum(below, span), centre + np.maximum(above, span))


def unknown(sure: float = SURE) -> float:
    """Half the width of the interval of a bot without results, in natural logarithms: beta(1/2, 1/2)'s."""
    return float(special.logit(special.betaincinv(0.5, 0.5, (1 + sure) / 2)))


def _widening(clusters: Ints, sure: float) -> Floats:
    """By how much an interval from so many clusters is too narrow; 1 where there is at most one."""
    n = np.maximum(clusters, 2)
    quantile = special.stdtrit(n - 1, (1 + sure) / 2) / special.ndtri((1 + sure) / 2)
    widened: Floats = np.where(clusters > 1, quantile * np.sqrt((n + 1) / (n - 1)), 1.0)
    return widened


class _Uniform:
    """Random numbers of one sample: Philox's bits, which no later NumPy will change."""

    def __init__(self, seed: int, sample: int) -> None:
        self._bits = np.random.Philox(key=np.array([seed % 2**64, sample], dtype=np.uint64))

    def draw(self, count: int) -> Floats:
        """`count` numbers above 0 and below 1."""
        return ((self._bits.random_raw(count) >> np.uint64(11)).astype(np.float64) + 0.5) / 2.0**53

    def half_gamma(self, count: int) -> Floats:
        """Gamma distributed numbers of shape 1/2 (half the square of a normal one, by Box and Muller)."""
        squares: Floats = -np.log(self.draw(count)) * np.cos(2 * np.pi * self.draw(count)) ** 2
        return squares

    def normal(self, count: int) -> Floats:
        """Numbers with a normal distribution of mean 0 and variance 1."""
        numbers: Floats = special.ndtri(self.draw(count))
        return numbers
