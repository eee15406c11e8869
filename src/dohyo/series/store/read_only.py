"""Stores that can only be read: on a medium or in a folder where this person may not write."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from urllib.parse import quote

from dohyo.core.errors import OperatorError
from dohyo.series.store.address import Address

LOG, INDEX = "-wal", "-shm"  # beside the database: what was written last, and where to find it there


def settings_for_reading(address: Address, path: Path) -> str | None:
    """How SQLite has to open the file where it can only be read, as a URI's parameters; None where it can be written.

    SQLite makes files beside the database even for reading. Where it cannot, there are two ways: with a log whose
    files are there, to read these too; without a log nobody has written anything that is not in the file, so nothing
    beside it is looked at. Raises `OperatorError` for a log that cannot be read here.
    """
    if not path.exists() or (_writable(path) and _writable(path.parent)):
        return None
    log, index = (path.with_name(path.name + ending) for ending in (LOG, INDEX))
    if not log.exists() or not log.stat().st_size:
        return "immutable=1"
    if not index.exists():
        raise copy_first(address)
    return None if all(map(_writable, (path, log, index))) else "mode=ro"


def connect(path: Path, settings: str, patience: float) -> sqlite3.Connection:
    """A connection that only reads."""
    where = f"file:{quote(str(path))}?{settings}"
    return sqlite3.connect(where, uri=True, timeout=patience, check_same_thread=False)


def copy_first(address: Address) -> OperatorError:
    """The error for what cannot be done with a store where it is."""
    return OperatorError("store-copy-first", store=address.shown, files=address.beside.name)


def _writable(path: Path) -> bool:
    effective = os.access in os.supports_effective_ids
    return os.access(path, os.W_OK, effective_ids=effective)
