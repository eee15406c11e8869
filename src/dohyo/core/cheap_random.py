"""Cheap random numbers for policies, and the seeds of a batch's games: integers of 32 bits, equal on every substrate.

The dice of a match come from the game's own source; the functions here only have to be fast, and never change them.
Written in the common language of `dohyo.core.flat`.
"""

from __future__ import annotations

from typing import Any

from dohyo.core.flat import MASK32, Layout, flat

MULTIPLIER, INCREMENT, SCRAMBLE = 747796405, 2891336453, 277803737
FIRST, SECOND = 0x7FEB352D, 0x846CA68B - (1 << 32)  # below 2**31 in size: products with a word fit into 64 bits
MASK31 = 0x7FFFFFFF

LUCK = Layout("Luck", ("word", "i8", 0))  # what a policy draws from, where nothing else keeps the word


@flat
def draw(luck: Any) -> int:
    """A word of 32 bits; `luck.word` is what it goes on from.

    Source: PCG, the generator RXS-M-XS of 32 bits (O'Neill 2014), of period 2**32. All products stay below 2**62.
    """
    x = luck.word
    luck.word = (x * MULTIPLIER + INCREMENT) & MASK32
    x = (((x >> ((x >> 28) + 4)) ^ x) * SCRAMBLE) & MASK32
    return (x >> 22) ^ x  # type: ignore[no-any-return]


@flat
def below(luck: Any, n: int) -> int:
    """A number from 0 .. n-1, uniform to within n / 2**32."""
    return (draw(luck) * n) >> 32


@flat
def mixed(word: int) -> int:
    """Another word of 32 bits for each: a one-to-one map without a pattern.

    Source: the integer hash `lowbias32` (Wellons 2018).
    """
    x = word ^ (word >> 16)
    x = x * FIRST & MASK32
    x = x ^ (x >> 15)
    x = x * SECOND & MASK32
    return x ^ (x >> 16)


OF_BATCHES = 0x62617463  # keeps seeds of batches apart from slots, which are small numbers too


def words_of(seed: int) -> tuple[int, int]:
    """The two words of 32 bits that a batch's seed, from 0 to 2**63 - 1, is to `match_seed`."""
    return mixed((seed & MASK32) ^ OF_BATCHES), mixed((seed >> 32) ^ OF_BATCHES)


@flat
def match_seed(low: int, high: int, slot: int, game: int) -> int:
    """The seed, from 0 to 2**63 - 1, of the game number `game` in a slot of a batch whose seed has these two words.

    Slots differ in the lower word; games of a slot in the upper one, for the first 2**31 or so.
    """
    lower = mixed(mixed(slot & MASK32) ^ low)
    upper = mixed(mixed(game & MASK32) ^ high ^ lower) & MASK31
    return upper << 32 | lower
