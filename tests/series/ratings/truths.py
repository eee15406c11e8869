"""Results drawn from a known truth: a Plackett-Luce model with ties, matches of a seed alike."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from dohyo.core.contest import Fixture, Result
from dohyo.series.ratings.meetings import Matches


class Drawn(NamedTuple):
    """Matches as arrays: seats and places are (matches, seats), seeds (matches,)."""

    seats: np.ndarray
    places: np.ndarray
    seeds: np.ndarray

    def matches(self) -> list[Matches]:
        """As ratings take them."""
        lists = (part.ravel().tolist() for part in self)
        return [Matches(self.seats.shape[1], *lists)]


def ranked(places: Sequence[float]) -> list[int]:
    """Places of matches by any numbers, the smallest the best: each is one more than how many are before it."""
    return [1 + sum(other < own for other in places) for own in places]


def drawn_places(
    strengths: np.ndarray, log_delta: dict[int, float], seats: np.ndarray, random: np.random.Generator
) -> np.ndarray:
    """Places (matches, seats) drawn choice by choice, from a list of all subsets: nothing of the fit's short cuts."""
    theta = strengths[seats]
    matches, width = seats.shape
    subsets = np.array(list(itertools.product((False, True), repeat=width))[1:])
    sizes = subsets.sum(axis=1)
    odds = np.array([0.0 if size == 1 else log_delta.get(int(size), -np.inf) for size in sizes])
    weight = np.exp(theta @ (subsets / sizes[:, None]).T + odds)
    left = np.ones((matches, width), dtype=bool)
    places = np.zeros((matches, width), dtype=np.int64)
    while left.any():
        possible = ~(subsets[None] & ~left[:, None]).any(axis=2)
        steps = np.cumsum(weight * possible, axis=1)
        pick = (random.random((matches, 1)) * steps[:, -1:] >= steps).sum(axis=1)
        taken = subsets[np.minimum(pick, len(subsets) - 1)] & left.any(axis=1, keepdims=True)
        places[taken] = np.broadcast_to(1 + width - left.sum(axis=1, keepdims=True), taken.shape)[taken]
        left &= ~taken
    return places


def drawn_results(
    strengths: np.ndarray,
    seeds: int,
    random: np.random.Generator,
    width: int = 4,
    each: int = 2,
    alike: float = 0.5,
    log_delta: dict[int, float] | None = None,
) -> Drawn:
    """`seeds` seeds of `each` matches among the same bots; a match repeats its seed's first with odds `alike`.

    Each match for itself follows the model exactly; those of a seed are far from independent.
    """
    tables = np.array([random.permutation(len(strengths))[:width] for _ in range(seeds)])
    seats = np.repeat(tables, each, axis=0)
    places = drawn_places(strengths, log_delta or {}, seats, random)
    first = np.repeat(np.arange(seeds) * each, each)
    copied = random.random(len(seats)) < alike
    places[copied] = places[first[copied]]
    return Drawn(seats, places, np.repeat(np.arange(seeds), each))


def played(seats: tuple[int, ...], places: tuple[int, ...], number: int = 0, seed: int = 0) -> Result:
    """One result."""
    return Result(Fixture(batch=0, number=number, seats=seats, seed=seed), places)


def duels(*scores: tuple[int, int, int]) -> list[Result]:
    """Duels from (winner, loser, how many), each with a seed of its own."""
    pairs = [(winner, loser) for winner, loser, count in scores for _ in range(count)]
    return [played(pair, (1, 2), number, number) for number, pair in enumerate(pairs)]
