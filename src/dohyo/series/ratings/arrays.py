"""The sums of a rating with NumPy, for many bots and matches; importing this imports NumPy.

`plain` does the same in plain Python. Sums over a contest's meetings are made pair by pair, and for variances seed by
seed.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dohyo.series.ratings.bradley_terry import BySeed, prior_slopes
from dohyo.series.ratings.meetings import WHOLE, Matches, weight
from dohyo.series.ratings.plain import MAX_LEVERAGE

Ints: TypeAlias = NDArray[np.signedinteger[Any]]
Floats: TypeAlias = NDArray[np.float64]
FEW_BOTS = 16  # of a seed: so many are summed up side by side, more of them seed by seed


class ArrayReckoner:
    """Sums over a contest's results, by NumPy; parameters are strengths, and log delta last if there are ties."""

    def __init__(self, matches: Sequence[Matches], entrants: int) -> None:
        self.entrants = entrants
        self.matches = _seats(matches, entrants)
        seeds, keys, ways = _meetings(matches, entrants)
        self.has_ties = bool(ways[1].any())
        self._pair_keys, self._pair = np.unique(keys, return_inverse=True)
        self._one, self._other = self._pair_keys // entrants, self._pair_keys % entrants
        self.pairs = list(zip(self._one.tolist(), self._other.tolist(), strict=True))
        numbers, self._seed = np.unique(seeds, return_inverse=True)
        self.all_seeds = len(numbers)
        self._ways = ways / WHOLE
        # Whole numbers below 2**53 add up exactly, in whatever order.
        sums = [np.bincount(self._pair, weights=way, minlength=len(self.pairs)) for way in ways]
        self._sums = np.array(sums).reshape(3, len(self.pairs)) / WHOLE
        self._count = self._sums.sum(axis=0)
        order = np.argsort(np.concatenate([self._one, self._other]), kind="stable")
        self._rows = order % max(1, len(self.pairs)), order < len(self.pairs)
        self._starts = np.searchsorted(np.concatenate([self._one, self._other])[order], np.arange(entrants + 1))

    def value(self, point: Sequence[float]) -> float:
        """The logarithm of the likelihood, without the prior."""
        theta = np.array(point[: self.entrants])
        return float(_likelihood(theta[self._one] - theta[self._other], self._log_delta(point), *self._sums).sum())

    def step(self, point: Sequence[float], prior: float) -> list[float]:
        """Newton's step with the prior."""
        slopes, diagonal = prior_slopes(self, point, prior)
        slope = np.array(slopes)
        mean, tied = self._expected(point)
        net = (self._sums[0] - self._sums[2]) / 2 - self._count * mean
        slope[: self.entrants] += self._at(self._one, net) - self._at(self._other, net)
        if self.has_ties:
            slope[-1] += (self._sums[1] - self._count * tied).sum()
        found: list[float] = np.linalg.solve(self._curvature(point, diagonal), slope).tolist()
        return found

    def by_seed(self, point: Sequence[float], prior: float, groups: list[list[int]]) -> BySeed:
        """How certain a fit is, by seed: variances of the difference to the mean of the group."""
        diagonal = prior_slopes(self, point, prior)[1]
        inverse: Floats = np.linalg.inv(self._curvature(point, diagonal)).astype(np.float64)
        seeds = self._seeds(point, inverse)
        origins = np.zeros_like(inverse[: self.entrants])
        for group in groups:
            origins[group] = inverse[group].mean(axis=0)
        apart = inverse[: self.entrants] - origins
        products, curvature = seeds.products(len(point)), self._curvature(point, [0.0] * len(point))
        bots, known = seeds.bots[seeds.bots < self.entrants], seeds.known[seeds.bots < self.entrants]
        own, squares = self._at(bots, known), self._at(bots, known * known)
        alike = np.divide(own * own, squares, out=np.zeros(self.entrants), where=squares > 0)
        most = self._at(self._one, self._count / 4) + self._at(self._other, self._count / 4)
        total = float(seeds.weights.sum())
        return BySeed(
            ((apart @ products) * apart).sum(axis=1).tolist(),
            ((apart @ curvature) * apart).sum(axis=1).tolist(),
            (apart * apart @ np.array(diagonal)).tolist(),
            np.bincount(bots, minlength=self.entrants).tolist(),
            alike.tolist(),
            (alike * np.divide(own, most, out=np.zeros(self.entrants), where=most > 0)).tolist(),
            float((seeds.scores[seeds.bots < self.entrants] ** 2).sum()),
            float(known.sum()),
            float((seeds.weights**2 * (seeds.sizes + 1) / 3).sum()) / total if total else 1.0,
        )

    def own(self, point: Sequence[float], entrant: int) -> tuple[Floats, float, Floats]:
        """One entrant's part of the results, for `along`."""
        part = slice(self._starts[entrant], self._starts[entrant + 1])
        pair, is_first = self._rows[0][part], self._rows[1][part]
        others = np.where(is_first, self._other[pair], self._one[pair])
        ways = np.where(is_first, self._sums[:, pair], self._sums[::-1, pair])
        return np.array(point[: self.entrants])[others], self._log_delta(point), ways

    def along(self, own: tuple[Floats, float, Floats], at: float) -> tuple[float, float, float]:
        """Value, slope and negative curvature of the entrant's part with the strength `at`, others as they are."""
        others, log_delta, ways = own
        mean, tied = _expected(at - others, log_delta)
        count = ways.sum(axis=0)
        return (
            float(_likelihood(at - others, log_delta, *ways).sum()),
            float(((ways[0] - ways[2]) / 2 - count * mean).sum()),
            float((count * ((1 - tied) / 4 - mean * mean)).sum()),
        )

    def _log_delta(self, point: Sequence[float]) -> float:
        return point[-1] if self.has_ties else -np.inf

    def _at(self, where: Ints, values: Floats) -> Floats:
        """The sums of values by entrant."""
        found: Floats = np.bincount(where, weights=values, minlength=self.entrants).astype(float)
        return found

    def _expected(self, point: Sequence[float]) -> tuple[Floats, Floats]:
        """Of each pair; see the function."""
        theta = np.array(point[: self.entrants])
        return _expected(theta[self._one] - theta[self._other], self._log_delta(point))

    def _curvature(self, point: Sequence[float], diagonal: Sequence[float]) -> Floats:
        """The negative curvature, with that added to its diagonal."""
        mean, tied = self._expected(point)
        own = self._count * ((1 - tied) / 4 - mean * mean)
        found = np.diag(np.array(diagonal, dtype=float))
        found[self._one, self._other] = found[self._other, self._one] = -own
        every = np.arange(self.entrants)
        found[every, every] += self._at(self._one, own) + self._at(self._other, own)
        if self.has_ties:
            along = self._count * mean * tied
            sums = self._at(self._other, along) - self._at(self._one, along)
            found[: self.entrants, -1] = found[-1, : self.entrants] = sums
            found[-1, -1] += (self._count * tied * (1 - tied)).sum()
        return found

    def _seeds(self, point: Sequence[float], inverse: Floats) -> _Seeds:
        """What each seed says."""
        mean, tied = (part[self._pair] for part in self._expected(point))
        one, other = self._one[self._pair], self._other[self._pair]
        count = self._ways.sum(axis=0)
        net = (self._ways[0] - self._ways[2]) / 2 - count * mean
        own = count * ((1 - tied) / 4 - mean * mean)
        where, width = [self._seed, self._seed], self.entrants + self.has_ties
        bots, scores, known = [one, other], [net, -net], [own, own]
        if self.has_ties:
            where.append(self._seed)
            bots.append(np.full(len(one), self.entrants))
            scores.append(self._ways[1] - count * tied)
            known.append(np.zeros(len(one)))
        keys, inward = np.unique(
            np.concatenate(where).astype(np.int64) * width + np.concatenate(bots), return_inverse=True
        )
        seed, bot = keys // width, keys % width
        scores_sum = np.bincount(inward, weights=np.concatenate(scores), minlength=len(keys))
        known_sum: Floats = np.bincount(inward, weights=np.concatenate(known), minlength=len(keys)).astype(float)
        sizes: Ints = np.bincount(seed[bot < self.entrants], minlength=self.all_seeds)
        share = own * (inverse[one, one] + inverse[other, other] - 2 * inverse[one, other])
        leverage = np.bincount(self._seed, weights=share, minlength=self.all_seeds) / np.maximum(sizes - 1, 1)
        grow = (1 - np.minimum(leverage, MAX_LEVERAGE)) ** -0.5
        pairs = np.maximum(np.bincount(self._seed, minlength=self.all_seeds), 1)
        counts = np.bincount(self._seed, weights=count, minlength=self.all_seeds) / pairs
        return _Seeds(seed, bot, grow[seed] * scores_sum, known_sum, sizes, counts)


