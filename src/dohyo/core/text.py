"""Text in byte buffers, written by flat functions: a `protocol.py` makes its prompts with these."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

from dohyo.core.flat import ALL32, CRC, LOWEST, flat, flat_as

SPACE = 32
NEWLINE = 10
MINUS = 45
ZERO = 48

LEAST = -(1 << 63)
MIN_TEXT = b"%d" % LEAST
MAX_KEPT = 1 << 14  # texts of each kind that plain Python remembers


@flat
def put_by_loop(buffer: Any, at: int, value: int) -> int:
    """`put`, digit by digit."""
    if value < 0:
        if value == LEAST:  # it has no opposite in 64 bits
            for place in range(20):
                buffer[at + place] = MIN_TEXT[place]
            return at + 20
        buffer[at] = MINUS
        at += 1
        value = 0 - value
    if value < 10:
        buffer[at] = ZERO + value
        return at + 1
    if value < 100:
        buffer[at] = ZERO + value // 10
        buffer[at + 1] = ZERO + value % 10
        return at + 2
    digits = 1
    rest = value // 10
    while rest > 0:
        digits += 1
        rest //= 10
    end = at + digits
    place = end - 1
    while place >= at:
        buffer[place] = ZERO + value % 10
        value //= 10
        place -= 1
    return end


@flat_as(put_by_loop)
def put(buffer: Any, at: int, value: int) -> int:
    """Write a number in decimal digits into a byte buffer at `at`; returns where the next byte goes."""
    if 0 <= value < 10:
        buffer[at] = ZERO + value
        return at + 1
    if 0 <= value < 100:
        buffer[at] = ZERO + value // 10
        buffer[at + 1] = ZERO + value % 10
        return at + 2
    text = b"%d" % value
    end = at + len(text)
    buffer[at:end] = text
    return end


@flat
def put_table_by_loop(buffer: Any, at: int, numbers: Any, rows: int, columns: int) -> int:
    """`put_table`, number by number."""
    for row in range(rows):
        for column in range(columns):
            at = put(buffer, at, numbers[row * columns + column])
            buffer[at] = SPACE
            at += 1
        buffer[at - 1] = NEWLINE
    return at


@flat_as(put_table_by_loop)
def put_table(buffer: Any, at: int, numbers: Any, rows: int, columns: int) -> int:
    """Write rows of numbers, separated by spaces, with a newline after each row; returns where the next byte goes.

    `numbers` is a list with exactly that many.
    """
    last, text = _last_tables.get((rows, columns), NO_TABLE)
    if last != numbers:  # otherwise the text is the same as the last one
        each = iter(numbers)
        text = b"".join(map(_line(columns), *(each,) * columns))
        _last_tables[rows, columns] = list(numbers), text
    end = at + len(text)
    buffer[at:end] = text
    return end


NO_TABLE: tuple[list[int], bytes] = ([], b"")
_last_tables: dict[tuple[int, int], tuple[list[int], bytes]] = {}  # by their rows and columns


@cache
def _line(columns: int) -> Callable[..., bytes]:
    """The function that formats a line of so many numbers, and remembers its results."""
    form = b" ".join([b"%d"] * columns) + b"\n"
    return lru_cache(MAX_KEPT)(lambda *numbers: form % numbers)


@flat
def put_text_by_loop(buffer: Any, at: int, letters: Any, start: int, length: int, width: int) -> int:
    """`put_text`, letter by letter.

    Because a place is never negative, the compiler can omit the code for indices from the end; because the width is a
    constant, it can copy whole words.
    """
    if at < 0 or start < 0:
        return at
    for i in range(width):
        buffer[at + i] = letters[start + i]
    return at + length


@flat_as(put_text_by_loop)
def put_text(buffer: Any, at: int, letters: Any, start: int, length: int, width: int) -> int:
    """Copy `length` of a constant's `letters` (bytes) into a byte buffer; returns where the next byte goes.

    `width` is a constant not below `length`; the buffer and the letters both have space for `width`.
    """
    end = at + length
    buffer[at:end] = letters[start : start + length]
    return end


@flat
def put_rows_by_loop(
    buffer: Any, at: int, numbers: Any, start: int, rows: int, columns: int, apart: int, signs: Any
) -> int:
    """`put_rows`, number by number."""
    for row in range(rows):
        for column in range(columns):
            number = numbers[start + row * apart + column]
            buffer[at] = signs[number if number >= 0 else len(signs) - 1]
            at += 1
        buffer[at] = NEWLINE
        at += 1
    return at


@flat_as(put_rows_by_loop)
def put_rows(buffer: Any, at: int, numbers: Any, start: int, rows: int, columns: int, apart: int, signs: Any) -> int:
    """Write rows of signs, one for each number, with a newline after each row; returns where the next byte goes.

    The first row's numbers begin at `start`, those of each next row `apart` further on. `signs` (bytes) has one for
    each number from 0 on; the last is for -1.
    """
    starts = range(start, start + rows * apart, apart)
    text = b"".join([_row(tuple(numbers[first : first + columns]), signs) for first in starts])
    end = at + len(text)
    buffer[at:end] = text
    return end


@lru_cache(MAX_KEPT)
def _row(numbers: tuple[int, ...], signs: bytes) -> bytes:
    return bytes([signs[number] for number in numbers]) + b"\n"


@flat
def put_chosen_by_loop(buffer: Any, at: int, letters: Any, lengths: Any, width: int, first: int, chosen: int) -> int:
    """`put_chosen`, text by text."""
    while chosen:
        number = first + LOWEST[chosen & 255]
        at = put_text(buffer, at, letters, number * width, lengths[number], width)
        chosen &= chosen - 1
    return at


@flat_as(put_chosen_by_loop)
def put_chosen(buffer: Any, at: int, letters: Any, lengths: Any, width: int, first: int, chosen: int) -> int:
    """Copy some of a constant's texts: those whose bits are set in `chosen` (0 .. 255), bit 0 for text `first`.

    Returns where the next byte goes. The texts are in `letters` (bytes), `width` apart, with zeros after each;
    `lengths` are their lengths. As for `put_text`, there is space for `width` bytes of each.
    """
    text = _chosen(letters, width, first, chosen)
    end = at + len(text)
    buffer[at:end] = text
    return end


@lru_cache(MAX_KEPT)
def _chosen(letters: bytes, width: int, first: int, chosen: int) -> bytes:
    numbers = (first + i for i in range(chosen.bit_length()) if chosen >> i & 1)
    return b"".join(letters[number * width : (number + 1) * width].rstrip(b"\0") for number in numbers)


@flat
def checksum(packed: Any, size: int) -> int:
    """CRC-32 (zlib's) of the first `size` bytes of `packed`: the number that `digest_of` writes."""
    rest = ALL32
    whole = size - size % 4
    for i in range(0, whole, 4):  # four bytes at a time: three of four steps need not wait for each other
        rest ^= packed[i] | packed[i + 1] << 8 | packed[i + 2] << 16 | packed[i + 3] << 24
        left = CRC[768 + (rest & 255)] ^ CRC[512 + (rest >> 8 & 255)]
        rest = left ^ CRC[256 + (rest >> 16 & 255)] ^ CRC[rest >> 24]
    for i in range(whole, size):
        rest = CRC[(rest ^ packed[i]) & 255] ^ (rest >> 8)
    return rest ^ ALL32


@flat
def put_digest(packed: Any, size: int, buffer: Any, at: int) -> None:
    """Write `digest_of` the first `size` bytes of `packed` into a byte buffer at `at`."""
    rest = checksum(packed, size)
    for i in range(8):
        buffer[at + i] = hex_digit((rest >> (28 - 4 * i)) & 15)


@flat
def hex_digit(value: int) -> int:
    """The character of a hexadecimal digit, in lower case."""
    return ZERO + value if value < 10 else 87 + value
