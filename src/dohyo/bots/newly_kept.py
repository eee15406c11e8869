"""Notes which folders bots get in the cache, so that whoever refuses a bot can remove what was made for it.

Another judge may examine the very same files at the same time, from the same folders of the cache. So a judge holds,
by shared locks, the folders that a bot is examined from. What was made for it bears a mark, `ON_TRIAL`, which the
first judge takes away who lets such a bot play. Who refuses it removes what bears the mark, unless another judge
holds it: then that one decides.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path

from dohyo.system import disk

ON_TRIAL = "on-trial"  # a file in a folder that was made for a bot of which nobody knows yet whether it may play


class Noted:
    """The folders in the cache that bots got, or found, for some time; `made` are those that were not there."""

    def __init__(self) -> None:
        self.made: set[Path] = set()
        self._held: dict[Path, int] = {}
        self._marked: set[Path] = set()

    def hold(self, folder: Path) -> None:
        """Let nobody else remove a folder until `release`; one that is not there cannot be held."""
        self._let_go(folder)
        with suppress(OSError):
            self._held[folder] = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            fcntl.flock(self._held[folder], fcntl.LOCK_SH)  # it waits for no longer than a removal takes
            if folder in self.made and folder not in self._marked:
                (folder / ON_TRIAL).touch()
                self._marked.add(folder)

    def accept(self) -> None:
        """The bot may play: what it runs from stays, whoever refuses the same files after this."""
        for folder in {*self.made, *self._held}:
            with suppress(OSError):
                (folder / ON_TRIAL).unlink()
        self.made.clear()
        self.release()

    def remove(self) -> None:
        """Remove what was made for bots that may not play, but for what others examine by now, or let play."""
        for folder in {*self.made, *self._held}:  # another judge may take the mark away until we are alone
            if self._is_on_trial(folder) and self._is_alone(folder) and self._is_on_trial(folder):
                disk.remove(folder)

    def release(self) -> None:
        """Hold nothing any more."""
        for folder in list(self._held):
            self._let_go(folder)

    def _is_on_trial(self, folder: Path) -> bool:
        """Whether nobody has let it play yet; what could not be marked is on trial for whoever has made it."""
        return (folder / ON_TRIAL).exists() or (folder in self.made and folder not in self._marked)

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


def note_to_build(folder: Path) -> None:
    """Note, make and hold a folder in which something is to be built; another judge may build there, too."""
    if (noted := _NOTED.get()) is not None:
        if not folder.exists():
            noted.made.add(folder)
        with suppress(OSError):  # the build tells what is wrong
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        noted.hold(folder)


def note_used(folder: Path) -> None:
    """Hold a folder that a bot is to use: it stays, if it is there now, as a look behind this tells."""
    if (noted := _NOTED.get()) is not None:
        noted.hold(folder)
