"""What is removed from a site because nobody needs it any more. The judge does it, once an hour."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path
from time import time

from sqlalchemy import Connection, delete

from dohyo.guests.site import tables
from dohyo.guests.site.arena import quota
from dohyo.guests.site.folder import SiteFolder
from dohyo.guests.site.people import limits
from dohyo.guests.site.upkeep import files
from dohyo.series.store.database import Database
from dohyo.system import disk

LEFT = 3600.0  # seconds after which what a judge has left in its folders is nobody's
NAMELESS = 3 * 86_400.0  # seconds for which a file stays that no row names
PART = re.compile(r"[0-9a-f]{2}")
REST = re.compile(r"[0-9a-f]{62}")
ASIDE = "aside-"  # what the name of a file begins with that is being removed


def sweep(site: SiteFolder, database: Database) -> None:
    """Forget tries, sessions and links that count no more; remove what was left, and files that no row names."""
    limits.sweep(database)
    database.write(_forget)
    for folder in (site.live, site.work):
        _sweep_folder(folder)
    site.files().sweep()
    quota.measure(database, site.files())
    wanted = files.named(database)
    _sweep_files(site.home / "files", wanted)


def _forget(connection: Connection) -> None:
    for table in (tables.sessions, tables.invitations, tables.visits):
        connection.execute(delete(table).where(table.c.until < time()))


def _sweep_folder(folder: Path) -> None:
    """Remove what is old in a folder of work that takes minutes."""
    with suppress(OSError):
        for entry in os.scandir(folder):
            if time() - entry.stat(follow_symlinks=False).st_mtime > LEFT:
                if entry.is_dir(follow_symlinks=False):
                    disk.remove(entry.path)
                else:
                    os.unlink(entry.path)


def _sweep_files(folder: Path, wanted: set[str]) -> None:
    """Remove the files that nobody wants, and that were put there long ago.

    Whoever puts the same content again at this moment sets its time, or finds nothing and writes it: see `Files.put`.
    """
    with suppress(OSError):
        for part in os.scandir(folder):
            if PART.fullmatch(part.name):
                for entry in os.scandir(part.path):
                    if REST.fullmatch(entry.name) and part.name + entry.name not in wanted:
                        _remove(Path(entry.path))


def _remove(path: Path) -> None:
    if time() - path.stat().st_mtime <= NAMELESS:
        return
    aside = path.with_name(ASIDE + path.name)
    path.rename(aside)
    if time() - aside.stat().st_mtime <= NAMELESS:  # somebody has put it at this moment
        aside.rename(path)
    else:
        aside.unlink()
