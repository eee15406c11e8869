"""What is played now, seen on other machines too: files of the folder `live` are copied by the database.

Judges and web servers tell each other by files there what is watched and what is played (`executors/told.py`). Where
a site's processes have folders of their own, each folder has one relay. It puts what is new into the table `live`,
piece by piece, and writes what other folders have put there into its own. All is bounded and soon forgotten: what is
kept of a match is its replay.
"""

from __future__ import annotations

import os
import re
import secrets
import threading
from contextlib import suppress
from pathlib import Path
from time import time
from typing import Any

from sqlalchemy import Connection, delete, insert, select

from dohyo.core.errors import OperatorError
from dohyo.guests.site import tables
from dohyo.guests.site.arena.judges import moment
from dohyo.guests.site.folder import Lock, SiteFolder
from dohyo.guests.site.tables import open_site
from dohyo.series.store.database import Database

LOOK = 0.25  # seconds between two looks
AGAIN = 5.0  # seconds until a database that is gone, or the place of a relay that is taken, is asked for again
KEPT = 120.0  # seconds for which a piece is there
MAX_PIECE = 256 << 10  # bytes
MAX_FILE = 4 << 20  # bytes of a file that are copied: the rest of a longer match is in its replay
MAX_FILES = 300  # that are looked at, or are here from others
AT_ONCE = 100  # pieces that are read at once
NAME = re.compile(r"[a-z0-9-]{1,80}")


class Relay:
    """Copies until the block ends; does nothing for a site whose processes have one folder in common, with SQLite."""

    def __init__(self, site: SiteFolder) -> None:
        self._site = site
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._work, daemon=True)

    def __enter__(self) -> Relay:
        if self._site.store:
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ends.set()
        if self._site.store:
            self._thread.join(AGAIN)

    def _work(self) -> None:
        while not self._ends.is_set():
            with suppress(OperatorError, OSError):
                self._carry()
            self._ends.wait(AGAIN)

    def _carry(self) -> None:
        """Copy, as long as all goes well, and as the only one in this folder."""
        lock = Lock(self._site.home / "relay.lock")
        if not lock.held:
            return
        database = open_site(self._site.site, 1.0)
        try:
            copier = Copier(database, self._site.live, secrets.token_hex(8))
            while not self._ends.wait(LOOK):
                copier.send()
                copier.receive()
        finally:
            database.close()
            lock.release()


class Copier:
    """Sends what is new in a folder, and receives what others have sent; `name` is the folder's among them."""

    def __init__(self, database: Database, folder: Path, name: str) -> None:
        self._database = database
        self._folder = folder
        self._name = name
        self._sent: dict[str, tuple[int, int, float]] = {}  # by name: the file, how much of it, when it had changed
        self._received: set[str] = set()
        self._last = 0

    def send(self) -> None:
        """Send what is new of this folder's own files."""
        pieces = [piece for path in self._own() for piece in self._new(path)]
        if pieces:
            self._database.write(lambda connection: self._put(connection, pieces))

    def _own(self) -> list[Path]:
        found = [path for path in self._folder.iterdir() if NAME.fullmatch(path.name)]
        here = {path.name for path in found}
        self._sent = {name: sent for name, sent in self._sent.items() if name in here}
        return [path for path in found if path.name not in self._received][:MAX_FILES]

    def _new(self, path: Path) -> list[tuple[str, int, str]]:
        """What of a file was not sent yet, up to the end of a line; an empty file is a sign, and its time is news."""
        try:
            with open(path, "rb") as file:
                status = os.fstat(file.fileno())
                which, begins, changed = self._sent.get(path.name, (-1, 0, 0.0))
                if which != status.st_ino:
                    begins = 0
                elif (begins, changed) == (status.st_size, status.st_mtime) or begins >= MAX_FILE:
                    return []
                file.seek(begins)
                content = file.read(MAX_PIECE)
        except OSError:
            return []
        whole = content[: content.rfind(b"\n") + 1]
        if not whole and status.st_size:
            return []
        self._sent[path.name] = (status.st_ino, begins + len(whole), status.st_mtime)
        return [(path.name, begins, whole.decode("utf-8", "replace"))]

    def _put(self, connection: Connection, pieces: list[tuple[str, int, str]]) -> None:
        live, now = tables.live, moment(connection)
        connection.execute(delete(live).where(live.c.at < now - KEPT))
        for name, begins, text in pieces:
            row = {"folder": self._name, "name": name, "begins": begins, "text": text, "at": now}
            connection.execute(insert(live).values(row))

    def receive(self) -> None:
        """Write what others have sent; writes are one after the other, so what is numbered higher comes later."""
        live = tables.live
        asked = select(live).where(live.c.id > self._last).order_by(live.c.id).limit(AT_ONCE)
        for row in self._database.read(lambda connection: connection.execute(asked).mappings().all()):
            self._last = row["id"]
            if row["folder"] != self._name and NAME.fullmatch(row["name"]):
                with suppress(OSError):
                    self._write(row)
        self._forget()

    def _write(self, row: Any) -> None:
        path, content = self._folder / row["name"], row["text"].encode()
        if not content and path.exists():
            os.utime(path)
            return
        if row["begins"] == 0:
            if len(self._received) >= MAX_FILES:
                return
            half = self._folder / f".{row['name']}"
            half.write_bytes(content)
            os.replace(half, path)  # another file: who watches sees that it has begun anew
            self._received.add(path.name)
        elif path.name in self._received and path.stat().st_size == row["begins"]:
            with open(path, "ab") as file:
                file.write(content)

    def _forget(self) -> None:
        """Remove others' files that do not change any more."""
        for name in [*self._received]:
            path = self._folder / name
            try:
                if time() - path.stat().st_mtime < KEPT:
                    continue
                path.unlink()
            except OSError:
                pass
            self._received.discard(name)
