"""What cost a bot points: groups of its matches compared with its other ones, many at once, and still true.

Theory of operation
-------------------
A match counts once: it is one number, its points from 0 to 1, the share of opponents that the bot stood before. A
group of matches (with a time-out, on a seat, against an opponent) is compared with the bot's other ones. `usual` is
the same difference among other bots, where that is known: what a seat costs everybody is no mistake of one bot.

How likely such a difference is by chance is worked out by a saddlepoint approximation (Lugannani and Rice, 1980) for
two means of draws from all of these points together: it holds for groups of ten, and where nearly all points are
alike, where a normal approximation claims too much. Of many questions asked at once, `holm` names those that
are answered: with a chance of at most `LEVEL` that any of them is wrong. What is named has, besides, the whole 95 %
interval of its cost above 0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import erfc, exp, log, pi, sqrt
from statistics import NormalDist, fmean, pvariance

import msgspec

from dohyo.core.contest import level

LEVEL = 0.02  # the chance that anything at all is named where nothing is wrong
FEW = 10  # matches in a group, and beside it: of fewer nothing is said
WIDE = NormalDist().inv_cdf(0.975)
STEPS = 60  # of Newton's method
STEEP = 700.0  # exponents that are still numbers
FINE = 1000  # parts of a point that are told apart
PRIOR = (0.0, 1.0)  # points that each group is given beside its own, for the interval (Agresti and Caffo)


class Usual(msgspec.Struct, frozen=True):
    """The difference that a group makes to other bots, as a mean, and its variance."""

    lost: float = 0.0
    variance: float = 0.0


class Compared(msgspec.Struct, frozen=True):
    """A group beside the others: the mean points of both, how much a match of it `lost`, and from when to where.

    `chance` is how likely so much is lost by chance, if this were the only question; `lost` is without what is usual.
    """

    matches: int
    points: float
    others: float
    lost: float
    chance: float
    spread: float

    @property
    def interval(self) -> tuple[float, float]:
        """From where to where all matches of the group lost points, in 95 of 100 such cases."""
        wide = WIDE * self.spread
        return (self.lost - wide) * self.matches, (self.lost + wide) * self.matches

    @property
    def cost(self) -> float:
        """The points that all its matches lost."""
        return self.lost * self.matches


def compared(inside: Sequence[float], beside: Sequence[float], usual: Usual | None = None) -> Compared | None:
    """The points of a group's matches beside those of the others; none where there are too few of either."""
    if len(inside) < FEW or len(beside) < FEW:
        return None
    known = usual or Usual()
    here, there = sum(inside) / len(inside), sum(beside) / len(beside)
    lost = there - here - known.lost
    pooled = Counter(round(FINE * one) / FINE for one in (*inside, *beside))
    chance = tail(lost, _Null(pooled, len(beside), len(inside), known.variance))
    spread = sqrt(_variance(inside) + _variance(beside) + known.variance)
    return Compared(len(inside), here, there, lost, chance, spread)


def below(values: Sequence[float], variance: float = 0.0, doubt: float = 0.0) -> Compared | None:
    """Numbers from -1 to 1, one a match, whose mean should be 0: how much they are below it.

    `variance` is that of what was expected of their mean, where that was only reckoned; `doubt` a further one, which
    would not be there if nothing was lost: it makes only the interval wider.
    """
    if len(values) < FEW:
        return None
    mean = sum(values) / len(values)
    lost = -mean
    centred = Counter(round(FINE * (mean - one)) / FINE for one in values)
    chance = tail(lost, _Null(centred, len(values), 0, variance))
    count = len(values)
    spread = sqrt(pvariance(values) * (count + len(PRIOR)) / (count - 1) / count + variance + doubt)
    return Compared(count, mean, 0.0, lost, chance, spread)


def _variance(values: Sequence[float]) -> float:
    """Of the mean of such numbers, with the prior ones among them."""
    known = (*values, *PRIOR)
    mean = sum(known) / len(known)
    return sum((one - mean) ** 2 for one in known) / len(known) / len(known)


def usual_of(inside: Mapping[int, Sequence[float]], beside: Mapping[int, Sequence[float]]) -> Usual | None:
    """What a group costs other bots: their points in it and beside it, by match; none where too few are known.

    A match that has both is one difference; of others, one mean a match counts.
    """
    both = inside.keys() & beside.keys()
    if len(both) >= FEW:
        lost = [fmean(beside[match]) - fmean(inside[match]) for match in both]
        return Usual(fmean(lost), (pvariance(lost) + 1 / len(lost)) / len(lost))
    parts = [[fmean(points) for points in part.values()] for part in (inside, beside)]
    if min(map(len, parts)) < FEW:
        return None
    spread = sum((pvariance(one) + 1 / len(one)) / len(one) for one in parts)
    return Usual(fmean(parts[1]) - fmean(parts[0]), spread)


# --- how likely a difference is by chance


