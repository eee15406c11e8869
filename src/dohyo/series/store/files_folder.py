"""Which folder a store's files are in. The operator decides that, never the store.

For SQLite, the files are in a folder next to the database. For PostgreSQL, this machine remembers, in the operator's
settings, the folder that was named or used when the store was created. The database knows that folder too, but it may
belong to somebody else, who could make us write and remove files anywhere: so if the operator has not named the
folder here, the one in the database is only shown.
"""

from __future__ import annotations

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
from dohyo.series.store import tables
from dohyo.series.store.address import read_address
from dohyo.series.store.database import Database, insert
from dohyo.series.store.errors import of_files
from dohyo.system import settings as settings_folder

LARGEST = 1 << 16  # bytes of what is remembered of a store
SHOWN = 300  # characters of a folder that a store names


def folder_of(database: Database, given: Path | None) -> Path:
    """The folder of a store's files: the given one, else the one beside SQLite's file, else the remembered one.

    Raises `OperatorError` if a store in PostgreSQL was created elsewhere, and its folder was not named on this
    machine.
    """
    if database.is_sqlite:
        return given.absolute() if given is not None else database.address.beside
    known = given.absolute() if given is not None else remembered(database)
    folder = known or database.address.beside
    stored = begun = database.read(_stored)
    if begun is None:
        row = {"name": "files", "value": str(folder)}
        database.write(lambda c: c.execute(insert(c, tables.facts).values(row).on_conflict_do_nothing()))
        stored = database.read(_stored)  # another process may have been faster
    if known is None and stored != str(folder):
        shown = clean.line(str(stored))[:SHOWN]
        raise OperatorError("store-files-unknown", store=database.address.shown, folder=shown)
    if known is None or begun is None:
        with suppress(OSError):  # without a folder for settings, the store's files are found only from this folder
            _remember(database, folder)
    return folder


def name_folder(where: str, folder: str) -> Path:
    """Remember on this machine that the files of a store in PostgreSQL are in this folder; its whole path.

    Raises `OperatorError`: the store is in SQLite, cannot be reached, or the settings cannot be written.
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
        raise of_files(told, Path(settings_folder.USUAL, "dohyo", "stores")) from error
    finally:
        database.close()
    return named


def settings() -> Path:
    """The folder of these settings, with one file for each store.

    Raises `OSError` for a user without a home folder.
    """
    return settings_folder.folder() / "stores"


def remembered(database: Database) -> Path | None:
    """The folder that this machine remembers of a store; None if it remembers nothing valid."""
    try:
        with _place(database).open("rb") as file:
            named = json.loads(file.read(LARGEST))["files"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
    return Path(named) if isinstance(named, str) and os.path.isabs(named) else None


def _remember(database: Database, folder: Path) -> None:
    """Store it, whole or not at all. Raises `OSError`."""
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
    """The file for a store; its name is made from the address of the database, not from its content."""
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
