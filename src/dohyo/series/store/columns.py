"""What is checked when a row is read: the value in each column, and the checksum of the row.

SQLite stores any value in any column, and a store may come from a stranger. PostgreSQL enforces its columns' types.

SQLite has no checksums either, so a byte that changed on the disk could change a result. That of a row covers the
values of all columns before it, and the table's name; for an entrant also its version, which is read with it. Columns
behind it change while a contest runs, and decide nothing. It is checked whenever a row is read, and before a counter
in a row is increased. It detects accidents, not attacks: an attacker could compute a new one.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any
from zlib import crc32

import msgspec
from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    Dialect,
    Float,
    Integer,
    Select,
    Table,
    Text,
    select,
    type_coerce,
)
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement

from dohyo.core.bounds import TooMuchError, check_json
from dohyo.series.store.errors import DamagedError

MOST = (1 << 31) - 1  # of a number that counts something
MAX_LONG = (1 << 63) - 1
MAX_REAL = 1e15
LAST_MOMENT = 253402300799.0  # seconds from 1970 to the end of the year 9999
LONGEST = 1 << 20  # characters of a text
LONGEST_JSON = 1 << 24  # characters: ten thousand bots' paths
DEEPEST = 32  # nested lists and objects
BYTES_A_VALUE = 8  # of a value or a key in JSON, or more: terms as they are written have 12 and more
COLUMN = "checksum"
ROWS_AT_ONCE = 5000  # rows of a long answer that are read at once
LARGEST_PIECE = 100  # the same, of one text each: so many MiB at most
VERSION_COLUMNS = ("name", "digest", "language", "archive")  # that an entrant's checksum covers, too

_encode = msgspec.msgpack.Encoder(order="deterministic").encode

Check = Callable[[Any], Any]


def _whole(nullable: bool, most: int) -> Check:
    def check(value: Any) -> int | None:
        if (value is None and nullable) or (type(value) is int and 0 <= value <= most):
            return value
        raise DamagedError(f"{_shown(value)} is no number that can stand there")

    return check


class Whole(Integer):
    """A whole number from 0 on; None only if it is `nullable`."""

    most = MOST

    def __init__(self, nullable: bool = False) -> None:
        self.nullable = nullable

    def result_processor(self, dialect: Dialect, coltype: object) -> Check:
        """Refuse anything else."""
        return _whole(self.nullable, self.most)


class Long(BigInteger):
    """A column of whole numbers from 0 to 2**63 - 1."""

    def result_processor(self, dialect: Dialect, coltype: object) -> Check:
        """Refuse anything else."""
        return _whole(False, MAX_LONG)


class Real(Float[float]):
    """A finite number; None only if it is `nullable`."""

    least, most = -MAX_REAL, MAX_REAL

    def __init__(self, nullable: bool = False) -> None:
        super().__init__()
        self.nullable = nullable

    def result_processor(self, dialect: Dialect, coltype: object) -> Check:
        """Refuse anything else."""
        nullable, least, most = self.nullable, self.least, self.most

        def check(value: Any) -> float | None:
            if value is None and nullable:
                return None
            if type(value) in (int, float) and least <= value <= most:
                return float(value)
            raise DamagedError(f"{_shown(value)} is no number that can stand there")

        return check


class Moment(Real):
    """Seconds since 1970, up to a year that can be written down."""

    least, most = 0.0, LAST_MOMENT


class _Cut(FunctionElement[str]):
    """A text column as it is read: of one that is too long, PostgreSQL sends no more than shows that it is."""

    inherit_cache = True
    type = Text()


@compiles(_Cut)
def _as_it_is(element: _Cut, compiler: SQLCompiler, **how: Any) -> str:
    return compiler.process(element.clauses, **how)  # SQLite has its own limit (`sqlite_tables.LIMITS`)


@compiles(_Cut, "postgresql")
def _cut(element: _Cut, compiler: SQLCompiler, **how: Any) -> str:
    return f"pg_catalog.left({compiler.process(element.clauses, **how)}, {LONGEST + 1})"


class Words(Text):
    """A text; None only if it is `nullable`."""

    render_bind_cast = True  # as the type of PostgreSQL's driver has it, in whose place this one stands

    def __init__(self, nullable: bool = False) -> None:
        super().__init__()
        self.nullable = nullable

    def adapt(self, cls: type[Any], **_: Any) -> Any:
        """For every database it stays the type that looks at what it reads."""
        return Words(self.nullable)

    def column_expression(self, column: ColumnElement[str]) -> ColumnElement[str]:
        """What is read of it."""
        return type_coerce(_Cut(column), self)

    def result_processor(self, dialect: Dialect, coltype: object) -> Check:
        """Refuse anything else."""
        nullable = self.nullable

        def check(value: Any) -> str | None:
            if (value is None and nullable) or (type(value) is str and len(value) <= LONGEST):
                return value
            raise DamagedError(f"{_shown(value)} is no text that can stand there")

        return check


def read_json(text: Any) -> Any:
    """The value in a column of JSON. Raises `DamagedError` for invalid JSON, or too much of it."""
    if not isinstance(text, str | bytes):
        raise DamagedError(f"{_shown(text)} is no JSON")
    if text == "[]":  # what most rows have that have any
        return []
    try:
        check_json(text, LONGEST_JSON, DEEPEST, BYTES_A_VALUE)
        return json.loads(text, parse_constant=_no_number, parse_float=_finite)
    except TooMuchError as error:
        raise DamagedError(f"JSON with {error}") from error
    except ValueError as error:
        raise DamagedError(f"{_shown(text)} is no JSON") from error


def _no_number(word: str) -> None:
    raise ValueError(word)


def _finite(word: str) -> float:
    if not math.isfinite(number := float(word)):
        raise ValueError(word)
    return number


def _shown(value: object) -> str:
    """The beginning of a value, for a sentence."""
    return repr(value[:40] if isinstance(value, str | bytes) else value)


# --- checksums


def checksum(table: str, values: Sequence[object]) -> int:
    """CRC-32 of a row's values, real numbers as floats. Raises `DamagedError` for a value that cannot be there.

    A change within 32 neighbouring bits is always detected; any other with a probability of 1 - 2**-32.
    """
    try:
        return crc32(_encode(values), _seed(table))
    except (OverflowError, RecursionError, TypeError, ValueError) as error:
        raise DamagedError(f"a row of {table} holds what it cannot hold") from error


@cache
def _seed(table: str) -> int:
    return crc32(table.encode())


@cache
def covered(table: Table) -> tuple[tuple[str, bool], ...]:
    """The columns that a row's checksum covers, in their order, and which of them are real numbers."""
    last = list(table.c.keys()).index(COLUMN)
    return tuple((each.name, isinstance(each.type, Float)) for each in list(table.c)[:last])


