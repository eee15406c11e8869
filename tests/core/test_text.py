"""Text in byte buffers: what plain Python runs and what is compiled in its place write the same."""

from __future__ import annotations

import zlib

from hypothesis import given
from hypothesis import strategies as st

from dohyo.core import text
from dohyo.core.flat import digest_of

GUARD = b"\xee"
NUMBERS = st.integers(-(2**62), 2**62) | st.integers(-120, 120)


def table(rows: list[list[int]]) -> bytes:
    """How a person would write it."""
    return b"".join(" ".join(map(str, row)).encode() + b"\n" for row in rows)


@st.composite
def tables(draw: st.DrawFn) -> list[list[int]]:
    """Rows of the same length."""
    width = draw(st.integers(1, 7))
    return draw(st.lists(st.lists(NUMBERS, min_size=width, max_size=width), min_size=1, max_size=6))


@given(NUMBERS | st.sampled_from([s * 10**k + d for k in range(19) for s in (1, -1) for d in (-1, 0, 1)]))
def test_a_number_is_its_digits(value: int) -> None:
    """`put` writes what `str` says, no byte before or behind it; both forms."""
    for put in (text.put, text.put_by_loop):
        buffer = bytearray(GUARD * 40)
        end = put(buffer, 3, value)
        assert bytes(buffer) == GUARD * 3 + str(value).encode() + GUARD * (40 - end)


def test_every_small_number_is_its_digits() -> None:
    """All that boards, turns and places ever hold."""
    for value in range(-1200, 12_000):
        for put in (text.put, text.put_by_loop):
            buffer = bytearray(12)
            assert buffer[: put(buffer, 0, value)] == str(value).encode()


@given(tables(), st.integers(0, 9))
def test_a_table_is_its_rows(rows: list[list[int]], at: int) -> None:
    """A space between two numbers, a newline behind each row; both forms, to the byte."""
    numbers = [number for row in rows for number in row]
    wanted = table(rows)
    for put_table in (text.put_table, text.put_table_by_loop):
        buffer = bytearray(GUARD * (at + len(wanted) + 8))
        assert put_table(buffer, at, numbers, len(rows), len(rows[0])) == at + len(wanted)
        assert bytes(buffer) == GUARD * at + wanted + GUARD * 8


@given(st.lists(st.lists(st.integers(0, 3), min_size=6, max_size=6), min_size=1))
def test_a_table_that_changes_is_its_rows_each_time(tables: list[list[int]]) -> None:
    """Whatever was written before, and though the numbers stand in the same list."""
    numbers = [0] * 6
    for numbers[:] in tables:
        buffer = bytearray(40)
        assert buffer[: text.put_table(buffer, 0, numbers, 2, 3)] == table([numbers[:3], numbers[3:]])


def test_twins_are_marked() -> None:
    """What is compiled in their place is the loop."""
    pairs = (
        (text.put, text.put_by_loop),
        (text.put_table, text.put_table_by_loop),
        (text.put_text, text.put_text_by_loop),
        (text.put_rows, text.put_rows_by_loop),
        (text.put_chosen, text.put_chosen_by_loop),
    )
    assert all(vars(function)["__twin__"] is twin for function, twin in pairs)


@given(st.data())
def test_a_text_is_copied(data: st.DataObject) -> None:
    """Both forms write the letters from their place on, and say where the next byte goes.

    Behind the text, and up to the width, the loop may leave anything: what comes next overwrites it.
    """
    letters = data.draw(st.binary(min_size=1, max_size=60))
    width = data.draw(st.integers(1, len(letters)))
    start = data.draw(st.integers(0, len(letters) - width))
    length = data.draw(st.integers(0, width))
    at = data.draw(st.integers(0, 9))
    wanted = GUARD * at + letters[start : start + length]
    for put_text in (text.put_text, text.put_text_by_loop):
        buffer = bytearray(GUARD * (at + width + 8))
        assert put_text(buffer, at, letters, start, length, width) == at + length
        assert buffer[: at + length] == wanted
        assert buffer[at + width :] == GUARD * 8


@given(st.data())
def test_rows_are_signs(data: st.DataObject) -> None:
    """Both forms write a sign a number, rows from where they stand in a wider board, the last sign for -1."""
    rows, columns, more = data.draw(st.integers(1, 4)), data.draw(st.integers(1, 5)), data.draw(st.integers(0, 3))
    start, apart, at = data.draw(st.integers(0, 5)), columns + more, data.draw(st.integers(0, 9))
    length = start + rows * apart
    numbers = data.draw(st.lists(st.integers(-1, 4), min_size=length, max_size=length))
    places = [start + row * apart for row in range(rows)]
    wanted = b"".join(bytes(b"01234."[number] for number in numbers[i : i + columns]) + b"\n" for i in places)
    for put_rows in (text.put_rows, text.put_rows_by_loop):
        buffer = bytearray(GUARD * (at + len(wanted) + 8))
        assert put_rows(buffer, at, numbers, start, rows, columns, apart, b"01234.") == at + len(wanted)
        assert bytes(buffer) == GUARD * at + wanted + GUARD * 8


@given(st.data())
def test_chosen_texts_are_copied(data: st.DataObject) -> None:
    """Both forms write those texts of a constant whose bits are set, in order, and nothing else that stays."""
    texts = data.draw(st.lists(st.binary(min_size=1, max_size=7).filter(lambda text: text[-1] != 0), min_size=1))
    width, at = 8, data.draw(st.integers(0, 9))
    first = data.draw(st.integers(0, len(texts) - 1))
    chosen = data.draw(st.integers(0, (1 << min(8, len(texts) - first)) - 1))
    letters = b"".join(text.ljust(width, b"\0") for text in texts)
    lengths = tuple(map(len, texts))
    wanted = b"".join(text for i, text in enumerate(texts[first:]) if chosen >> i & 1)
    for put_chosen in (text.put_chosen, text.put_chosen_by_loop):
        buffer = bytearray(GUARD * (at + len(wanted) + width))
        assert put_chosen(buffer, at, letters, lengths, width, first, chosen) == at + len(wanted)
        assert buffer[: at + len(wanted)] == GUARD * at + wanted


@given(st.binary(max_size=300), st.integers(0, 12), st.integers(0, 9))
def test_a_digest_is_zlibs(packed: bytes, less: int, at: int) -> None:
    """Of the first bytes, as many as it is told; as eight digits, the leading zeros too."""
    size = max(0, len(packed) - less)
    buffer = bytearray(GUARD * (at + 8 + 3))
    text.put_digest(packed, size, buffer, at)
    wanted = digest_of(packed[:size])
    assert wanted == f"{zlib.crc32(packed[:size]):08x}"
    assert bytes(buffer) == GUARD * at + wanted.encode() + GUARD * 3


def test_digits_of_a_digest() -> None:
    """All sixteen, in lower case."""
    assert bytes(text.hex_digit(value) for value in range(16)) == b"0123456789abcdef"
