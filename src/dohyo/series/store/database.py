"""The connection to a database: transactions, repetitions after errors, and messages to the operator."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from typing import Any, TypeVar

from sqlalchemy import Column, Connection, Engine, Float, Table, bindparam, column, create_engine, event, func, select
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import DBAPIError

from dohyo.core.errors import OperatorError
from dohyo.series.store import sqlite_tables
from dohyo.series.store.address import Address
from dohyo.series.store.columns import ROWS_AT_ONCE, read_json, sealed
from dohyo.series.store.errors import DAMAGED, damaged, is_passing, of_database
from dohyo.series.store.read_only import connect as connect_to_read
from dohyo.series.store.read_only import copy_first

Outcome = TypeVar("Outcome")

SHORTEST_PAUSE, LONGEST_PAUSE = 0.05, 1.0  # seconds between attempts to reach a lost server
PATIENCE = 30.0  # seconds to wait for a lock or for a lost server


# By path, how many databases of this process may have a file of SQLite open. Its locks belong to the whole process:
# as soon as this process closes that file anywhere, also where it was opened only to be looked at, the locks of all
# its connections are gone, and another process may take away the log that they still write to.
HELD: Counter[Path] = Counter()
HOLDING = RLock()  # around looking at a file and opening it


class Database:
    """A store's database. `patience`: seconds to wait for a lock or for a lost server.

    `reading_by` is how SQLite opens a file that can only be read (`read_only.py`).
    """

    def __init__(self, address: Address, patience: float = PATIENCE, reading_by: str | None = None) -> None:
        self.address = address
        self.patience = patience
        self.is_read_only = reading_by is not None
        self.engine = (
            _sqlite(address, address.path, patience, reading_by) if address.path else _postgres(address, patience)
        )
        self.is_sqlite = address.path is not None
        self._holds = address.path
        if self._holds is not None:
            with HOLDING:
                HELD[self._holds] += 1
        self._moment: Connection | None = None  # of the block `one_moment`
        self.connections = 0  # how many were ever made: a change shows that a connection's state may be lost
        event.listen(self.engine, "connect", self._count)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A transaction that reads one consistent state; long answers come in pieces. Raises `OperatorError`."""
        if self._moment is not None:
            with self._told():
                yield self._moment
            return
        with self._told(), self.engine.connect() as connection:
            if not self.is_sqlite:  # which has no other way
                connection.execution_options(isolation_level="REPEATABLE READ")
            yield connection.execution_options(yield_per=ROWS_AT_ONCE)

    @contextmanager
    def one_moment(self) -> Iterator[None]:
        """A block in which this thread reads everything as it is at the first look: one transaction.

        Others may write meanwhile. A file of SQLite whose disk allows no log beside it is read as it is at each look:
        there, nobody could write.
        """
        if self._moment is not None or not self._lets_others_write():
            yield
            return
        with self.reading() as connection:
            self._moment = connection
            try:
                yield
            finally:
                self._moment = None

    def moment(self) -> tuple[int, ...] | None:
        """What is the same for as long as nobody changes anything in the database; none where that is not told.

        Ask in a block `one_moment`: then it is of what is read there.
        """
        if not self.is_sqlite:
            return None

        def ask(connection: Connection) -> tuple[int, ...]:
            others = connection.exec_driver_sql("PRAGMA data_version").scalar_one()
            driver: Any = connection.connection.driver_connection
            return self.connections, int(others), driver.total_changes

        return self.read(ask)

    def _lets_others_write(self) -> bool:
        if not self.is_sqlite or self.is_read_only:
            return True
        return bool(self.read(lambda connection: connection.exec_driver_sql("PRAGMA journal_mode").scalar()) == "wal")

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that writes everything or nothing. Raises `OperatorError`."""
        self.check_writable()
        with self._told(), self.engine.connect() as connection:
            connection.execution_options(writes=True)
            with connection.begin():
                yield connection

    def write(self, act: Callable[[Connection], Outcome]) -> Outcome:
        """Do `act` in a transaction, again if the connection broke: doing it twice must have the same effect as once.

        Raises `OperatorError` if the server does not come back within `patience`.
        """
        self.check_writable()
        return self.again(lambda: self._write_once(act))

    def read(self, ask: Callable[[Connection], Outcome]) -> Outcome:
        """Read in a transaction, again if the connection broke."""
        return self.again(lambda: self._read_once(ask))

    def again(self, act: Callable[[], Outcome]) -> Outcome:
        """Do `act`; while it reports a broken connection, do it again, for `patience` at most."""
        end, pause = time.monotonic() + self.patience, SHORTEST_PAUSE
        while True:
            try:
                return act()
            except DBAPIError as error:
                told = of_database(error, self.address.shown)
                if told is None:
                    raise
                if self.is_sqlite or not is_passing(error):
                    raise told from error
                if time.monotonic() + pause > end:
                    raise self._lost(told) from error
            except DAMAGED as error:
                raise damaged(error, self.address.shown) from error
            time.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    def check_writable(self) -> None:
        """Raise `OperatorError` for a store that can only be read where it is."""
        if self.is_read_only:
            raise copy_first(self.address)

    def close(self) -> None:
        """Close every connection."""
        self.engine.dispose()
        if self._holds is not None:
            with HOLDING:
                HELD[self._holds] -= 1
            self._holds = None

    def _count(self, *_: object) -> None:
        self.connections += 1

    def _write_once(self, act: Callable[[Connection], Outcome]) -> Outcome:
        with self.engine.connect() as connection:
            connection.execution_options(writes=True)
            with connection.begin():
                return act(connection)

    def _read_once(self, ask: Callable[[Connection], Outcome]) -> Outcome:
        if self._moment is not None:
            return ask(self._moment)
        with self.engine.connect() as connection:
            return ask(connection if self.is_sqlite else connection.execution_options(yield_per=ROWS_AT_ONCE))

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except DBAPIError as error:
            told = of_database(error, self.address.shown)
            if told is None:
                raise
            raise told from error
        except DAMAGED as error:
            raise damaged(error, self.address.shown) from error

    def _lost(self, told: OperatorError) -> OperatorError:
        details = {**told.message.values, "seconds": round(self.patience)}
        return OperatorError("store-lost", **details)


def insert(connection: Connection, table: Table) -> Any:
    """An INSERT of this database's kind, which can have an ON CONFLICT clause."""
    if connection.dialect.name == "sqlite":
        return sqlite.insert(table)
    from sqlalchemy.dialects import postgresql

    return postgresql.insert(table)