def sealed(table: Table, row: Mapping[str, Any], *more: object) -> dict[str, Any]:
    """The row with its checksum; unchanged, if the table has none. `more` is covered in addition."""
    if COLUMN not in table.c:
        return dict(row)
    values = [float(row[name]) if real and row[name] is not None else row[name] for name, real in covered(table)]
    return {**row, COLUMN: checksum(table.name, (*values, *more))}


def whole(table: Table) -> Select[Any]:
    """A query of all columns of a table, whose rows `looked_at` can check."""
    return select(*table.c)


def looked_at(table: Table, rows: Iterable[Any]) -> Iterator[Any]:
    """The rows of a query by `whole`, each compared with its checksum. Raises `DamagedError`."""
    name, last = table.name, len(covered(table))
    for row in rows:
        if checksum(name, row[:last]) != row[last]:
            raise DamagedError(f"a row of {name} is not what was written")
        yield row


def read(connection: Connection, query: Select[Any], table: Table) -> Generator[Any, None, None]:
    """The rows that a query by `whole` finds. Raises `DamagedError` for one that is not what was written."""
    with connection.execute(in_pieces(connection, query, table)) as rows:  # closed even if nobody reads to the end
        yield from looked_at(table, rows)


def in_pieces(connection: Connection, query: Select[Any], *of: Table) -> Select[Any]:
    """The query, whose rows PostgreSQL sends in pieces of a bounded size, where the transaction only reads.

    A text in it takes little room and may be long: compressed, thousands are a few bytes each.
    """
    if connection.dialect.name == "sqlite" or "yield_per" not in connection.get_execution_options():
        return query
    texts = sum(isinstance(column.type, Words) for table in of for column in table.c)
    return query.execution_options(yield_per=min(ROWS_AT_ONCE, LARGEST_PIECE // max(1, texts)))
