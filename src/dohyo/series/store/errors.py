"""Errors of a database or a disk, as one sentence with the remedy."""

from __future__ import annotations

import errno
import sqlite3
from pathlib import Path

from sqlalchemy.exc import DBAPIError, MultipleResultsFound, NoResultFound

from dohyo import clean
from dohyo.core.errors import OperatorError


class DamagedError(Exception):
    """A store has content that no store can have: it was damaged, or made by an attacker."""


class TakenError(OperatorError):
    """A row that may be there once is there already.

    Whoever inserts rows that others insert too, catches it; for everybody else the store holds what none of ours can.
    """


FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})

# By the beginning of SQLite's name for the error; the first one that fits.
SQLITE = (
    ("SQLITE_BUSY", "store-locked"),
    ("SQLITE_LOCKED", "store-locked"),
    ("SQLITE_FULL", "store-disk-full"),
    ("SQLITE_READONLY", "store-not-writable"),
    ("SQLITE_CANTOPEN", "store-not-writable"),
    ("SQLITE_PERM", "store-not-writable"),
    ("SQLITE_AUTH", "store-not-writable"),
    ("SQLITE_NOTADB", "store-is-none"),
    ("SQLITE_CORRUPT", "store-damaged"),
    ("SQLITE_IOERR", "store-disk-fails"),
    # Tables and columns that are not ours, or have impossible values: the version was looked at before.
    ("SQLITE_", "store-damaged"),
)

# What reading a store may raise besides the database's own errors.
DAMAGED = (DamagedError, NoResultFound, MultipleResultsFound, UnicodeDecodeError)

# What we say of a file that needs more steps than its size allows, for SQLite's "interrupted".
ENDLESS = "reading it takes more steps than a store of its size can need"

TAKEN = ("SQLITE_CONSTRAINT_UNIQUE", "SQLITE_CONSTRAINT_PRIMARYKEY", "SQLITE_CONSTRAINT_ROWID", "23505")
OURS = "SQLITE_CONSTRAINT_NOTNULL"  # a defect of ours: we write an incomplete row

# By the beginning of PostgreSQL's code for the error.
POSTGRES = (
    ("53100", "store-disk-full"),
    ("55P03", "store-locked"),
    ("25006", "store-not-writable"),
    ("42501", "store-not-writable"),
    ("3D000", "store-no-database"),
    ("28", "store-refuses"),
    ("53300", "store-unreachable"),
    # As of SQLite: tables are not as we made them, or were changed while we read them.
    ("42", "store-damaged"),
)

# The server is stopping, or has just started: it may be available again soon.
PASSING = ("08", "57P01", "57P02", "57P03", "57P05", "40001", "40P01")


def is_passing(error: DBAPIError) -> bool:
    """Whether the same may work a moment later: the connection was lost, or the server is starting."""
    state = getattr(error.orig, "sqlstate", None)
    if error.connection_invalidated or (state is not None and state.startswith(PASSING)):
        return True
    # Without a code, an operational error of psycopg is one of the connection; its text holds the server's words.
    return state is None and is_of_connection(error)


def is_of_connection(error: DBAPIError) -> bool:
    """Whether PostgreSQL could not be reached at all, or the connection broke."""
    kind = type(error.orig)
    return kind.__module__.startswith("psycopg") and kind.__name__ in ("OperationalError", "ConnectionTimeout")


def of_database(error: DBAPIError, shown: str) -> OperatorError | None:
    """The sentence for a database's error; None if it is a defect of ours."""
    if error.orig is None:
        return None
    if isinstance(error.orig, sqlite3.DataError | sqlite3.OperationalError) and not _code_of(error.orig):
        return damaged(error.orig, shown)  # bytes that are not text
    name = _code_of(error.orig)
    state = getattr(error.orig, "sqlstate", None)
    reason = ENDLESS if name == "SQLITE_INTERRUPT" else _first_line(error.orig)
    table, code = (SQLITE, name) if name else (POSTGRES, state or "")
    if code == OURS:
        return None
    if code in TAKEN:
        return TakenError("store-damaged", store=shown, reason=reason)
    for beginning, key in table:
        if code.startswith(beginning):
            return OperatorError(key, store=shown, reason=reason)
    if is_passing(error):
        key = _key_by_words(reason)
        return OperatorError(key, store=shown, reason=reason)
    return None


def _code_of(error: BaseException) -> str | None:
    """SQLite's own name for an error, where it is one of SQLite's."""
    name = getattr(error, "sqlite_errorname", None)
    return name if isinstance(name, str) else None


def damaged(error: BaseException, shown: str) -> OperatorError:
    """The sentence for a store with content that no store can have."""
    return OperatorError("store-damaged", store=shown, reason=clean.line(_first_line(error)))


def _key_by_words(reason: str) -> str:
    """At the very beginning of a connection psycopg gives no code, only the server's words."""
    if "does not exist" in reason and "database" in reason:
        return "store-no-database"
    if "password" in reason or "authentication" in reason or "does not exist" in reason:
        return "store-refuses"
    return "store-unreachable"


def of_files(error: OSError, folder: Path) -> OperatorError:
    """The sentence for what the system says about a file in `folder`."""
    key = "store-disk-full" if error.errno in FULL else "store-not-writable"
    return OperatorError(key, store=str(folder), reason=error)


def _first_line(error: BaseException) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[-1] if lines else type(error).__name__
