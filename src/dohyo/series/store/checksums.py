"""A checksum in each row: SQLite has none of its own, so a byte that changed on the disk could change a result.

It covers the values of all columns before it, and the table's name; for an entrant also its version, which is read
with it. Columns behind it change while a contest runs, and decide nothing. It is checked whenever a row is read, and
before a counter in a row is increased. It detects accidents, not attacks: an attacker could compute a new one.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any
from zlib import crc32

import msgspec
from sqlalchemy import Connection, Float, Select, Table, select

from dohyo.series.store.columns import Words
from dohyo.series.store.errors import DamagedError

COLUMN = "checksum"
ROWS_AT_ONCE = 5000  # rows of a long answer that are read at once
LARGEST_PIECE = 100  # the same, of one text each: so many MiB at most
VERSION = ("name", "digest", "language", "archive")  # that an entrant's checksum covers, too

_encode = msgspec.msgpack.Encoder(order="deterministic").encode


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
