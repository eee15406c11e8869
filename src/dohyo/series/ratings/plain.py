"""The sums of a rating in plain Python: enough for a few hundred bots, and for any machine.

`arrays` does the same with NumPy, line by line.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from operator import mul, sub
from typing import NamedTuple

from dohyo.series.ratings.bradley_terry import BySeed, prior_slopes
from dohyo.series.ratings.meetings import WHOLE, Matches, Meetings, meetings_of

Matrix = list[list[float]]
SHRINK = 0.2  # of a step: the next one with the same factor is no longer
NEAR, SHARP = 1e-6, 1e-4  # steps that are shorter decide the last digits: the same for these
MAX_LEVERAGE = 0.9  # of a seed: how much of what is known of its bots is known by it alone


class Pair(NamedTuple):
    """Two bots, and how often the first was placed before the second, level with it, and behind it."""

    first: int
    second: int
    before: float
    level: float
    behind: float


class PlainReckoner:
    """Sums over a contest's results without NumPy; parameters are strengths, and log delta last if there are ties."""

    def __init__(self, matches: Sequence[Matches], entrants: int) -> None:
        self.entrants = entrants
        self.meetings: Meetings = meetings_of(matches)
        self._factor: Matrix | None = None  # of the curvature at some step before
        self._size = 0.0  # of the last step
        self.has_ties = any(self.meetings.level)
        self.all_seeds = self.meetings.seed[-1] + 1 if self.meetings.seed else 0
        sums: dict[tuple[int, int], list[int]] = {}
        for _, one, other, *ways in zip(*self.meetings, strict=True):
            found = sums.setdefault((one, other), [0, 0, 0])
            for at, way in enumerate(ways):
                found[at] += way
        self._pairs = [Pair(*pair, *(way / WHOLE for way in sums[pair])) for pair in sorted(sums)]
        self.pairs = sorted(sums)
        self.matches = [0] * entrants
        for block in matches:
            for seat in block.seats:
                self.matches[seat] += 1
        self._of: dict[int, list[tuple[int, float, float, float]]] = {}
        for one, other, before, level, behind in self._pairs:
            self._of.setdefault(one, []).append((other, before, level, behind))
            self._of.setdefault(other, []).append((one, behind, level, before))

    def value(self, point: Sequence[float]) -> float:
        """The logarithm of the likelihood, without the prior."""
        log_delta = point[-1] if self.has_ties else -math.inf
        total = 0.0
        for one, other, before, level, behind in self._pairs:
            total += _likelihood(point[one] - point[other], log_delta, before, level, behind)
        return total

    def step(self, point: Sequence[float], prior: float) -> list[float]:
        """Newton's step with the prior."""
        slope, diagonal = prior_slopes(self, point, prior)
        log_delta = point[-1] if self.has_ties else -math.inf
        for one, other, before, level, behind in self._pairs:
            mean, tied = _expected(point[one] - point[other], log_delta)
            count = before + level + behind
            net = (before - behind) / 2 - count * mean
            slope[one] += net
            slope[other] -= net
            if self.has_ties:
                slope[-1] += level - count * tied
        return self._solution(point, diagonal, slope)

    def _solution(self, point: Sequence[float], diagonal: Sequence[float], slope: Sequence[float]) -> list[float]:
        """The step by the curvature. Its factor costs most: that of an earlier step does while steps shrink."""
        if self._factor is not None:
            found = _solved(self._factor, slope)
            size = max(map(abs, found))
            if size <= (SHRINK if size > NEAR else SHARP) * self._size:
                self._size = size
                return found
        self._factor = _cholesky(self._curvature(point, diagonal))
        found = _solved(self._factor, slope)
        self._size = max(map(abs, found), default=0.0)
        return found

    def by_seed(self, point: Sequence[float], prior: float, groups: list[list[int]]) -> BySeed:
        """How certain a fit is, by seed: variances of the difference to the mean of the group."""
        diagonal = prior_slopes(self, point, prior)[1]
        inverse = _inverse(_cholesky(self._curvature(point, diagonal)))
        products = [[0.0] * len(point) for _ in point]
        about = {bot: _Known() for bot in range(self.entrants)}
        energy = wanted = again = count = 0.0
        for seed in self._seeds(point, inverse):
            for one, score in seed.scores.items():
                row = products[one]
                for other, its in seed.scores.items():
                    row[other] += score * its
            for bot, own in seed.known.items():
                energy += seed.scores[bot] ** 2
                wanted += own
                about[bot].add(own, seed.most[bot])
            again += seed.weight * seed.weight * (len(seed.known) + 1) / 3
            count += seed.weight
        robust, model, own_prior = [0.0] * self.entrants, [0.0] * self.entrants, [0.0] * self.entrants
        for group in groups:
            origin = [sum(column) / len(group) for column in zip(*(inverse[bot] for bot in group), strict=True)]
            for bot in group:
                apart = list(map(sub, inverse[bot], origin))
                robust[bot] = _within(products, apart)
                own_prior[bot] = sum(map(mul, diagonal, map(mul, apart, apart)))
                # By the whole curvature a row of its inverse is a row of the unit matrix: no product is needed.
                rest = sum(apart[at] for at in group) / len(group)
                model[bot] = max(0.0, apart[bot] - rest - own_prior[bot])
        known = about.values()
        return BySeed(
            robust,
            model,
            own_prior,
            [each.seeds for each in known],
            [each.alike for each in known],
            [each.worth for each in known],
            energy,
            wanted,
            again / count if count else 1.0,
        )

    def own(self, point: Sequence[float], entrant: int) -> tuple[float, list[tuple[float, float, float, float]]]:
        """One entrant's part of the results, for `along`."""
        met = [
            (point[other], (before - behind) / 2, before + level + behind, level)
            for other, before, level, behind in self._of.get(entrant, [])
        ]
        return point[-1] if self.has_ties else -math.inf, met

    def along(
        self, own: tuple[float, list[tuple[float, float, float, float]]], at: float
    ) -> tuple[float, float, float]:
        """Value, slope and negative curvature of the entrant's part with the strength `at`, others as they are."""
        value = slope = curvature = 0.0
        exp, log, sign, (log_delta, met) = math.exp, math.log, math.copysign, own
        ties = log_delta if self.has_ties else 0.0
        for other, net, count, level in met:  # as `_likelihood` and `_expected`, together: these are most of a report
            apart = at - other
            far = abs(apart) / 2
            weak, tie = exp(-2 * far), exp(log_delta - far)
            z = 1 + weak + tie
            mean = sign((1 - weak) / (2 * z), apart)
            value += net * apart - count * (far + log(z)) + level * ties
            slope += net - count * mean
            curvature += count * ((1 - tie / z) / 4 - mean * mean)
        return value, slope, curvature

    def _curvature(self, point: Sequence[float], diagonal: Sequence[float]) -> Matrix:
        """The negative curvature, with that added to its diagonal."""
        width = len(point)
        found = [[0.0] * width for _ in range(width)]
        for at, part in enumerate(diagonal):
            found[at][at] = part
        log_delta = point[-1] if self.has_ties else -math.inf
        for one, other, before, level, behind in self._pairs:
            count = before + level + behind
            mean, tied = _expected(point[one] - point[other], log_delta)
            own = count * ((1 - tied) / 4 - mean * mean)
            found[one][one] += own
            found[other][other] += own
            found[one][other] -= own
            found[other][one] -= own
            if self.has_ties:
                along = count * mean * tied
                found[one][-1] -= along
                found[-1][one] -= along
                found[other][-1] += along
                found[-1][other] += along
                found[-1][-1] += count * tied * (1 - tied)
        return found

    def _seeds(self, point: Sequence[float], inverse: Matrix) -> Iterator[_Seed]:
        """What each seed says, one after the other."""
        log_delta = point[-1] if self.has_ties else -math.inf
        last = self.entrants
        for _, rows in itertools.groupby(zip(*self.meetings, strict=True), key=lambda row: row[0]):
            scores: dict[int, float] = {}
            known: dict[int, float] = {}
            most: dict[int, float] = {}
            leverage = total = pairs = 0.0
            for _, one, other, *ways in rows:
                before, level, behind = (way / WHOLE for way in ways)
                count = before + level + behind
                mean, tied = _expected(point[one] - point[other], log_delta)
                net = (before - behind) / 2 - count * mean
                own = count * ((1 - tied) / 4 - mean * mean)
                for bot, score in ((one, net), (other, -net)):
                    scores[bot] = scores.get(bot, 0.0) + score
                    known[bot] = known.get(bot, 0.0) + own
                    most[bot] = most.get(bot, 0.0) + count / 4
                if self.has_ties:
                    scores[last] = scores.get(last, 0.0) + level - count * tied
                leverage += own * (inverse[one][one] + inverse[other][other] - 2 * inverse[one][other])
                total += count
                pairs += 1
            grow = (1 - min(leverage / (len(known) - 1), MAX_LEVERAGE)) ** -0.5
            yield _Seed({at: grow * score for at, score in scores.items()}, known, most, total / pairs)


