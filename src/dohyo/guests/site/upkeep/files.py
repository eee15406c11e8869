"""Which of a site's files are needed: those that a row of its database names, by their digests.

The digest of a file stands in a column of its own, whatever table that is: a file that no column holds is nobody's.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import Column, Connection, func, select

from dohyo.guests.site import tables
from dohyo.series.store.columns import Words
from dohyo.series.store.database import Database

LENGTH = 64  # characters of a digest


def named(database: Database) -> set[str]:
    """Every text of the site's tables that may be the digest of a file."""
    return database.read(lambda connection: {*_named(connection)})


def _named(connection: Connection) -> Iterator[str]:
    for table in tables.METADATA.tables.values():
        for column in table.columns:
            if isinstance(column.type, Words):
                yield from _digests(connection, column)


def _digests(connection: Connection, column: Column[str]) -> Iterator[str]:
    asked = select(column).where(func.length(column) == LENGTH).distinct()
    yield from connection.execute(asked).scalars()
