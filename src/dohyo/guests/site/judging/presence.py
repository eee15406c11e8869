"""This judge among the others of its site: its name, which stays the same when it is started again, and its pulse."""

from __future__ import annotations

import secrets
import socket
import threading
from contextlib import suppress
from pathlib import Path
from time import monotonic

from dohyo import clean
from dohyo.core.errors import MachineError, OperatorError
from dohyo.guests.site.arena import hand_ins, judges
from dohyo.guests.site.folder import Lock
from dohyo.series.store.database import Database

PULSE = 5.0  # seconds from one to the next
LONGEST_NAME = 100  # bytes of a file that holds one
MAX_JUDGES = 256  # in one folder


class Presence:
    """Says that this judge is there, as long as the block lasts.

    A judge has the first place in its folder that no living one has, and with it a name. So one that was killed finds
    at once what it had begun with, when it is started again.
    """

    def __init__(self, database: Database, folder: Path) -> None:
        self._database = database
        self._lock, self.name = _place(folder)
        self._host = clean.line(socket.gethostname(), 200)
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._live, daemon=True)
        self._there: list[str] = []
        self._looked = -PULSE

    def __enter__(self) -> Presence:
        judges.tell(self._database, self.name, self._host)
        hand_ins.begin_again(self._database, self.name)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ends.set()
        self._thread.join(PULSE)
        with suppress(OperatorError):
            judges.leave(self._database, self.name)
        self._lock.release()

    def plays(self, ladder: int) -> bool:
        """Whether a ladder is this judge's, of those that are there."""
        return judges.player_of(ladder, self._there) in (self.name, None)

    def look(self) -> None:
        """From time to time, look who is there, and take over what a judge has left that is no more."""
        if monotonic() - self._looked < PULSE:
            return
        self._looked = monotonic()
        self._there = [name for name, _ in judges.living(self._database)]
        hand_ins.begin_again(self._database, self.name)

    def _live(self) -> None:
        while not self._ends.wait(PULSE):
            with suppress(OperatorError):  # the database is gone for a while
                judges.tell(self._database, self.name, self._host)


def _place(folder: Path) -> tuple[Lock, str]:
    """The first free place of a folder, and the name that goes with it."""
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        for number in range(1, MAX_JUDGES + 1):
            lock = Lock(folder / str(number))
            if lock.held:
                return lock, lock.text(LONGEST_NAME) or lock.tell(secrets.token_hex(8))
    except OSError as error:
        raise MachineError("cannot-write", path=folder, reason=error) from error
    raise MachineError("cannot-write", path=folder, reason=f"{MAX_JUDGES} judges")
