"""In which folder a store's files are. It is the operator's word, never the store's.

Those of SQLite lie beside it. Of a database in PostgreSQL this machine remembers, among the operator's settings,
which folder was named or was beside when the store was begun. The database knows that folder too, but may be somebody
else's, who would have files written to any place, and removed there: so where nobody said it here, it is only shown.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

from sqlalchemy import Connection, select

from dohyo import clean
from dohyo.core.errors import OperatorError
from dohyo.store import tables
from dohyo.store.address import read_address
from dohyo.store.database import Database, insert
from dohyo.store.errors import of_files

USUAL = "~/.config"
LARGEST = 1 << 16  # bytes of what is remembered of a store
SHOWN = 300  # characters of a folder that a store names


def folder_of(database: Database, given: Path | None) -> Path:
    """The folder of a store's files: as given, else beside SQLite's file, else as remembered or beside.

    Raises `OperatorError` where a store in PostgreSQL was begun elsewhere, and nobody said here where its files are.
    """
    if database.is_sqlite:
        return given.absolute() if given is not None else database.address.beside
    known = given.absolute() if given is not None else remembered(database)
    folder = known or database.address.beside
    stored = begun = database.read(_stored)
    if begun is None:
        row = {"name": "files", "value": str(folder)}
        database.write(lambda c: c.execute(insert(c, tables.facts).values(row).on_conflict_do_nothing()))
        stored = database.read(_stored)  # somebody may have been faster
    if known is None and stored != str(folder):
        shown = clean.line(str(stored))[:SHOWN]
        raise OperatorError("store-files-unknown", store=database.address.shown, folder=shown)
    if known is None or begun is None:
        with suppress(OSError):  # without a place for settings it is found from here alone
            _remember(database, folder)
    return folder


def name_folder(where: str, folder: str) -> Path:
    """Remember on this machine that the files of a store in PostgreSQL are in this folder; its whole path.

    Raises `OperatorError`: the store is in SQLite, is not to be reached, the settings cannot be written.
    """
    address = read_address(where)
    if address.path is not None:
        raise OperatorError("store-files-beside", store=address.shown, folder=address.beside)
    database = Database(address)
    try:
        named = Path(folder).expanduser().absolute()
        _remember(database, named)
    except (OSError, RuntimeError) as error:
        told = error if isinstance(error, OSError) else OSError(str(error))
        raise of_files(told, Path(USUAL, "dohyo", "stores")) from error
    finally:
        database.close()
    return named


def settings() -> Path:
    """Where it is remembered, a file a store. Raises `OSError` for who has no home."""
    base = os.environ.get("XDG_CONFIG_HOME", "")
    if not os.path.isabs(base):
        base = os.path.expanduser(USUAL)
    if not os.path.isabs(base):
        raise FileNotFoundError(errno.ENOENT, "there is no home folder; set XDG_CONFIG_HOME")
    return Path(base, "dohyo", "stores")


def remembered(database: Database) -> Path | None:
    """The folder that this machine remembers of a store; none where it remembers nothing that makes sense."""
    try:
        with _place(database).open("rb") as file:
            named = json.loads(file.read(LARGEST))["files"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
    return Path(named) if isinstance(named, str) and os.path.isabs(named) else None


def _remember(database: Database, folder: Path) -> None:
    """Write it down, whole or not at all. Raises `OSError`."""
    place = _place(database)
    place.parent.mkdir(parents=True, exist_ok=True)
    content = json.dumps({"store": database.address.shown, "files": str(folder)}, ensure_ascii=False)
    descriptor, name = tempfile.mkstemp(dir=place.parent)
    try:
        with open(descriptor, "wb") as file:
            file.write(content.encode())
        os.replace(name, place)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise


def _place(database: Database) -> Path:
    """The file for a store; its name is made of what led us to the database, and of nothing that it says."""
    folder = settings()
    own = database.read(_led_to).encode()
    return folder / f"{hashlib.sha256(own).hexdigest()}.json"


def _led_to(connection: Connection) -> str:
    """Host, port and name of a database, as the URL and the environment have them."""
    options = cast(Any, connection.connection.driver_connection).pgconn.info
    said = {each.keyword: (each.val or b"").decode(errors="surrogateescape") for each in options}
    return json.dumps([said.get("host") or said.get("hostaddr"), said.get("port"), said.get("dbname")])


def _stored(connection: Connection) -> str | None:
    query = select(tables.facts.c.value).where(tables.facts.c.name == "files")
    return connection.execute(query).scalar_one_or_none()