def insert_rows(
    connection: Connection,
    table: Table,
    rows: Sequence[Mapping[str, Any]],
    then: Callable[[Any], Any] = lambda put: put,
) -> Any:
    """Insert many rows with the same columns at once, each with its checksum.

    `then` adds the ON CONFLICT clause to the INSERT. PostgreSQL gets one statement with an array for each column: one
    statement for each row takes three times as long.
    """
    rows = [sealed(table, row) for row in rows]
    if connection.dialect.name == "sqlite":
        return connection.execute(then(sqlite.insert(table)), rows)
    from sqlalchemy.dialects import postgresql

    names = list(rows[0])
    arrays = [bindparam(f"all_{name}", type_=postgresql.ARRAY(table.c[name].type)) for name in names]
    unnested = func.unnest(*arrays).table_valued(*(column(name, table.c[name].type) for name in names))
    columns = unnested.render_derived().c
    put = postgresql.insert(table).from_select(names, select(*(columns[name] for name in names)))
    return connection.execute(then(put), {f"all_{name}": _values(table.c[name], rows) for name in names})


def _values(of: Column[Any], rows: Sequence[Mapping[str, Any]]) -> list[Any]:
    """A column of the rows. An array cannot have whole numbers among real ones."""
    values = [row[of.name] for row in rows]
    return [None if value is None else float(value) for value in values] if isinstance(of.type, Float) else values


def _sqlite(address: Address, path: Path, patience: float, reading_by: str | None) -> Engine:
    way: dict[str, Any] = {"connect_args": {"timeout": patience}}
    if reading_by is not None:
        way = {"creator": lambda: connect_to_read(path, reading_by, patience)}
    engine = create_engine(address.url, json_deserializer=read_json, **way)

    @event.listens_for(engine, "connect")
    def connect(connection: Any, record: object) -> None:
        # The driver would begin transactions by itself, at some statements and not at others; we say BEGIN.
        connection.isolation_level = None
        sqlite_tables.limit(connection)
        # After a power failure the last results may be missing, but never a part of one: they are played again.
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA foreign_keys = ON")

    @event.listens_for(engine, "before_cursor_execute")
    def before(connection: Connection, cursor: Any, *_: object) -> None:
        writes = connection.get_execution_options().get("writes")
        sqlite_tables.budget(cursor.connection, None if writes else path)

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        # A transaction that begins by reading and writes later may be refused in the middle; so we begin with the
        # write lock.
        writes = connection.get_execution_options().get("writes")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def _lively(patience: float) -> dict[str, int]:
    """Settings by which a server that went without a word is noticed, in seconds (the last: milliseconds)."""
    return {
        "connect_timeout": max(2, min(10, round(patience))),
        "keepalives_idle": 10,
        "keepalives_interval": 5,
        "keepalives_count": 3,
        "tcp_user_timeout": 25_000,
    }


def _postgres(address: Address, patience: float) -> Engine:
    engine = create_engine(
        address.url,
        connect_args={**_lively(patience), "application_name": "dohyo", "client_encoding": "utf8"},
        pool_pre_ping=True,
        json_deserializer=read_json,
    )
    schemas: list[str] = []

    @event.listens_for(engine, "connect")
    def connect(connection: Any, record: object) -> None:
        from psycopg import sql

        connection.execute(f"SET lock_timeout = {max(1, round(patience * 1000))}")
        # Names are searched in one schema only, which is checked when a store is opened. Otherwise the database's
        # owner decides which schemas are searched, and may change that at any time.
        if not schemas and (found := connection.execute("SELECT pg_catalog.current_schema()").fetchone()[0]):
            schemas.append(found)
        for schema in schemas[:1]:
            connection.execute(sql.SQL("SET search_path = {}, pg_temp").format(sql.Identifier(schema)))
        connection.commit()

    return engine
