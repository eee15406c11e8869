"""What a seat's position is worth, by what others made of positions like it: a regression over the matches at hand.

Where the begin and the middle of a match end, `entries.py` describes each seat's position by numbers of the state. A
logistic regression says by these how many points other bots then took. What a bot gets beyond that, or less, is its
own doing: in its begin, in its middle, in its end. No search is asked, nothing is known of the game but its state.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, sqrt
from statistics import fmean

from dohyo.guests.coach.entries import PHASES, Entry

ENOUGH = 60  # seats of others from which a regression is made; of fewer, their mean
FEWEST = 120  # seats of others, without which nothing is known
RIDGE = 15.0  # how much each weight is held back, in observations
ROUNDS = 12  # of Newton's method
MAX_FEATURES = 24
MOST = 4000  # seats from which it is made


class Regression:
    """A logistic regression from numbers to points between 0 and 1."""

    def __init__(self, rows: Sequence[Sequence[float]], points: Sequence[float], matches: Sequence[int]) -> None:
        """Fit it; numbers that are always the same are left out. `matches` says which rows are of one match."""
        count = max(1, len(rows))
        columns = [*zip(*rows, strict=True)]
        means = [sum(one) / count for one in columns]
        wide = [sqrt(sum((x - mean) ** 2 for x in one) / count) for one, mean in zip(columns, means, strict=True)]
        self._scale = [(at, means[at], wide[at]) for at in range(len(columns)) if wide[at] > 1e-9][:MAX_FEATURES]
        self._weights = [0.0] * (len(self._scale) + 1)
        self._bend: list[list[float]] = []
        known = [self._scaled(row) for row in rows]
        for _ in range(ROUNDS):
            if not self._step(known, points):
                break
        off: dict[int, list[float]] = {}
        for row, wanted, match in zip(known, points, matches, strict=True):
            missed = wanted - self._share(row)
            line = off.setdefault(match, [0.0] * len(self._weights))
            for at, x in enumerate(row):
                line[at] += missed * x
        self._off = [*off.values()]

    def _scaled(self, row: Sequence[float]) -> list[float]:
        return [1.0, *((row[at] - mean) / wide for at, mean, wide in self._scale)]

    def _step(self, rows: Sequence[list[float]], points: Sequence[float]) -> bool:
        """A step of Newton's; whether it moved."""
        size = len(self._weights)
        slope = [-RIDGE * weight if at else 0.0 for at, weight in enumerate(self._weights)]
        bend = [[RIDGE if at == to and at else 1e-6 if at == to else 0.0 for to in range(size)] for at in range(size)]
        for row, wanted in zip(rows, points, strict=True):
            found = self._share(row)
            off, curve = wanted - found, max(found * (1 - found), 1e-6)
            for at, x in enumerate(row):
                slope[at] += off * x
                line, weight = bend[at], curve * x
                for to in range(at + 1):
                    line[to] += weight * row[to]
        for at in range(size):
            for to in range(at):
                bend[to][at] = bend[at][to]
        self._bend = bend
        step = solved(bend, slope)
        self._weights = [weight + max(-2.0, min(2.0, one)) for weight, one in zip(self._weights, step, strict=True)]
        return max(map(abs, step)) > 1e-6

    def _share(self, row: Sequence[float]) -> float:
        total = sum(weight * x for weight, x in zip(self._weights, row, strict=True))
        return 1 / (1 + exp(-max(-30.0, min(30.0, total))))

    def __call__(self, row: Sequence[float]) -> float:
        """The points that others took from such a position."""
        return self._share(self._scaled(row))

    def doubt(self, rows: Sequence[Sequence[float]]) -> float:
        """The variance of the mean of what it says of these positions, as it would be in other matches.

        The seats of a match are no independent observations, so what it missed is summed by match (Liang and Zeger).
        """
        slope = [0.0] * len(self._weights)
        for row in map(self._scaled, rows):
            found = self._share(row)
            for at, x in enumerate(row):
                slope[at] += found * (1 - found) * x / len(rows)
        turned = solved(self._bend, slope) if self._bend else slope
        return sum(sum(one * other for one, other in zip(turned, line, strict=True)) ** 2 for line in self._off)


def solved(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """The solution of some linear equations, by Gauss with pivots."""
    size = len(right)
    rows = [[*line, value] for line, value in zip(matrix, right, strict=True)]
    for at in range(size):
        best = max(range(at, size), key=lambda one: abs(rows[one][at]))
        rows[at], rows[best] = rows[best], rows[at]
        pivot = rows[at][at] or 1e-12
        for below in range(at + 1, size):
            factor = rows[below][at] / pivot
            if factor:
                for to in range(at, size + 1):
                    rows[below][to] -= factor * rows[at][to]
    found = [0.0] * size
    for at in range(size - 1, -1, -1):
        rest = sum(rows[at][to] * found[to] for to in range(at + 1, size))
        found[at] = (rows[at][size] - rest) / (rows[at][at] or 1e-12)
    return found


class Course:
    """How a seat's chance went over a match: at its beginning, where the begin and the middle ended, its points."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        """`entries` are those of others, from which it learns."""
        self._usual = _means(entries)
        self._kinds = {kind: at for at, kind in enumerate(sorted({_kind(entry) for entry in entries}))}
        seats = max((entry.seat for entry in entries), default=0) + 1
        self._seats = seats
        self.is_known = len(entries) >= FEWEST  # whether there were enough matches of others
        self._cuts: list[Regression] = []
        for at in range(PHASES - 1):
            known = [entry for entry in entries if entry.cuts[at] is not None][:MOST]
            rows = [self._row(entry, at) if len(known) >= ENOUGH else [] for entry in known]
            matches = [entry.match.number for entry in known]
            self._cuts.append(Regression(rows, [entry.points for entry in known], matches))

    def _row(self, entry: Entry, at: int) -> list[float]:
        kind = self._kinds.get(_kind(entry), -1)
        told = [float(entry.seat == seat) for seat in range(1, min(self._seats, 5))]
        told += [float(kind == one) for one in range(1, min(len(self._kinds), 5))]
        return [*(entry.cuts[at] or ()), *told]

    def doubt(self, entries: Sequence[Entry], at: int) -> float:
        """The variance of these entries' mean chance, where the begin (0) or the middle (1) ended."""
        rows = [self._row(entry, at) for entry in entries if entry.cuts[at] is not None]
        if not rows:
            return 0.0
        return self._cuts[at].doubt(rows) * (len(rows) / len(entries)) ** 2

    def of(self, entry: Entry) -> list[float]:
        """The chances at both ends of each phase: one more than there are phases; the last are the points."""
        found = [self._usual.get(entry.seat, 0.5)]
        for at, fitted in enumerate(self._cuts):
            found.append(entry.points if entry.cuts[at] is None else fitted(self._row(entry, at)))
        return [*found, entry.points]


def _kind(entry: Entry) -> str:
    return "|".join(f"{key}={value}" for key, value in entry.conditions.items() if not key.startswith("field:"))


def _means(entries: Sequence[Entry]) -> dict[int, float]:
    """By seat the mean points, drawn toward a half where few sat there."""
    found: dict[int, list[float]] = {}
    for entry in entries:
        found.setdefault(entry.seat, [0.5] * 4).append(entry.points)
    return {seat: fmean(points) for seat, points in found.items()}
