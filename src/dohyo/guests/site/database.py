"""How a site's database is reached: SQLite in its folder, or a schema of its own in PostgreSQL.

Writes are one after another, in PostgreSQL by a lock as SQLite has it by itself. So whoever looks whether a name is
free, a limit reached or a hand-in waiting, and then writes, is not overtaken, whichever server or judge it is. A
site's own writes are few and short; results, which are many, are in the store and lock their contest alone.

What was written outlasts a power failure: a hand-in that was accepted is on the disk.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any
from zlib import crc32

from sqlalchemy import Connection, event, text

from dohyo.core.errors import OperatorError
from dohyo.series.store.address import read_address
from dohyo.series.store.database import PATIENCE, Database

ENDING = "_site"  # of the schema's name, behind that of the store
WRITING = 0x53495445  # the lock in PostgreSQL: "SITE"
LONGEST_IDLE = 30  # seconds in a transaction after which its connection ends, and with it what it locks


def reach(where: str, patience: float = PATIENCE) -> Database:
    """The database at this path or URL; whether it is a site's is not looked at. Raises `OperatorError`."""
    database = Database(read_address(where), patience)
    try:
        if database.address.path is not None:
            _watch(database, database.address.path)
        else:
            _set_apart(database)
    except BaseException:
        database.close()
        raise
    return database


def _watch(database: Database, path: Path) -> None:
    """Let SQLite wait for the disk, and write to the file that has this name, not to one that somebody has removed.

    It would go on with such a one, and all that it writes would be gone with the process.
    """
    there: list[tuple[int, int]] = []  # the file, once it was there

    def which() -> tuple[int, int]:
        try:
            status = os.stat(path)
        except OSError as error:
            raise OperatorError("store-missing", store=database.address.shown, nearest="") from error
        return status.st_dev, status.st_ino

    @event.listens_for(database.engine, "do_connect")
    def before(*_: object) -> None:
        if there:
            which()  # it would be made anew, empty

    @event.listens_for(database.engine, "connect")
    def connect(connection: Any, record: object) -> None:
        connection.execute("PRAGMA synchronous = FULL")
        there[:] = [which()]

    @event.listens_for(database.engine, "begin", insert=True)
    def begin(connection: Connection) -> None:
        if which() != there[0]:  # another file has its place: it is opened with the next transaction
            database.engine.dispose()
            raise OperatorError("store-missing", store=database.address.shown, nearest="")


def _set_apart(database: Database) -> None:
    """Use a schema of its own, beside the store's, whose tables have some names in common with a site's."""
    store = database.read(lambda connection: connection.execute(text("SELECT current_schema()")).scalar())
    schema = f"{store}{ENDING}"
    number = crc32(schema.encode()) & 0x7FFFFFFF
    database.engine.dispose()

    @event.listens_for(database.engine, "connect")
    def connect(connection: Any, record: object) -> None:
        from psycopg import sql

        order = sql.SQL("SET search_path = {}, pg_temp").format(sql.Identifier(schema))
        connection.execute(order)
        connection.execute(f"SET idle_in_transaction_session_timeout = {LONGEST_IDLE * 1000}")
        connection.commit()

    @event.listens_for(database.engine, "begin")
    def begin(connection: Connection) -> None:
        if connection.get_execution_options().get("writes"):
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({WRITING}, {number})")

    def make(connection: Connection) -> None:
        there = "SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = :name"
        if connection.execute(text(there), {"name": schema}).scalar() is None:
            quoted = connection.dialect.identifier_preparer.quote(schema)
            connection.execute(text(f"CREATE SCHEMA {quoted}"))

    database.write(make)
