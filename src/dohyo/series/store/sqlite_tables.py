"""Whether an SQLite file is a store as we make it, asked in a way that nothing in the file can make long or large.

A file may come from a stranger. SQLite carries out what a file's schema says: a view, a constraint or an index of an
expression may compute without end. Its pages may refer to each other so that a short file has rows without end. And a
journal beside it is played back before anything is read. So, for every store and in this order:

1. What lies beside it is looked at before SQLite opens it (`check_beside`).
2. Each connection has limits on texts, rows and expressions, and on the steps of reading the schema (`limit`).
3. The schema is compared, word by word, with what we make, before any other statement (`check_objects`).
4. The file's pages are checked, each once (`check_whole`): of larger files once, which is noted in the cache.
5. From then on each statement that reads may take so many steps as the file has bytes, and some (`budget`).
"""

from __future__ import annotations

import os
import re
import sqlite3
import stat
from collections import Counter
from contextlib import suppress
from functools import cache
from hashlib import sha256
from itertools import chain, repeat
from pathlib import Path
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.dialects import sqlite
from sqlalchemy.schema import CreateIndex, CreateTable

from dohyo.series.store.errors import DamagedError
from dohyo.series.store.tables import METADATA, STAMP, VERSION, VERSION_TABLE
from dohyo.system.plain_files import open_plain

LONGEST_VALUE = 1 << 25  # bytes of a row
MAX_STEPS = 5_000_000  # of SQLite's machine, of a statement that reads: a tenth of a second
STEPS_A_BYTE = 4  # of the file, in addition: our own statements take less than one
SCHEMA_STEPS = 10_000  # to read the schema, of which ours takes 400
AT_ONCE = 100  # steps between two looks at the budget of the schema; of other statements a hundred times as many
EACH_TIME = 4 << 20  # bytes of a file that is checked whole at each opening, which takes 14 ms for a MiB

# By SQLite's numbers, which the module `sqlite3` also names: no statement of ours comes near.
LIMITS = {
    sqlite3.SQLITE_LIMIT_LENGTH: LONGEST_VALUE,
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 1 << 20,
    sqlite3.SQLITE_LIMIT_COLUMN: 100,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 100,
    sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: 20,
    sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 1000,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH: 1,
    sqlite3.SQLITE_LIMIT_WORKER_THREADS: 0,
}

# What SQLite may be asked while the schema is not known to be ours; anything else is refused by SQLite itself.
_LOOKING: dict[int, set[str | None]] = {
    sqlite3.SQLITE_SELECT: {None},
    sqlite3.SQLITE_TRANSACTION: {"BEGIN", "BEGIN IMMEDIATE"},
    sqlite3.SQLITE_READ: {"sqlite_master"},
}

BESIDE = ("-journal", "-wal", "-shm")  # what SQLite reads besides the file
# How a journal ends that belongs to a transaction of several files. SQLite would remove the file that it names.
_OF_SEVERAL = bytes.fromhex("d9d505f920a163d7")

_SPACE = re.compile(r"[ \t\n\f\r]+")  # what SQLite takes for one
Row = tuple[str, str, str, str]


def check_beside(path: Path) -> None:
    """Raise `DamagedError` for what SQLite would read beside the file, and no store of ours has there."""
    for ending in BESIDE:
        beside = path.with_name(path.name + ending)
        try:
            status = beside.lstat()
        except FileNotFoundError:
            continue
        if not stat.S_ISREG(status.st_mode):
            raise DamagedError(f"{beside.name} is not an ordinary file")
        if ending == "-journal" and _end_of(beside, len(_OF_SEVERAL)) == _OF_SEVERAL:
            raise DamagedError(f"{beside.name} names another file, to be removed")


def _end_of(path: Path, size: int) -> bytes:
    with open_plain(path, follow=False) as file:
        file.seek(max(0, os.fstat(file.fileno()).st_size - size))
        return file.read(size)


def limit(connection: sqlite3.Connection) -> None:
    """Set the limits of a new connection, before its first statement. The next ones read the schema."""
    for number, most in LIMITS.items():
        connection.setlimit(number, most)
    _steps(connection, SCHEMA_STEPS, AT_ONCE)
    # Expressions in the file itself cannot call functions, and its pages are checked before use.
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    connection.execute("PRAGMA mmap_size = 0")


def budget(connection: sqlite3.Connection, path: Path | None) -> None:
    """Let the next statement take the steps that reading this file may take; with None, as many as it likes."""
    if path is None:
        connection.set_progress_handler(None, 0)
        return
    size = 0
    with suppress(OSError):  # there is no log, or somebody has moved the file away
        size += os.stat(path).st_size
        size += os.stat(f"{path}-wal").st_size
    _steps(connection, MAX_STEPS + STEPS_A_BYTE * size, AT_ONCE * 100)


