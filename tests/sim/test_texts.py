"""Text and digests as compiled code writes them: byte for byte those of plain Python."""

from __future__ import annotations

import random
import zlib
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy
import pytest

from dohyo.core import text
from dohyo.core.flat import flat
from dohyo.games import all_games
from dohyo.match.loops import kernel
from dohyo.match.loops.compiled_loop import texts_of
from dohyo.match.loops.driver import suits
from dohyo.sim import records
from dohyo.sim.compiled import compile_all
from tests.sim.whole_modules import compile_rules

ALTERNATING = [game for game in all_games().values() if suits(game)]
LETTERS = bytes(range(97, 97 + 26)) * 4
WIDTH = 20
put_text, put_table = text.put_text, text.put_table


@flat
def put_letters(buffer: Any, at: int, start: int, length: int) -> int:
    """`put_text` with a constant and a width, as protocols call it."""
    return put_text(buffer, at, LETTERS, start, length, WIDTH)


@flat
def put_rows(buffer: Any, at: int, numbers: Any, rows: int, columns: int) -> int:
    """`put_table` as protocols call it."""
    return put_table(buffer, at, numbers, rows, columns)


@pytest.fixture(scope="module")
def made() -> SimpleNamespace:
    """This module and that of texts, compiled."""
    module = ModuleType("samples")
    vars(module).update(put_letters=put_letters, put_rows=put_rows)
    own, texts = compile_rules(module), compile_rules(text)
    return SimpleNamespace(put_letters=own.put_letters, put_rows=own.put_rows, put=texts.put, digest=texts.put_digest)


def test_numbers(made: SimpleNamespace) -> None:
    """Every length of a number, with and without its sign, in a list's and in a record's kinds of integers."""
    chance = random.Random(5)
    numbers = [sign * chance.randrange(10**digits) for digits in range(1, 19) for sign in (1, -1) for _ in range(20)]
    for value in [*range(-1010, 1010), *numbers]:
        buffer = numpy.full(32, 0xEE, numpy.uint8)
        end = made.put(buffer, 2, value)
        assert buffer.tobytes() == b"\xee" * 2 + str(value).encode() + b"\xee" * (32 - end)
    for kind in (numpy.int8, numpy.int16, numpy.int32):
        limits = numpy.iinfo(kind)
        for number in (limits.min + 1, limits.max, -1, 0, 9, 10, 99, 100):
            buffer = numpy.zeros(32, numpy.uint8)
            assert buffer[: made.put(buffer, 0, kind(number))].tobytes() == str(number).encode()


@pytest.mark.parametrize("kind", [numpy.int8, numpy.int16, numpy.int32])
def test_the_least_number_of_a_kind(made: SimpleNamespace, kind: Any) -> None:
    """It is written like any other."""
    number = numpy.iinfo(kind).min
    buffer = numpy.zeros(32, numpy.uint8)
    assert buffer[: made.put(buffer, 0, kind(number))].tobytes() == str(number).encode()


@pytest.mark.parametrize("kind", [numpy.int8, numpy.int32, numpy.int64])
def test_tables(made: SimpleNamespace, kind: Any) -> None:
    """As plain Python writes them."""
    chance = random.Random(6)
    for rows, columns in ((1, 1), (6, 6), (3, 5), (1, 9), (9, 1)):
        numbers = [chance.randrange(-127, 128) for _ in range(rows * columns)]
        plain, buffer = bytearray(800), numpy.zeros(800, numpy.uint8)
        end = text.put_table(plain, 3, numbers, rows, columns)
        assert made.put_rows(buffer, 3, numpy.array(numbers, kind), rows, columns) == end
        assert buffer.tobytes()[:end] == plain[:end]


def test_letters(made: SimpleNamespace) -> None:
    """From any place of a constant to any place of a buffer; nothing is written before it or behind the width."""
    for at in (0, 1, 7):
        for start in range(len(LETTERS) - WIDTH + 1):
            for length in (0, 1, 11, WIDTH):
                buffer = numpy.full(40, 0xEE, numpy.uint8)
                assert made.put_letters(buffer, at, start, length) == at + length
                assert buffer[: at + length].tobytes() == b"\xee" * at + LETTERS[start : start + length]
                assert (buffer[at + WIDTH :] == 0xEE).all()


def test_digests(made: SimpleNamespace) -> None:
    """Those of zlib, for any number of bytes, whatever lies behind them."""
    chance = random.Random(7)
    for size in [*range(40), 255, 256, 257, 1000, 4097]:
        packed = numpy.frombuffer(chance.randbytes(size + 5), numpy.uint8)
        out = numpy.full(20, 0xEE, numpy.uint8)
        made.digest(packed, size, out, 8)
        assert out.tobytes() == b"\xee" * 8 + f"{zlib.crc32(packed[:size].tobytes()):08x}".encode() + b"\xee" * 4


@pytest.mark.parametrize("game", ALTERNATING, ids=lambda game: str(game.name))
def test_a_record_has_the_digest_of_its_state(made: SimpleNamespace, game: Any) -> None:
    """As the compiled loop takes it: of the record's own bytes, without the padding behind them."""
    layout, chance = game.rules.LAYOUT, random.Random(8)
    for _ in range(50):
        state = layout.unpack(bytes(chance.randrange(128) for _ in range(layout.size)))
        now = records.blank(layout, 1)
        records.write(layout, now, 0, state)
        out = numpy.zeros(8, numpy.uint8)
        made.digest(now.view(numpy.uint8)[: layout.size], layout.size, out, 0)
        assert out.tobytes().decode() == layout.digest(state)


@pytest.mark.parametrize("game", ALTERNATING, ids=lambda game: str(game.name))
def test_lines_are_found(game: Any) -> None:
    """Every action by its own text, with its newline and nothing else; no other line, compiled and plain."""
    texts = [game.protocol.text(action) for action in range(game.rules.ACTIONS)]
    table = texts_of(texts)
    record, plain = table[0], table.view(numpy.recarray)[0]
    (compiled,) = compile_all([kernel.find_action], {})
    chance = random.Random(9)

    def found(line: bytes) -> int:
        buffer = numpy.zeros(200, numpy.uint8)
        buffer[: len(line)] = numpy.frombuffer(line, numpy.uint8)
        action = int(compiled(buffer, len(line) - 1, record))
        assert kernel.find_action(buffer.tolist(), len(line) - 1, plain) == action
        return action

    for action, word in enumerate(texts):
        assert found(word.encode() + b"\n") == action
        others = [
            word,
            word + " \n",
            " " + word + "\n",
            word + "\r\n",
            word + "\n\n",
            word + "\0\n",
            word[:-1] + "\n",
        ]
        for other in [*others, word.swapcase() + "\n", word + "\n" + word + "\n"]:
            if other.removesuffix("\n") not in texts or not other.endswith("\n"):
                assert found(other.encode()) == -1, other
    for _ in range(500):
        line = chance.randbytes(chance.randrange(1, 25)).replace(b"\n", b"") + b"\n"
        assert found(line) == (
            texts.index(line[:-1].decode("latin-1")) if line[:-1].decode("latin-1") in texts else -1
        )
    assert found(b"") == found(b"\n") == -1