class _Null:
    """Two means of draws from the same numbers: the cumulant function of their difference, and its derivatives."""

    def __init__(self, values: Counter[float], first: int, second: int, variance: float) -> None:
        count = values.total()
        self._rows = [(value, many / count) for value, many in values.items()]
        self._parts = [(first, 1.0 / first)] + ([(second, -1.0 / second)] if second else [])
        self._variance = variance

    def at(self, t: float) -> tuple[float, float, float]:
        """The function, its slope and its curvature."""
        found, slope, bend = self._variance * t * t / 2, self._variance * t, self._variance
        for many, scale in self._parts:
            most = max(value * t * scale for value, _ in self._rows)
            terms = [(value, share * exp(max(-STEEP, value * t * scale - most))) for value, share in self._rows]
            total = sum(term for _, term in terms)
            mean = sum(value * term for value, term in terms) / total
            square = sum((value - mean) ** 2 * term for value, term in terms) / total
            found += many * (most + log(total))
            slope += mean * many * scale
            bend += square * many * scale * scale
        return found, slope, bend


def tail(lost: float, null: _Null) -> float:
    """How likely a difference is at least this large; never less than it is, where that cannot be told exactly."""
    _, centre, bend = null.at(0.0)
    if lost <= centre or bend <= 0.0:
        return 1.0 if lost <= centre + 1e-12 else 0.0 if bend > 0.0 else 1.0
    low, high, t = 0.0, 1.0, (lost - centre) / bend
    while null.at(high)[1] < lost and high < 1e6:
        low, high = high, 2 * high
    for _ in range(STEPS):
        if not low < t < high:
            t = (low + high) / 2
        _, slope, bend = null.at(t)
        low, high = (t, high) if slope < lost else (low, t)
        if bend <= 0.0 or abs(slope - lost) < 1e-10:
            break
        t += (lost - slope) / bend
    found, _, bend = null.at(t)
    far = max(0.0, t * lost - found)
    bound = exp(-min(far, STEEP))  # Chernoff's
    w, u = sqrt(2 * far), t * sqrt(max(bend, 0.0))
    if w < 1e-4 or u < 1e-6:
        return min(0.5, bound)
    exact = erfc(w / sqrt(2)) / 2 + exp(-min(far, STEEP)) / sqrt(2 * pi) * (1 / u - 1 / w)
    return min(bound, exact) if exact > 0.0 else bound


# --- many questions at once


def holm(chances: Sequence[float], level: float = LEVEL) -> list[bool]:
    """Which of these questions are answered: the chance that any of the answers is wrong is at most `level`."""
    named = [False] * len(chances)
    for rank, at in enumerate(sorted(range(len(chances)), key=lambda one: chances[one])):
        if chances[at] > level / (len(chances) - rank):
            break
        named[at] = True
    return named


# --- the matches of a bot


class Own(msgspec.Struct, frozen=True):
    """One match of a bot: its points from 0 to 1, its seat, its faults, and whom it met."""

    match: int
    seat: int
    points: float
    faults: tuple[str, ...]
    others: tuple[str, ...]


class Group(msgspec.Struct, frozen=True):
    """Matches that have something in common: `kind` is fault, opponent or seat, `name` which one.

    `cost` are the points that all of them lost against the mean of the others, beyond what is `usual` for other bots,
    from `low` to `high`; `match` is the last one of them that was not won. `is_clear`: whether it is sure that these
    matches cost points.
    """

    kind: str
    name: str
    matches: int
    points: float
    others: float
    cost: float
    low: float
    high: float
    match: int
    seat: int
    is_clear: bool


Choice = Callable[[Own], bool]


def points_of(place: int, others: Iterable[int]) -> float:
    """The share of opponents that a place stood before; a tie (`level`) is half, and whoever is alone has nothing."""
    known = list(others)
    beaten = sum(place < other for other in known) + level([place, *known])[0] / 2
    return beaten / max(1, len(known))


def groups(own: Sequence[Own], choices: Sequence[tuple[str, str, Choice, Choice, Usual | None]]) -> list[Group]:
    """Every group that has enough matches, and as many beside it, all of them asked about at once.

    A choice has its kind and its name, which matches are in it, with which it is compared, and what is usual.
    """
    asked = []
    for kind, name, is_in, is_beside, usual in choices:
        inside, beside = [one for one in own if is_in(one)], [one for one in own if is_beside(one)]
        found = compared([one.points for one in inside], [one.points for one in beside], usual)
        if found is not None:
            asked.append((kind, name, inside, found))
    named = holm([found.chance for *_, found in asked])
    made = []
    for (kind, name, inside, found), is_named in zip(asked, named, strict=True):
        low, high = found.interval
        worst = ([one for one in inside if one.points < 1] or inside)[-1]
        told = (found.matches, found.points, found.others, found.cost, low, high)
        made.append(Group(kind, name, *told, worst.match, worst.seat, is_named and low > 0))
    return made
