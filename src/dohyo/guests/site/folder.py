"""What lies in the folder of a site: two databases, files by their digests, matches that are being played."""

from __future__ import annotations

import fcntl
import os
import shutil
from pathlib import Path

import msgspec

from dohyo.core.errors import MachineError, OperatorError
from dohyo.series.store.files import Files

MARK = "site.db"
LOCK = "site.lock"  # and in it, under which address the site runs
MAX_URL = 1000  # bytes


class Lock:
    """A file that one process holds; the system lets go of it when the process ends, in whatever way."""

    def __init__(self, path: Path) -> None:
        self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        self.held = True
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.held = False
            os.close(self._descriptor)

    def tell(self, url: str) -> None:
        """Say in the file under which address the site runs, for who meets it."""
        os.ftruncate(self._descriptor, 0)
        os.pwrite(self._descriptor, url.encode()[:MAX_URL], 0)

    def release(self) -> None:
        """Let go of it."""
        if self.held:
            self.held = False
            os.close(self._descriptor)


class SiteFolder(msgspec.Struct, frozen=True):
    """The places in a site's folder. All that people hand in, and all that is played, is below `home`."""

    home: Path

    @property
    def site(self) -> str:
        """The database of people, ladders and hand-ins."""
        return os.fspath(self.home / MARK)

    @property
    def arena(self) -> str:
        """The store of the matches: a contest for each ladder."""
        return os.fspath(self.home / "arena.db")

    @property
    def live(self) -> Path:
        """The folder of matches that are being played for somebody who watches."""
        return self.home / "live"

    @property
    def work(self) -> Path:
        """The folder in which hand-ins lie while they are examined."""
        return self.home / "work"

    @property
    def frozen(self) -> Path:
        """The folder of copies of contests whose standings are frozen."""
        return self.home / "frozen"

    def url(self) -> str:
        """Under which address the site runs, as the process says that holds the folder."""
        with open(self.home / LOCK, encoding="utf-8") as file:
            return file.read(MAX_URL)

    def files(self) -> Files:
        """What was handed in, and replays of check matches."""
        return Files(self.home / "files")

    def take(self) -> Lock | None:
        """Make the folder, or take one that is a site's, for this process alone; none if a site runs in it.

        What an earlier judge left unfinished in it is removed. Raises `OperatorError` for a folder that holds other
        things, and where nothing can be written.
        """
        try:
            self.home.mkdir(parents=True, exist_ok=True, mode=0o700)
            held = sorted(entry.name for entry in self.home.iterdir())
            if held and not {MARK, LOCK} & {*held}:
                raise OperatorError("serve-folder-in-use", folder=self.home, entry=held[0])
            os.chmod(self.home, 0o700)  # it holds hand-ins, and whose they are
            lock = Lock(self.home / LOCK)
            if not lock.held:
                return None
            for folder in (self.live, self.work):
                shutil.rmtree(folder, ignore_errors=True)
                folder.mkdir(mode=0o700)
            self.frozen.mkdir(mode=0o700, exist_ok=True)
        except OSError as error:
            raise MachineError("cannot-write", path=self.home, reason=error) from error
        return lock
