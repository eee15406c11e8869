"""Seeds and lots of a contest: numbers drawn from its seed, in separate streams (`core.flat`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from dohyo.core.flat import MASK32, philox, source
from dohyo.core.seeds import derived

Item = TypeVar("Item")

LOT_STREAM = 0x6C6F7473


ROUNDS = 6  # of the permutation: four are enough to hide it, two are for safety
LEFT, RIGHT = 31, 32  # bits of a seed's halves


class Seeds:
    """The seeds of a contest's sets, 0 to 2**63 - 1.

    They are a permutation of the sets' numbers whose key is the contest's seed (a Feistel network). So the first
    2**32 sets never share a seed, not even by accident; with the key, a set's number can be computed from its seed;
    without it, the seeds of some sets say nothing about the others.
    """

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def of(self, number: int) -> int:
        """The seed of the set of that number, 0 to 2**32 - 1."""
        left, right = 0, number & MASK32
        for turn in range(ROUNDS):
            if turn % 2 == 0:
                left ^= self._half(turn, right, LEFT)
            else:
                right ^= self._half(turn, left, RIGHT)
        return left << RIGHT | right

    def number(self, seed: int) -> int:
        """The number of the set that has this seed. Raises `ValueError` for a seed that none has."""
        left, right = seed >> RIGHT, seed & MASK32
        for turn in reversed(range(ROUNDS)):
            if turn % 2 == 0:
                left ^= self._half(turn, right, LEFT)
            else:
                right ^= self._half(turn, left, RIGHT)
        if left:
            raise ValueError(f"no set of this contest has the seed {seed}")
        return right

    def _half(self, turn: int, half: int, bits: int) -> int:
        return derived(self._seed, "set", turn, half) & ((1 << bits) - 1)


class Lots:
    """Random numbers of a contest's seed, a separate sequence for each `game` (0 to 2**32 - 1)."""

    def __init__(self, seed: int, game: int) -> None:
        self._source = source(seed, game, LOT_STREAM)
        self._words: list[int] = []

    def draw(self) -> float:
        """A number from 0 up to, but not including, 1."""
        if not self._words:
            philox(self._source)
            self._source.draw += 1
            self._words = list(self._source.word)
        return self._words.pop() / (MASK32 + 1)

    def shuffled(self, items: Sequence[Item]) -> list[Item]:
        """These items in an order drawn by lot."""
        order = list(items)
        for at in range(len(order) - 1, 0, -1):
            other = int(self.draw() * (at + 1))
            order[at], order[other] = order[other], order[at]
        return order
