"""A checksum in each row: SQLite keeps none of its own, so a byte that changed on a disk would be another result.

It is made of all values of the row by which anything is decided or shown, and of the table's name; of an entrant also
of its version, which is read along. It is looked at wherever a row is read, and before a row is counted up. It tells
of accidents, not of somebody who means harm, who would make a new one.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any
from zlib import crc32

import msgspec
from sqlalchemy import Connection, Float, Select, Table, select

from dohyo.store.errors import DamagedError

COLUMN = "checksum"
# What changes while a contest runs, and decides nothing; and ids, which are not known beforehand.
UNCOVERED = {"contests": ("state", "lease")}
VERSION = ("name", "digest", "language", "archive")  # that an entrant's checksum covers, too

_encode = msgspec.msgpack.Encoder(order="deterministic").encode


def checksum(table: str, values: Sequence[object]) -> int:
    """CRC-32 of a row's values, real ones being floats. Raises `DamagedError` for what cannot stand there.

    A change within 32 neighbouring bits is always seen, another one but for one time in four thousand million.
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
    without = (COLUMN, *UNCOVERED.get(table.name, ()))
    return tuple((each.name, isinstance(each.type, Float)) for each in table.c if each.name not in without)


def sealed(table: Table, row: Mapping[str, Any], *more: object) -> dict[str, Any]:
    """The row with its checksum; as it is, where the table has none. `more` is what is covered besides."""
    if COLUMN not in table.c:
        return dict(row)
    values = [float(row[name]) if real and row[name] is not None else row[name] for name, real in covered(table)]
    return {**row, COLUMN: checksum(table.name, (*values, *more))}


def whole(table: Table) -> Select[Any]:
    """All columns of a table, so that `looked_at` can look at its rows."""
    return select(*table.c)


def looked_at(table: Table, rows: Iterable[Any]) -> Iterator[Any]:
    """The rows of a query by `whole`, each compared with its checksum. Raises `DamagedError`."""
    names, name = [each.name for each in table.c], table.name
    last, seed = names.index(COLUMN), _seed(name)
    skipped = [names.index(each) for each in UNCOVERED.get(name, ())]
    for row in rows:
        if skipped:
            values = tuple(value for at, value in enumerate(row) if at != last and at not in skipped)
            found = checksum(name, values)
        else:
            try:
                found = crc32(_encode(row[:last]), seed)
            except (OverflowError, RecursionError, TypeError, ValueError) as error:
                raise DamagedError(f"a row of {name} holds what it cannot hold") from error
        if found != row[last]:
            raise DamagedError(f"a row of {name} is not what was written")
        yield row


def read(connection: Connection, query: Select[Any], table: Table) -> Generator[Any, None, None]:
    """The rows that a query by `whole` finds. Raises `DamagedError` for one that is not what was written."""
    with connection.execute(query) as rows:  # let go of, also when nobody reads to the end
        yield from looked_at(table, rows)
