"""Opening a store: what is there, whether it is ours, and making its tables where there are none."""

from __future__ import annotations

import contextlib
import errno
import shlex
import sqlite3
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from sqlalchemy import Connection, insert, inspect, text

from dohyo import doors
from dohyo.core.errors import OperatorError
from dohyo.core.spelling import meant, nearest
from dohyo.i18n import Message
from dohyo.match.files import SQLITE
from dohyo.series.store import sqlite_tables
from dohyo.series.store.address import Address
from dohyo.series.store.database import HELD, HOLDING, Database
from dohyo.series.store.errors import DamagedError, damaged, of_files
from dohyo.series.store.files_folder import settings
from dohyo.series.store.postgres_tables import check_columns, check_objects
from dohyo.series.store.read_only import settings_for_reading
from dohyo.series.store.tables import APPLICATION, METADATA, STAMP, VERSION, VERSION_TABLE
from dohyo.system.plain_files import open_plain

# Tables that stay small, however much is played, and are checked completely. Of the others, only rows are counted.
SMALL = (
    "contests",
    "bots",
    "bot_versions",
    "entrants",
    "batches",
    "tallies",
    "pair_tallies",
    "fault_tallies",
    "faulty_tallies",
    "set_aside",
    "rulings",
    "ruled",
    "attempts",
)

MOST_LOOKED_AT = 1000  # files of a folder, for one whose name is like a typed one
RESULTS = (".tar", ".replay", ".zst")  # how files end that `dohyo verify` checks, besides stores

LONGEST_VERSION = 32  # characters that are told of one

MAKING = 0x444F4859  # the PostgreSQL lock for making the tables: "DOHY"


def open_database(address: Address, *, create: bool, patience: float) -> Database:
    """The store's database. A file that can only be read is opened for reading.

    Raises `OperatorError`: missing (and `create` is false), not a store, of another version, locked, cannot be
    reached or written.
    """
    try:
        return _opened(address, create, patience)
    except OperatorError as error:
        if error.key != "store-is-none" or create:
            raise
        raise _none_here(address) from error


def _meant(path: Path) -> Message | str:
    """The store or contest file in the same folder that a missing one was probably meant to be, for a sentence."""
    endings = (
        (".db", ".toml") if "t" in path.name[-4:].lower() else (".db",)
    )  # who means such a file types its ending
    known = [each.name for each in islice(path.parent.glob("*"), MOST_LOOKED_AT) if each.suffix in endings]
    return meant(f"{path.name}.db") if f"{path.name}.db" in known else nearest(path.name, known)


def _none_here(address: Address) -> OperatorError:
    """The error for somebody who wants to look at what is no store."""
    path = address.path
    if path is None:
        return OperatorError("store-is-none", store=address.shown)
    if path.suffix in RESULTS and path.is_file() and doors.has_command("verify"):
        return OperatorError("store-none-but-results", store=address.shown, typed=shlex.quote(address.shown))
    usual = path.with_suffix(".db").name if path.suffix == ".toml" else "contest.db"
    return OperatorError("store-none-here", store=address.shown, usual=usual)


def _opened(address: Address, create: bool, patience: float) -> Database:
    with HOLDING:
        database = _found(address, create, patience)
    try:
        with database.reading() as connection:
            version = _version(connection, address)
        if version is None and not create:
            raise OperatorError("store-missing", store=address.shown, nearest="")
        if address.path is not None and version is not None:
            with database.reading() as connection:
                if not sqlite_tables.check_whole(connection, address.path, _noted()):
                    check_pages(connection, SMALL)
        if version is None:
            _make_tables(database)
        if address.path is None:
            with database.reading() as connection:
                check_columns(connection)
        if address.path is not None and not database.is_read_only:
            try:
                write_ahead(database)
            except sqlite3.DatabaseError as error:
                raise damaged(error, address.shown) from error
    except BaseException:
        database.close()
        raise
    return database


