"""Notes which folders bots get in the cache, so that whoever refuses a bot can remove what was made for it.

Another judge may examine the very same files at the same time, from the same folders of the cache. So each folder is
held, by a shared lock of it, by those who use it, and removed by who has made it only if nobody else holds it.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path

from dohyo.system import disk


class Noted:
    """The folders in the cache that bots got, or found, for some time; `made` are those that were not there."""

    def __init__(self) -> None:
        self.made: set[Path] = set()
        self._held: dict[Path, int] = {}

    def hold(self, folder: Path) -> None:
        """Let nobody else remove a folder until `release`; one that is not there cannot be held."""
        self._let_go(folder)
        with suppress(OSError):
            self._held[folder] = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            fcntl.flock(self._held[folder], fcntl.LOCK_SH)  # it waits for no longer than a removal takes

    def remove(self) -> None:
        """Remove what was made, but for what others use by now."""
        for folder in self.made:
            if self._is_alone(folder):
                disk.remove(folder)

    def release(self) -> None:
        """Hold nothing any more."""
        for folder in list(self._held):
            self._let_go(folder)

    def _is_alone(self, folder: Path) -> bool:
        """Whether nobody else holds it; from now on nobody can. True where the file system has no locks."""
        if folder not in self._held:
            self.hold(folder)
        try:
            fcntl.flock(self._held[folder], fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except (KeyError, OSError):
            return True
        return True

    def _let_go(self, folder: Path) -> None:
        if (descriptor := self._held.pop(folder, None)) is not None:
            os.close(descriptor)


_NOTED: ContextVar[Noted | None] = ContextVar("noted", default=None)


@contextmanager
def noting() -> Iterator[Noted]:
    """The folders that bots get in the cache while the block lasts, in this thread."""
    found = Noted()
    token = _NOTED.set(found)
    try:
        yield found
    finally:
        _NOTED.reset(token)
        found.release()


def note_made(folder: Path) -> None:
    """Note a folder that is made now, or is about to be."""
    if (noted := _NOTED.get()) is not None:
        noted.made.add(folder)


def note_used(folder: Path) -> None:
    """Hold a folder that a bot is to use: it stays, if it is there now, as a look behind this tells."""
    if (noted := _NOTED.get()) is not None:
        noted.hold(folder)
