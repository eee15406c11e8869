"""Sets of 64 squares in an i8: the 64th bit is the sign, plain and compiled."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dohyo.core import flat
from dohyo.core.text import put

SIGN = -(1 << 63)
SOME = (0, 1, -1, SIGN, SIGN + 1, (1 << 63) - 1, 0x5555555555555555, SIGN | 0x00FF00FF00FF00FF, -2)
NAMES = ("bit", "shifted_up", "shifted_down", "count_of", "lowest", "without_lowest", "nth_of")


def squares_of(number: int) -> set[int]:
    """The squares of a set."""
    return {square for square in range(64) if number >> square & 1}


def from_squares(squares: set[int]) -> int:
    """The set as a number that a field of kind i8 holds."""
    return sum(SIGN if square == 63 else 1 << square for square in squares)


@given(st.integers(SIGN, (1 << 63) - 1), st.integers(1, 63))
def test_each_does_what_sets_do(number: int, by: int) -> None:
    """Every function against sets of numbers."""
    squares = squares_of(number)
    assert from_squares(squares) == number
    assert flat.shifted_up(number, by) == from_squares({each + by for each in squares if each + by < 64})
    assert flat.shifted_down(number, by) == from_squares({each - by for each in squares if each >= by})
    assert flat.shifted_up(number, 0) == number
    assert flat.count_of(number) == len(squares)
    assert flat.bit(by) == from_squares({by})
    if squares:
        assert flat.lowest(number) == min(squares)
        assert [flat.nth_of(number, k) for k in range(len(squares))] == sorted(squares)
    assert flat.without_lowest(number) == from_squares(squares - {min(squares, default=0)})


@pytest.mark.process
@pytest.mark.xdist_group("one-file-compiled")
def test_compiled_they_are_the_same() -> None:
    """Numba's int64 gives what plain Python gives, the sign and all."""
    pytest.importorskip("numba")
    from dohyo.sim.compiled import compile_all

    plain = [getattr(flat, name) for name in NAMES]
    fast = compile_all([getattr(each, "__twin__", each) for each in plain], {})
    for name, one, other in zip(NAMES, plain, fast, strict=True):
        if name == "bit":
            assert [other(at) for at in range(64)] == [one(at) for at in range(64)]
            continue
        for number in SOME:
            if name.startswith("shifted"):
                assert [other(number, by) for by in range(1, 64)] == [one(number, by) for by in range(1, 64)]
            elif name == "nth_of":
                places = range(flat.count_of(number))
                assert [other(number, k) for k in places] == [one(number, k) for k in places]
            elif number or name != "lowest":
                assert other(number) == one(number), (name, number)


@pytest.mark.parametrize("number", [SIGN, SIGN + 1, -1, (1 << 63) - 1])
def test_a_prompt_can_hold_all_64_bits(number: int) -> None:
    """Plain and by the loop that is compiled, the least number too."""
    for write in (put, put.__twin__):  # type: ignore[attr-defined]
        buffer = bytearray(30)
        assert bytes(buffer[: write(buffer, 0, number)]) == b"%d" % number