def _make_tables(database: Database) -> None:
    """Make the tables of an empty database and say which version they are of, in one transaction."""
    with database.writing() as connection:
        if not database.is_sqlite:  # there, the whole transaction has the only lock
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": MAKING})
        if _version(connection, database.address) is not None:  # another process was faster
            return
        if database.is_sqlite:
            connection.exec_driver_sql(f"PRAGMA application_id = {APPLICATION}")
        METADATA.create_all(connection, checkfirst=False)
        STAMP.create(connection, checkfirst=False)
        connection.execute(insert(STAMP).values(version_num=VERSION))


def _found(address: Address, create: bool, patience: float) -> Database:
    """The database, not yet looked into. A file that this process has open is not opened again beside SQLite."""
    reading_by = None
    if address.path is not None and not HELD[address.path]:
        _look_at_file(address, address.path, create=create)
        try:
            sqlite_tables.check_beside(address.path)
        except DamagedError as error:
            raise damaged(error, address.shown) from error
    if address.path is not None:
        reading_by = settings_for_reading(address, address.path)
    return Database(address, patience, reading_by)


def _look_at_file(address: Address, path: Path, *, create: bool) -> None:
    """Refuse a file that is missing or not of SQLite, before SQLite itself would make or change one."""
    try:
        if not path.exists():
            if not create:
                raise OperatorError("store-missing", store=address.shown, nearest=_meant(path))
            path.parent.mkdir(parents=True, exist_ok=True)
        else:
            with open_plain(path) as file:
                beginning = file.read(len(SQLITE))
            if beginning not in (b"", SQLITE):
                raise OperatorError("store-is-none", store=address.shown)
    except OSError as error:
        if error.errno in (errno.EINVAL, errno.EISDIR):
            raise OperatorError("store-is-none", store=address.shown) from error
        raise of_files(error, path) from error


def _version(connection: Connection, address: Address) -> str | None:
    """The version of the tables; none in an empty database. Raises `OperatorError`: not ours, or another."""
    if connection.dialect.name == "postgresql":
        encoding = connection.execute(text("SELECT current_setting('server_encoding')")).scalar_one()
        if encoding != "UTF8":
            raise OperatorError("store-not-utf8", store=address.shown, encoding=encoding)
        check_objects(connection)
        found = _version_in_postgres(connection, address)
    else:
        try:
            found = sqlite_tables.check_objects(connection)
        except sqlite_tables.ForeignError as error:
            raise OperatorError("store-is-none", store=address.shown) from error
    if found not in (None, VERSION):
        other = found[:LONGEST_VERSION]
        raise OperatorError("store-other-version", store=address.shown, version=other, known=VERSION)
    return found


def _version_in_postgres(connection: Connection, address: Address) -> str | None:
    names = inspect(connection).get_table_names()
    if VERSION_TABLE not in names:
        if names:
            raise OperatorError("store-is-none", store=address.shown)
        return None
    found = connection.execute(text(f"SELECT version_num FROM {VERSION_TABLE}")).scalar_one_or_none()
    if found is None:
        raise OperatorError("store-is-none", store=address.shown)
    return str(found)


def _noted() -> Path | None:
    """Where it is noted which large files were checked; None for a user without a home folder."""
    try:
        return settings().parent / "checked"
    except OSError:
        return None


def check_pages(connection: Connection, names: Sequence[str]) -> None:
    """Raise `DamagedError` if SQLite finds damaged pages in these tables or their indices.

    A damaged page may lose a row, which a reader would not notice.
    """
    for name in names:
        for (found,) in connection.exec_driver_sql(f"PRAGMA quick_check('{name}')"):
            if found != "ok":
                raise DamagedError(found)


def write_ahead(database: Database) -> None:
    """Allow reading while another process writes.

    The setting stays in the file; changing it needs exclusive access.
    """
    with contextlib.closing(database.engine.raw_connection()) as connection:
        mode = connection.cursor().execute("PRAGMA journal_mode").fetchone()
        if mode != ("wal",):
            with contextlib.suppress(sqlite3.OperationalError):  # it works without, and the next opening tries again
                connection.cursor().execute("PRAGMA journal_mode = WAL")