class _Seed(NamedTuple):
    """What the matches of a seed say: scores by parameter; what is known by them of bots, and what could be."""

    scores: dict[int, float]
    known: dict[int, float]
    most: dict[int, float]
    weight: float  # what the matches of a pair weigh


class _Known:
    """What is known of a bot, from seed to seed."""

    def __init__(self) -> None:
        self.seeds = 0
        self._own = self._squares = self._most = 0.0

    def add(self, own: float, most: float) -> None:
        """A seed says so much, and could say so much at most."""
        self.seeds += 1
        self._own += own
        self._squares += own * own
        self._most += most

    @property
    def alike(self) -> float:
        """How many equally informative seeds they come to."""
        return self._own * self._own / self._squares if self._squares else 0.0

    @property
    def worth(self) -> float:
        """How many seeds between equals they come to: less what was to be foreseen."""
        return self.alike * self._own / self._most if self._most else 0.0


def _expected(apart: float, log_delta: float) -> tuple[float, float]:
    """The mean of a pair's score (a half, 0 or minus a half), and the probability of a tie."""
    far = abs(apart) / 2
    weak = math.exp(-2 * far)  # the stronger one's is 1: nothing overflows, however far apart they are
    tie = math.exp(log_delta - far)
    z = 1 + weak + tie
    return math.copysign((1 - weak) / (2 * z), apart), tie / z


