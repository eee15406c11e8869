"""Published ratings: strengths on the Elo scale, intervals, and places as far as they are known.

A difference of 400 points is odds of 10 to 1 of standing before the other when the two meet, shared places set aside,
with any number of seats and whatever else sits in the match. The mean of all bots is 1500. Ratings of different
contests cannot be compared.

Nothing has to be installed for this; with NumPy, many bots and matches are quicker, with the same numbers.
"""

from __future__ import annotations

import bisect
import importlib.util
import math
from collections.abc import Iterable, Sequence

import msgspec

from dohyo.core.errors import OperatorError
from dohyo.series.ratings.bradley_terry import Reckoner, fit
from dohyo.series.ratings.intervals import intervals
from dohyo.series.ratings.meetings import Matches, checked, groups_of

CENTRE = 1500.0
ELO = 400 / math.log(10)  # points for one unit of a natural logarithm of odds
MAX_PLAIN = 300  # entrants without NumPy: some seconds
FEW = 40  # entrants and, below, matches that are sooner reckoned in plain Python than NumPy is imported
FEW_MATCHES = 5_000


class Rating(msgspec.Struct, frozen=True):
    """One entrant's rating in Elo points, and its 95 % interval."""

    number: int
    rating: float
    low: float
    high: float
    matches: int


class Ratings(msgspec.Struct, frozen=True):
    """All ratings, best first (then by number). Where `groups` are several, no results connect them."""

    ratings: tuple[Rating, ...]
    groups: tuple[tuple[int, ...], ...]


def rate(matches: Iterable[Matches], entrants: int, *, has_intervals: bool = True) -> Ratings:
    """The ratings of entrants 0 to `entrants` - 1 by all results at once, in whatever order they come.

    Results are `meetings.Matches`, a part for each number of seats (`meetings.matches_of` makes them). Without
    intervals, low and high equal the rating. `ValueError` when a seat is no entrant; `OperatorError` when there are
    more than `MAX_PLAIN` entrants, and NumPy is not installed.
    """
    found = checked(matches, entrants)
    if entrants == 0:
        return Ratings((), ())
    reckoner = reckoner_of(found, entrants)
    groups = groups_of(reckoner.pairs, entrants)
    fitted = fit(reckoner)
    zero = math.fsum(fitted.theta) / entrants
    ends = [(0.0, 0.0)] * entrants
    if has_intervals:
        ends = intervals(reckoner, fitted, groups)
    rows = []
    for number, (theta, (below, above)) in enumerate(zip(fitted.theta, ends, strict=True)):
        rating = CENTRE + ELO * (theta - zero)
        rows.append(Rating(number, rating, rating - ELO * below, rating + ELO * above, reckoner.matches[number]))
    best_first = sorted(rows, key=lambda row: (-row.rating, row.number))
    return Ratings(tuple(best_first), tuple(tuple(group) for group in groups))


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