def _steps(connection: sqlite3.Connection, most: int, at_once: int) -> None:
    """Interrupt the next statement after so many steps.

    The handler is no function of Python: in one, a person's Ctrl-C would be raised and lost.
    """
    looks = chain(repeat(0, max(1, most // at_once)), repeat(1))
    connection.set_progress_handler(looks.__next__, at_once)


def check_objects(connection: Connection) -> str | None:
    """The version that the file's tables are of, as they are written in it; None where there are no tables.

    Raises `DamagedError` if there is anything else in it than the tables and indices that we make, and
    `ForeignError` if it is not ours at all. A version that is not known is returned with nothing else looked at.
    """
    raw: sqlite3.Connection = connection.connection.driver_connection  # type: ignore[assignment]
    raw.set_authorizer(_may_look)
    try:
        found = _objects(connection)
    finally:
        raw.set_authorizer(None)
    names = {name for kind, name, *_ in found}
    if not names:
        return None
    own = [row for row in found if row[2] == VERSION_TABLE]
    if Counter(own) != Counter(_of_table(STAMP)):
        if VERSION_TABLE in names:
            raise DamagedError(f"the table {VERSION_TABLE} is not ours")
        raise ForeignError
    versions = connection.exec_driver_sql(f"SELECT version_num FROM {VERSION_TABLE} LIMIT 2").scalars().all()
    if len(versions) != 1 or not isinstance(versions[0], str):
        raise ForeignError
    version = str(versions[0])
    if version == VERSION and (strange := Counter(found) - _made() or _made() - Counter(found)):
        kind, name, table, _ = min(strange, key=repr)
        where = f"{kind} {name}" if kind == "table" else f"{kind} {name} of {table}"
        raise DamagedError(f"the {where[:100]!r} is not as ours")
    return version


class ForeignError(Exception):
    """A file of SQLite that is no store."""


def _may_look(action: int, what: str | None, *_: str | None) -> int:
    return sqlite3.SQLITE_OK if what in _LOOKING.get(action, ()) else sqlite3.SQLITE_DENY


def _objects(connection: Connection) -> list[Row]:
    """What the schema says: kind, name, table and the statement, each as one line; never more than any of ours."""
    rows = connection.exec_driver_sql("SELECT type, name, tbl_name, sql FROM sqlite_master LIMIT 200").all()
    if any(not all(isinstance(each, str) for each in row[:3]) for row in rows):
        raise DamagedError("a table whose name is not a text")
    # Without a statement are only the indices of keys, which SQLite makes by itself; it reads no others.
    return [(kind, name, table, one_line(str(sql))) for kind, name, table, sql in rows if sql is not None]


def one_line(statement: str) -> str:
    """A statement with one space in the place of each gap. No text in one of ours has a gap in it."""
    return _SPACE.sub(" ", statement).replace(" )", ")").replace("( ", "(").strip()


@cache
def _made() -> Counter[Row]:
    """What is in a store: written once, in `tables.py`."""
    return Counter(row for table in (*METADATA.tables.values(), STAMP) for row in _of_table(table))


def _of_table(table: Any) -> list[Row]:
    """The rows of the schema that a table makes: its own, and its indices."""
    dialect = sqlite.dialect()
    statement = one_line(str(CreateTable(table).compile(dialect=dialect)))
    rows: list[Row] = [("table", table.name, table.name, statement)]
    rows += [
        ("index", index.name, table.name, one_line(str(CreateIndex(index).compile(dialect=dialect))))
        for index in table.indexes
    ]
    return rows


def check_whole(connection: Connection, path: Path, noted: Path | None) -> bool:
    """Raise `DamagedError` if pages of the file are damaged or used twice, or rows are not in their order.

    Of a file that is larger than `EACH_TIME` only if this account has not noted in the folder `noted` that it did.
    Returns whether it was checked.
    """
    note = None
    if os.stat(path).st_size > EACH_TIME and noted is not None:
        note = noted / _mark(connection, path)
        if note.exists():
            return False
    for (found,) in connection.exec_driver_sql("PRAGMA integrity_check(1)"):
        if found != "ok":
            raise DamagedError(str(found)[:200])
    if note is not None:
        _write(note)
    return True


def _mark(connection: Connection, path: Path) -> str:
    """A name for this file, and not for another one that was copied into its place."""
    status = os.stat(path)
    begun = connection.exec_driver_sql("SELECT id, name, begun FROM contests ORDER BY id LIMIT 1").all()
    told = repr((str(path), status.st_dev, status.st_ino, [tuple(row) for row in begun]))
    return sha256(told.encode("utf-8", "surrogateescape")).hexdigest()


def _write(note: Path) -> None:
    try:
        note.parent.mkdir(parents=True, exist_ok=True)
        note.touch()
    except OSError:
        return  # it is checked again next time
