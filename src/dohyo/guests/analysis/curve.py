"""The curve of a match: what a search judged in each turn, mended by matches that were played on.

Theory of operation
-------------------
A search judges a position for players who are as good as it is. How far these bots' chance is from that is not known
in one turn, but it changes slowly from turn to turn: the nearer two of them are in the match, the less. So, as a
logarithm of odds, the difference is taken for a value that wanders back to nought (an Ornstein-Uhlenbeck process).
Matches that were played on from some of the turns are what is observed of it. A pass forward and one back (Kalman's
filter, the smoother of Rauch, Tung and Striebel) give its mean and its error in every turn. Without observations the
error is the model's own: by how much searches of this game are off, `Judge.spread`. What is observed may say that it
is more: then the spread is taken, among some multiples, under which that is the likeliest.

Where the matches from a turn all end in the same state, luck decides nothing, and the chance there is known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import exp, log, sqrt
from typing import NamedTuple

WIDE = 1.96  # half of a 95 % interval, in standard errors
LEAST = 0.002  # a chance nearer to 0 or 1 is taken for this
KNOWN = 0.05  # the variance where luck decides nothing: these bots go on so, begun anew
SPREADS = 1, 1.5, 2, 3, 4  # multiples of the spread that are looked at
MEMORY = 8  # the difference is remembered for an eighth of the match ...
SHORTEST = 4.0  # ... or so many turns


class Seen(NamedTuple):
    """Matches that were played on from a turn: how many, and how many first places a seat had in them.

    `always` says that all ended in the same state.
    """

    times: int
    won: float
    always: bool = False


def mended(
    chances: Sequence[float],
    errors: Sequence[float],
    seen: Mapping[int, Seen],
    spread: float,
    places: Sequence[int] | None = None,
) -> list[tuple[float, float, float]]:
    """A seat's chance in each turn, and its 95 % interval.

    `chances` is what the search judged, `errors` half of its own 95 % interval; `seen` has the matches that were
    played on, by index in `chances`; `spread` is how far the search of this game is off, as a logarithm of odds.
    `places` are those of the turns in the match, where some in between were not judged.
    """
    if not chances:
        return []
    judged = [odds_of(chance) for chance in chances]
    observed = {at: _observed(judged[at], one) for at, one in seen.items()}
    at = range(len(chances)) if places is None else places
    looked = SPREADS if observed else SPREADS[:1]  # without observations each is as likely
    drift, _ = max((_smoothed(at, observed, times * spread) for times in looked), key=lambda one: one[1])
    found = []
    for chance, error, middle, (mean, variance) in zip(chances, errors, judged, drift, strict=True):
        own = (odds_of(chance + error) - odds_of(chance - error)) / 2
        wide = WIDE * sqrt(variance + (own / WIDE) ** 2)
        found.append((chance_of(middle + mean), chance_of(middle + mean - wide), chance_of(middle + mean + wide)))
    return found


def _observed(judged: float, seen: Seen) -> tuple[float, float]:
    """What matches say of the difference: its value and its variance. Never won is not impossible, by luck."""
    if seen.always:
        return odds_of(seen.won / seen.times) - judged, KNOWN
    share = (seen.won + 0.5) / (seen.times + 1)
    return odds_of(share) - judged, 1 / ((seen.times + 1) * share * (1 - share))


def _smoothed(
    places: Sequence[int], observed: Mapping[int, tuple[float, float]], spread: float
) -> tuple[list[tuple[float, float]], float]:
    """Mean and variance of what wanders, by turn; and the logarithm of how likely the observations are."""
    variance = spread**2
    turns = len(places)
    memory = max(SHORTEST, (places[-1] - places[0] + 1) / MEMORY)
    keeps = [exp(-(place - last) / memory) for last, place in pairwise(places)]  # of what was, up to the next one
    before: list[tuple[float, float]] = []  # of each turn, by those before it
    after: list[tuple[float, float]] = []  # with its own observation
    mean, wide, likely = 0.0, variance, 0.0
    for at in range(turns):
        if at:
            keep = keeps[at - 1]
            mean, wide = keep * mean, keep**2 * wide + variance * (1 - keep**2)
        before.append((mean, wide))
        if at in observed:
            value, error = observed[at]
            gain = wide / (wide + error)
            likely -= (log(wide + error) + (value - mean) ** 2 / (wide + error)) / 2
            mean, wide = mean + gain * (value - mean), (1 - gain) * wide
        after.append((mean, wide))
    found = after[-1:]
    for at in range(turns - 2, -1, -1):
        (mean, wide), (ahead, ahead_wide), (next_mean, next_wide) = after[at], before[at + 1], found[-1]
        back = wide * keeps[at] / ahead_wide if ahead_wide else 0.0
        found.append((mean + back * (next_mean - ahead), wide + back**2 * (next_wide - ahead_wide)))
    return found[::-1], likely


def odds_of(chance: float) -> float:
    """The logarithm of the odds of a chance."""
    bounded = min(max(chance, LEAST), 1 - LEAST)
    return log(bounded / (1 - bounded))


def chance_of(odds: float) -> float:
    """The chance with this logarithm of odds."""
    return 1 / (1 + exp(-odds))