class _Seeds(NamedTuple):
    """What the matches of the seeds say; a row for each seed and parameter, ascending."""

    seed: Ints
    bots: Ints
    scores: Floats
    known: Floats
    sizes: Ints  # by seed: how many bots
    weights: Floats  # by seed: what the matches of a pair weigh

    def products(self, width: int) -> Floats:
        """The sum over all seeds of the products of its scores, (width, width)."""
        found = np.zeros(width * width)
        starts = np.searchsorted(self.seed, np.arange(len(self.sizes) + 1))
        widths = np.diff(starts)
        for size in np.unique(widths).tolist():
            which = starts[:-1][widths == size]
            if size <= FEW_BOTS:
                for one, other in itertools.product(range(size), repeat=2):
                    cells = self.bots[which + one] * width + self.bots[which + other]
                    product = self.scores[which + one] * self.scores[which + other]
                    found += np.bincount(cells, weights=product, minlength=width * width)
                continue
            for start in which.tolist():
                bots, scores = self.bots[start : start + size], self.scores[start : start + size]
                found[bots[:, None] * width + bots] += scores[:, None] * scores
        return found.reshape(width, width)


def _seats(matches: Sequence[Matches], entrants: int) -> list[int]:
    """How many seats each entrant had."""
    found = np.zeros(entrants, dtype=np.int64)
    for block in matches:
        found += np.bincount(np.asarray(block.seats, dtype=np.int64), minlength=entrants)
    counts: list[int] = found.tolist()
    return counts