def _likelihood(apart: float, log_delta: float, before: float, level: float, behind: float) -> float:
    """The logarithm of the probability of a pair's results."""
    far = abs(apart) / 2
    z = 1 + math.exp(-2 * far) + math.exp(log_delta - far)
    value = (before - behind) / 2 * apart - (before + level + behind) * (far + math.log(z))
    return value + level * log_delta if level else value


def _within(matrix: Matrix, vector: Sequence[float]) -> float:
    """The vector's square by a symmetrical matrix."""
    products: list[float] = [sum(map(mul, row, vector)) for row in matrix]
    found: float = sum(map(mul, vector, products))
    return found


def _cholesky(matrix: Matrix) -> Matrix:
    """The lower triangle whose square is the positive matrix."""
    found: Matrix = []
    for at, row in enumerate(matrix):
        own: list[float] = []
        for other in range(at):
            own.append((row[other] - sum(map(mul, own, found[other]))) / found[other][other])
        own.append(math.sqrt(row[at] - sum(map(mul, own, own))))
        found.append(own)
    return found


def _solved(factor: Matrix, right: Sequence[float]) -> list[float]:
    """The solution of the equations whose matrix has that factor."""
    found: list[float] = []
    for row, part in zip(factor, right, strict=True):
        found.append((part - sum(map(mul, row, found))) / row[-1])
    for at in range(len(found) - 1, -1, -1):
        found[at] /= factor[at][at]
        for below, part in enumerate(factor[at][:at]):
            found[below] -= part * found[at]
    return found


def _inverse(factor: Matrix) -> Matrix:
    """The inverse of the matrix that has that factor."""
    width = len(factor)
    columns: Matrix = []  # of the factor's inverse, each from its diagonal on
    for start in range(width):
        own: list[float] = [1 / factor[start][start]]
        for at in range(start + 1, width):
            row = factor[at]
            own.append(-sum(map(mul, row[start:at], own)) / row[at])
        columns.append(own)
    found = [[0.0] * width for _ in range(width)]
    for one in range(width):
        for other in range(one, width):
            part = sum(map(mul, columns[one][other - one :], columns[other]))
            found[one][other] = found[other][one] = part
    return found
