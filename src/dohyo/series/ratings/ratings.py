"""Published ratings: strengths on the Elo scale, intervals, and places as far as they are known.

A difference of 400 points is odds of 10 to 1 of standing before the other when the two meet, shared places set aside,
with any number of seats and whatever else sits in the match. The mean of all bots is 1500; or one bot, the anchor, is
fixed there, and all intervals are then of the difference to it. Ratings of different contests cannot be compared.

Nothing has to be installed for this; with NumPy, many bots and matches are quicker, with the same numbers.
"""

from __future__ import annotations

import bisect
import importlib.util
import math
from collections.abc import Iterable, Sequence

import msgspec

from dohyo.core.errors import OperatorError
from dohyo.series.ratings.bradley_terry import PRIOR, Reckoner, fit
from dohyo.series.ratings.intervals import SURE, intervals
from dohyo.series.ratings.meetings import Matches, checked, groups_of

CENTRE = 1500.0
ELO = 400 / math.log(10)  # points for one unit of a natural logarithm of odds
MAX_PLAIN = 300  # entrants without NumPy: some seconds
FEW = 40  # entrants and, below, matches that are sooner reckoned in plain Python than NumPy is imported
FEW_MATCHES = 5_000


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
    matches: Iterable[Matches],
    entrants: int,
    *,
    anchor: int | None = None,
    sure: float = SURE,
    prior: float = PRIOR,
    has_intervals: bool = True,
) -> Ratings:
    """The ratings of entrants 0 to `entrants` - 1 by all results at once, in whatever order they come.

    Results are `meetings.Matches`, a part for each number of seats (`meetings.matches_of` makes them). `sure` is the
    probability that an interval holds the truth, `prior` the weight in matches of the prior (`bradley_terry`).
    Without intervals, low and high equal the rating. `ValueError` when an anchor or a seat is no entrant;
    `OperatorError` when there are more than `MAX_PLAIN` entrants, and NumPy is not installed.
    """
    found = checked(matches, entrants)
    if anchor is not None and not 0 <= anchor < entrants:
        raise ValueError(f"the anchor {anchor} is not one of {entrants} entrants")
    if entrants == 0:
        return Ratings((), (), 0.0)
    reckoner = reckoner_of(found, entrants)
    groups = groups_of(reckoner.pairs, entrants)
    fitted = fit(reckoner, prior)
    zero = math.fsum(fitted.theta) / entrants if anchor is None else fitted.theta[anchor]
    ends = [(0.0, 0.0)] * entrants
    if has_intervals:
        ends = intervals(reckoner, fitted, prior, groups, anchor, sure)
    rating = [CENTRE + ELO * (theta - zero) for theta in fitted.theta]
    low = [at - ELO * below for at, (below, _) in zip(rating, ends, strict=True)]
    high = [at + ELO * above for at, (_, above) in zip(rating, ends, strict=True)]
    ranges = places(low, high, groups)
    counts = reckoner.matches
    rows = [
        Rating(number, rating[number], low[number], high[number], *ranges[number], counts[number])
        for number in range(entrants)
    ]
    return Ratings(
        tuple(sorted(rows, key=lambda row: (-row.rating, row.number))),
        tuple(tuple(group) for group in groups),
        math.exp(fitted.log_delta),
    )


def reckoner_of(matches: Sequence[Matches], entrants: int) -> Reckoner:
    """What sums the results up: NumPy if it is there and worth its import. `OperatorError` as for `rate`."""
    is_small = entrants <= FEW and sum(len(block.seeds) for block in matches) <= FEW_MATCHES
    if not is_small and importlib.util.find_spec("numpy") is not None:
        from dohyo.series.ratings.arrays import ArrayReckoner

        return ArrayReckoner(matches, entrants)
    from dohyo.series.ratings.plain import PlainReckoner

    if entrants > MAX_PLAIN:
        raise OperatorError("needs-numpy", entrants=entrants, most=MAX_PLAIN)
    return PlainReckoner(matches, entrants)


def places(low: Sequence[float], high: Sequence[float], groups: Iterable[Sequence[int]]) -> list[tuple[int, int]]:
    """For each interval the best and the worst place that it may hold: before and after all that overlap it.

    Of bots in another group, which no results connect, nobody knows whether they are better or worse.
    """
    found = [(1, len(low))] * len(low)
    for group in groups:
        ends, starts = sorted(high[at] for at in group), sorted(low[at] for at in group)
        for at in group:
            surely_better = len(group) - bisect.bisect_right(starts, high[at])
            surely_worse = bisect.bisect_left(ends, low[at])
            found[at] = (surely_better + 1, len(low) - surely_worse)
    return found


def expected(difference: float) -> float:
    """The probability of standing before another who is rated `difference` points lower, ties set aside."""
    return 1 / (1 + 10 ** (-difference / 400))