def _meetings(matches: Sequence[Matches], entrants: int) -> tuple[Ints, Ints, Ints]:
    """The seed of each meeting, its pair as one number, and how often it came out in each way (3, meetings)."""
    labels = _labels(matches)
    seeds, keys, ways, weights = ([np.zeros(0, dtype=np.int64)] for _ in range(4))
    for block, label in zip(matches, labels, strict=True):
        seats = np.asarray(block.seats, dtype=np.int64).reshape(-1, block.width)
        places = np.asarray(block.places, dtype=np.int64).reshape(-1, block.width)
        in_earnest = [1 + (places < places[:, [at]]).sum(axis=1) >= places[:, at] for at in range(block.width)]
        for one, other in itertools.combinations(range(block.width), 2):
            mine, its = seats[:, one], seats[:, other]
            met = (mine != its) & ((places[:, one] != places[:, other]) | in_earnest[one])
            ahead = np.sign(its - mine) * np.sign(places[:, other] - places[:, one])
            seeds.append(label[met])
            keys.append((np.minimum(mine, its) * entrants + np.maximum(mine, its))[met])
            ways.append(1 - ahead[met])
            weights.append(np.full(int(met.sum()), weight(block.width)))
    seed, key, way, own = (np.concatenate(part) for part in (seeds, keys, ways, weights))
    found, meeting = np.unique(seed * entrants**2 + key, return_inverse=True)
    sums = [np.bincount(meeting[way == at], weights=own[way == at], minlength=len(found)) for at in range(3)]
    return found // entrants**2, found % entrants**2, np.array(sums).reshape(3, len(found)).astype(np.int64)


def _labels(matches: Sequence[Matches]) -> list[Ints]:
    """The seeds of each part, numbered through all of them. A seed may fill all 64 bits, signed or not."""
    try:
        parts = [np.asarray(block.seeds, dtype=np.int64) for block in matches]
    except OverflowError:
        numbers = {seed: at for at, seed in enumerate(sorted({seed for block in matches for seed in block.seeds}))}
        return [np.array([numbers[seed] for seed in block.seeds], dtype=np.int64) for block in matches]
    labels = np.unique(np.concatenate([np.zeros(0, dtype=np.int64), *parts]), return_inverse=True)[1]
    ends = np.cumsum([len(part) for part in parts])
    return list(np.split(labels, ends[:-1])) if parts else []


def _expected(apart: Floats, log_delta: float) -> tuple[Floats, Floats]:
    """The mean of a pair's score (a half, 0 or minus a half), and the probability of a tie."""
    far = np.abs(apart) / 2
    weak = np.exp(-2 * far)  # the stronger one's is 1: nothing overflows, however far apart they are
    tie = np.exp(log_delta - far)
    z = 1 + weak + tie
    return np.copysign((1 - weak) / (2 * z), apart), tie / z


def _likelihood(apart: Floats, log_delta: float, before: Floats, level: Floats, behind: Floats) -> Floats:
    """The logarithm of the probability of each pair's results."""
    far = np.abs(apart) / 2
    z = 1 + np.exp(-2 * far) + np.exp(log_delta - far)
    value: Floats = (before - behind) / 2 * apart - (before + level + behind) * (far + np.log(z))
    return value + level * log_delta if np.isfinite(log_delta) else value
