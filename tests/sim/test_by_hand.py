"""What stands in the place of flat functions on a processor does what they do."""

from __future__ import annotations

from typing import Any

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dohyo.core.cheap_random import mixed
from dohyo.core.flat import SOURCE, Layout, flat, philox, put_bits
from dohyo.sim import records
from dohyo.sim.records import put_record
from dohyo.sim.turns import with_movers
from dohyo.sim.whole_program import compile_loops

pytest.importorskip("numba")

FIRST, DOWN, ACROSS, ROWS, COLUMNS = 5, -1, 8, 6, 7
LAST, ROWS_OF_ALL = 63, 8
BEHIND = -8
LENGTH = ROWS * COLUMNS + 2
ODD = Layout("Odd", ("word", "i8", 0), ("share", "f8", 0), ("row", "i2", 3), ("cell", "i1", 37))


@flat
def board(bits: int, out: Any) -> None:
    """A pattern of constants."""
    put_bits(bits, FIRST, DOWN, ACROSS, ROWS, COLUMNS, out, 1)


@flat
def backwards(bits: int, out: Any) -> None:
    """All 64, from the last one on."""
    put_bits(bits, LAST, BEHIND, DOWN, ROWS_OF_ALL, ROWS_OF_ALL, out, 0)


@flat
def told(bits: int, rows: int, columns: int, out: Any) -> None:
    """A pattern that is known only when it runs."""
    put_bits(bits, FIRST, DOWN, ACROSS, rows, columns, out, 1)


@flat
def beyond(bits: int, out: Any) -> None:
    """A pattern that leaves the mask."""
    put_bits(bits, LAST, ACROSS, ACROSS, ROWS, COLUMNS, out, 0)


@flat
def both(bits: int, out: Any) -> None:
    """Two patterns of constants in one function, the same kind of array."""
    put_bits(bits, FIRST, DOWN, ACROSS, ROWS, COLUMNS, out, 0)
    put_bits(bits, FIRST, DOWN, ACROSS, ROWS, ROWS, out, ROWS * COLUMNS)


@flat
def one_for_all(actions: Any, action: int, out: Any) -> None:
    """A turn's actions as random play hands them on: read, counted, and changed and changed back."""
    row = with_movers(actions, 1, action)
    out[0], out[1] = row[1], len(row)
    row[1] = action + 1
    out[2] = row[1]


@flat
def put_all(states: Any, others: Any) -> None:
    """Each record becomes a copy of the next one's."""
    for at in range(len(states) - 1):
        put_record(states, at, others, at + 1)


@flat
def mix_all(words: Any, out: Any) -> None:
    """A word for each."""
    for at in range(len(words)):
        out[at] = mixed(words[at])


@flat
def blocks_of(sources: Any) -> None:
    """A block for each."""
    for at in range(len(sources)):
        philox(sources[at])


BOARD, BACKWARDS, TOLD = compile_loops([board, backwards, told], {})
MASKS = st.integers(-(1 << 63), (1 << 63) - 1)


@pytest.mark.parametrize("kind", ["i1", "?", "i2", "i8", "f4", "f8"])
@given(bits=MASKS)
@settings(max_examples=25)
def test_bits_become_numbers_at_once(kind: str, bits: int) -> None:
    """Any mask, into numbers of any kind: as the plain loop; what lies before and behind stays as it was."""
    plain = [9] * LENGTH
    board(bits, plain)
    for loop, rest in ((BOARD, ()), (TOLD, (ROWS, COLUMNS))):
        out = numpy.full(LENGTH, 9).astype(kind)
        loop(bits, *rest, out)
        assert out.tolist() == numpy.array(plain).astype(kind).tolist()
    every, plainly = numpy.full(64, 9).astype(kind), [9] * 64
    BACKWARDS(bits, every)
    backwards(bits, plainly)
    assert every.tolist() == plainly


def test_two_patterns_are_not_taken_for_each_other() -> None:
    """Neither in one function nor in two that a process compiles: a plane has its own numbers, and all of them."""
    (compiled,) = compile_loops([both], {})
    bits, length = 0x0123456789ABCDEF, ROWS * COLUMNS + ROWS * ROWS
    plain, found = [9] * length, numpy.full(length, 9, "i1")
    both(bits, plain)
    compiled(bits, found)
    assert found.tolist() == [int(number) for number in plain]


def test_bits_that_no_mask_has_are_refused() -> None:
    """A pattern beyond bit 63 is an error of whoever wrote the game, not a number from elsewhere."""
    (loop,) = compile_loops([beyond], {})
    with pytest.raises(Exception, match=r"asks for bits beyond 0 to 63"):
        loop(1, numpy.zeros(64, numpy.int8))


def test_the_movers_action_stands_where_the_rules_look() -> None:
    """In a row as long as the game's, which they may write to."""
    (loop,) = compile_loops([one_for_all], {})
    plain, compiled = numpy.zeros(3, numpy.int64), numpy.zeros(3, numpy.int64)
    one_for_all(numpy.zeros(2, numpy.int64), 7, plain)
    loop(numpy.zeros(2, numpy.int64), 7, compiled)
    assert plain.tolist() == compiled.tolist() == [7, 2, 8]


def test_a_record_is_put_whole() -> None:
    """Every byte of it, and none of its neighbours'."""
    (loop,) = compile_loops([put_all], {})
    states, others = records.blank(ODD, 5), records.blank(ODD, 5)
    size = states.dtype.itemsize
    before = bytes(range(5 * 3 % 7, 5 * 3 % 7 + 200)) * 3
    others.view("u1")[:] = numpy.frombuffer(before, "u1", 5 * size)
    loop(states, others)
    assert states[:4].tobytes() == others[1:].tobytes()
    assert states[4:].tobytes() == bytes(size)
    loop(others, others)
    assert others[:4].tobytes() == states[:4].tobytes()


EDGES = [0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFE, 0xFFFFFFFF, 0xDEADBEEF]


def test_products_of_words_fit_their_numbers() -> None:
    """Random numbers at the edges of their words: the same compiled and plain, where no number can overflow."""
    mix, blocks = compile_loops([mix_all, blocks_of], {})
    found = numpy.zeros(len(EDGES), numpy.int64)
    mix(numpy.array(EDGES), found)
    assert found.tolist() == [mixed(word) for word in EDGES]
    sources, plain = records.blank(SOURCE, len(EDGES) ** 2), []
    for at in range(len(EDGES) ** 2):
        one = SOURCE.new()
        one.draw, one.turn = EDGES[at % len(EDGES)], EDGES[-at % len(EDGES)]
        one.game, one.stream = EDGES[at // len(EDGES)], EDGES[(at + 3) % len(EDGES)]
        one.seed_low, one.seed_high = EDGES[at * 3 % len(EDGES)], EDGES[at * 5 % len(EDGES)]
        records.write(SOURCE, sources, at, one)
        philox(one)
        plain.append(one.word)
    blocks(sources)
    assert sources["word"].tolist() == plain
