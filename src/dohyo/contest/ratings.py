"""Published ratings: strengths on the Elo scale, intervals, and places as far as they are known.

A difference of 400 points is odds of 10 to 1 of standing before the other when the two meet, shared places set aside,
with any number of seats and whatever else sits in the match. The mean of all bots is 1500; or one bot, the anchor, is
fixed there, and all intervals are then of the difference to it. Ratings of different contests cannot be compared.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

from dohyo.contest.bootstrap import SAMPLES, SURE, Intervals, intervals, sampled
from dohyo.contest.bradley_terry import PRIOR, fit, usual_prior
from dohyo.contest.libraries import Floats, np
from dohyo.contest.result_arrays import EMPTY, ResultArrays, as_arrays, groups_of, pairs_of
from dohyo.contest.spread import spread, within
from dohyo.core.contest import Result

CENTRE = 1500.0
ELO = 400 / math.log(10)  # points for one unit of a natural logarithm of odds


class Rating(msgspec.Struct, frozen=True):
    """One entrant's rating in Elo points, its interval, and the places from `first` to `last` that it may hold."""

    number: int
    rating: float
    low: float
    high: float
    first: int
    last: int
    matches: int


class Ratings(msgspec.Struct, frozen=True):
    """All ratings, best first (then by number). Where `groups` are several, no results connect them.

    `ties` says how common shared places are: the odds of one between two equals are half of it.
    """

    ratings: tuple[Rating, ...]
    groups: tuple[tuple[int, ...], ...]
    ties: float

    @property
    def connected(self) -> bool:
        """Whether results connect all entrants, so that all ratings compare."""
        return len(self.groups) <= 1


def rate(
    results: ResultArrays | Sequence[Result],
    entrants: int,
    *,
    anchor: int | None = None,
    samples: int = SAMPLES,
    seed: int = 0,
    sure: float = SURE,
    prior: float = PRIOR,
    paired: bool = False,
) -> Ratings:
    """The ratings of entrants 0 to `entrants` - 1 by all results at once, in whatever order they come.

    `samples` is the bootstrap's number of samples (0: no intervals, low and high equal the rating), `seed` its seed,
    `sure` the probability that an interval holds the truth, `prior` the weight in matches of the prior
    (`bradley_terry`), `paired` whether bots that seemed equally strong met (`spread`). `ValueError` when an anchor or
    a seat is no entrant.
    """
    if not isinstance(results, ResultArrays):
        results = as_arrays(results)
    if anchor is not None and not 0 <= anchor < entrants:
        raise ValueError(f"the anchor {anchor} is not one of {entrants} entrants")
    if entrants == 0:
        return Ratings((), (), 0.0)
    pairs = pairs_of(results, entrants)
    outcomes = pairs.weighed(np.ones((pairs.outcomes.shape[1], 1)))
    usual = usual_prior(prior)
    fitted = fit(pairs, outcomes, usual)
    scales = spread(pairs, outcomes, fitted, prior) if paired else None
    if scales is not None:
        fitted = fit(pairs, outcomes, within(usual, scales.drawn(0.5)), fitted.point)
    theta = _centred(fitted.theta(pairs)[:, 0], anchor)
    ends = Intervals(theta, theta)
    if samples:
        drawn = _centred(sampled(pairs, fitted, samples, seed, prior, scales), anchor)
        ends = intervals(theta, drawn, pairs.played_in, sure)
    rating, low, high = (CENTRE + ELO * part for part in (theta, *ends))
    matches = np.bincount(results.seats[results.seats != EMPTY], minlength=entrants)
    ranges = places(low, high)
    rows = [
        Rating(number, float(rating[number]), float(low[number]), float(high[number]), *ranges[number], int(count))
        for number, count in enumerate(matches)
    ]
    ties = float(np.exp(fitted.point[-1, 0])) if pairs.has_ties else 0.0
    groups = tuple(tuple(group) for group in groups_of(results, entrants))
    return Ratings(tuple(sorted(rows, key=lambda row: (-row.rating, row.number))), groups, ties)


def places(low: Floats, high: Floats) -> list[tuple[int, int]]:
    """For each interval the best and the worst place that it may hold: before and after all that overlap it."""
    ends, starts = np.sort(high), np.sort(low)
    surely_better = len(low) - np.searchsorted(starts, high, side="right")
    surely_worse = np.searchsorted(ends, low, side="left")
    return [
        (int(better) + 1, len(low) - int(worse)) for better, worse in zip(surely_better, surely_worse, strict=True)
    ]


def expected(difference: float) -> float:
    """The probability of standing before another who is rated `difference` points lower, ties set aside."""
    return 1 / (1 + 10 ** (-difference / 400))


def _centred(theta: Floats, anchor: int | None) -> Floats:
    """Strengths (..., entrants) against the anchor, or against their mean."""
    zero = theta.mean(axis=-1, keepdims=True) if anchor is None else theta[..., anchor : anchor + 1]
    return theta - zero
