"""What lies in the folder of a site: two databases, files by their digests, matches that are being played.

With PostgreSQL no database is in it, and each process of the site may have a folder of its own.
"""

from __future__ import annotations

import fcntl
import os
import shutil
from contextlib import suppress
from pathlib import Path

import msgspec

from dohyo.core.errors import MachineError, OperatorError
from dohyo.series.store.files import AnyFiles, files_at

MARK = "site.db"
LOCK = "site.lock"  # and in it, under which address the site runs
MAX_URL = 1000  # bytes


class Lock:
    """A file that one process holds; the system lets go of it when the process ends, in whatever way.

    With `shared`, several that want it so may hold it; who is the first is `alone` until it calls `share`.
    """

    def __init__(self, path: Path, *, shared: bool = False) -> None:
        self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        self.alone = self._try(fcntl.LOCK_EX)
        self.held = self.alone or (shared and self._try(fcntl.LOCK_SH))
        if not self.held:
            os.close(self._descriptor)

    def share(self) -> None:
        """Let others hold it, too."""
        self.alone = False
        fcntl.flock(self._descriptor, fcntl.LOCK_SH)

    def _try(self, kind: int) -> bool:
        try:
            fcntl.flock(self._descriptor, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def tell(self, text: str) -> str:
        """Say something in the file for whoever meets it; what was said."""
        os.ftruncate(self._descriptor, 0)
        os.pwrite(self._descriptor, text.encode()[:MAX_URL], 0)
        return text

    def text(self, most: int) -> str:
        """What the file says."""
        return os.pread(self._descriptor, most, 0).decode("utf-8", "replace")

    def release(self) -> None:
        """Let go of it."""
        if self.held:
            self.held = False
            os.close(self._descriptor)


class SiteFolder(msgspec.Struct, frozen=True):
    """The places in a site's folder. All that people hand in, and all that is played, is below `home`.

    With a `store`, the URL of a database in PostgreSQL, all tables are there. With a `place`, a folder or an address,
    what was handed in and all replays are there.
    """

    home: Path
    store: str = ""
    place: str = ""

    @property
    def site(self) -> str:
        """The database of people, ladders and hand-ins."""
        return self.store or os.fspath(self.home / MARK)

    @property
    def arena(self) -> str:
        """The store of the matches: a contest for each ladder."""
        return self.store or os.fspath(self.home / "arena.db")

    def arena_files(self) -> AnyFiles:
        """The files of the store of the matches."""
        return files_at(self.place or os.fspath(self.home), "arena.db.files")

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

    @property
    def judges(self) -> Path:
        """The folder in which this machine's judges have their names."""
        return self.home / "judges"

    def url(self) -> str:
        """Under which address the site runs, as the process says that holds the folder."""
        with open(self.home / LOCK, encoding="utf-8") as file:
            return file.read(MAX_URL)

    def files(self) -> AnyFiles:
        """What was handed in, and replays of check matches."""
        return files_at(self.place or os.fspath(self.home), "files")

    def take(self, *, shared: bool = False) -> Lock | None:
        """Make the folder, or take one that is a site's, for this process alone; none if a site runs in it.

        With `shared`, others may take it so, too. What an earlier judge left unfinished in it is removed, unless
        somebody is there. Raises `OperatorError` for a folder that holds other things, and where nothing can be
        written.
        """
        try:
            self.home.mkdir(parents=True, exist_ok=True, mode=0o700)
            held = sorted(entry.name for entry in self.home.iterdir())
            if held and not {MARK, LOCK} & {*held}:
                raise OperatorError("serve-folder-in-use", folder=self.home, entry=held[0])
            os.chmod(self.home, 0o700)  # it holds hand-ins, and whose they are
            lock = Lock(self.home / LOCK, shared=shared)
            if not lock.held:
                return None
            for folder in (self.live, self.work):
                if lock.alone:
                    shutil.rmtree(folder, ignore_errors=True)
                folder.mkdir(mode=0o700, exist_ok=True)
            self.frozen.mkdir(mode=0o700, exist_ok=True)
            if shared:
                lock.share()
        except OSError as error:
            raise MachineError("cannot-write", path=self.home, reason=error) from error
        return lock

    def leave(self, is_new: bool) -> None:
        """Remove what a start has made that came to nothing: no site has begun here. A new folder goes, too."""
        if (self.home / MARK).exists() or (self.store and not is_new):
            return
        with suppress(OSError):
            (self.home / LOCK).unlink()
        for folder in (self.live, self.work, self.frozen, self.judges, *([self.home] if is_new else [])):
            with suppress(OSError):
                folder.rmdir()
