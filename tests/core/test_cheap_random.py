"""The map that seeds and lots begin with."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dohyo.core.cheap_random import mixed


@given(st.integers(0, 2**32 - 1))
def test_words_are_mixed_as_published(word: int) -> None:
    """`mixed` is `lowbias32`, whose multipliers are 0x7FEB352D and 0x846CA68B, modulo 2**32."""
    x = word ^ word >> 16
    x = x * 0x7FEB352D % 2**32
    x ^= x >> 15
    x = x * 0x846CA68B % 2**32
    assert mixed(word) == x ^ x >> 16
