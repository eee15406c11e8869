"""Content-addressed files: replays, bots' archives, folders of bots' files. A file's name is SHA-256 of its bytes."""

from __future__ import annotations

import errno
import hashlib
import os
import re
import stat
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from dohyo import doors
from dohyo.core.errors import OperatorError
from dohyo.series.store.errors import of_files
from dohyo.system.plain_files import open_plain

FORGOTTEN = 24 * 3600.0  # seconds after which an unfinished file is abandoned
UNKNOWN = (errno.EINVAL, errno.ENOTSUP, errno.ENOSYS)  # a file system does not do what it is asked for at all
LARGEST = 2 << 30  # bytes of a file: more than any archive
UNFINISHED = "tmp"  # what the names of unfinished files begin with
_UNFINISHED = re.compile(UNFINISHED + "[a-z0-9_]{8}")  # as `tempfile.mkstemp` makes them
_DIGEST = re.compile(r"[0-9a-f]{64}")


class AnyFiles(Protocol):
    """Where files are kept by their content: a folder (`Files`), or what a guest brings by the door `files`."""

    def put(self, content: bytes, *, sync: bool = True) -> str:
        """Store `content`, whole or not at all; returns its digest. `sync` as for `Files`."""
        ...

    def get(self, digest: str, most: int = LARGEST) -> bytes:
        """The content stored under `digest`, at most so many bytes. Raises `OperatorError` as `Files` does."""
        ...

    def remove(self, digest: str) -> None:
        """Remove the file of this name, if there is one and it can be removed."""
        ...

    def sweep(self) -> None:
        """Remove what processes that died have left unfinished."""
        ...


def files_at(place: str, below: str) -> AnyFiles:
    """The part `below` of a place: a folder, or what a guest reaches by the beginning of its address, as s3://BUCKET.

    Raises `OperatorError` for an address that nobody knows.
    """
    scheme, parted, _ = place.partition("://")
    if not parted:
        return Files(Path(place) / below)
    kept: AnyFiles = doors.load(doors.find("files", scheme))(f"{place.rstrip('/')}/{below}")
    return kept


class Files:
    """Files in a folder of this machine, `ab/cdef...` for the digest `abcdef...`; it is made with the first file."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def put(self, content: bytes, *, sync: bool = True) -> str:
        """Store `content`, whole or not at all; returns its digest. Stored content is not written again.

        Without `sync`, this does not wait for the disk, which takes ten times as long as all the rest: then a power
        failure may lose or damage the file, which `get` notices. For replays; not for files that a contest needs to
        continue. Raises `OperatorError`: disk full, no right.
        """
        digest = hashlib.sha256(content).hexdigest()
        place = self._place(digest)
        try:
            if not _is_wanted_again(place, len(content)):
                self._write(place, content, sync)
        except OSError as error:
            raise of_files(error, self.folder) from error
        return digest

    def get(self, digest: str, most: int = LARGEST) -> bytes:
        """The content stored under `digest`, at most so many bytes.

        Raises `OperatorError` when it is not there, is larger, or is not what was put.
        """
        place = self._place(digest)
        try:
            content = _read(place, most)
        except FileNotFoundError as error:
            raise OperatorError("store-file-missing", digest=digest, folder=str(self.folder)) from error
        except OSError as error:
            raise of_files(error, self.folder) from error
        if content is None or hashlib.sha256(content).hexdigest() != digest:
            raise OperatorError("store-file-damaged", path=str(place))
        return content

    def remove(self, digest: str) -> None:
        """Remove the file of this name, if there is one and it can be removed; nothing else can be named so."""
        with suppress(OSError):
            self._place(digest).unlink()

    def sweep(self) -> None:
        """Remove what was left unfinished by processes that died a day ago or earlier."""
        beside = self.folder / "unfinished"
        with suppress(OSError):
            # Only these: the folder may come from a stranger, and may be a link to one of the operator's own folders.
            for path in () if beside.is_symlink() else beside.iterdir():
                status = path.lstat()
                if not (_UNFINISHED.fullmatch(path.name) and stat.S_ISREG(status.st_mode)):
                    continue
                if time.time() - status.st_mtime > FORGOTTEN:
                    path.unlink()

    def _place(self, digest: str) -> Path:
        if not _DIGEST.fullmatch(digest):
            raise OperatorError("store-file-missing", digest=f"{digest[:80]!r}", folder=str(self.folder))
        return self.folder / digest[:2] / digest[2:]

    def _write(self, place: Path, content: bytes, sync: bool) -> None:
        """Write to a temporary file, sync it if asked to, then rename it: readers see all of it or nothing."""
        beside = self.folder / "unfinished"
        beside.mkdir(parents=True, exist_ok=True)
        place.parent.mkdir(exist_ok=True)
        descriptor, name = tempfile.mkstemp(prefix=UNFINISHED, dir=beside)
        try:
            with open(descriptor, "wb") as file:
                file.write(content)
                file.flush()
                if sync:
                    os.fsync(file.fileno())
            os.chmod(name, 0o644)
            os.replace(name, place)
            for folder in (place.parent, self.folder) if sync else ():
                _settle(folder)
        except BaseException:
            with suppress(OSError):
                os.unlink(name)
            raise


def _settle(folder: Path) -> None:
    """Wait until the names in a folder are on the disk; file systems of networks may not be able to say so."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in UNKNOWN:
            raise
    finally:
        os.close(descriptor)


def _is_wanted_again(place: Path, size: int) -> bool:
    """Whether a file is there, of this size; what a power failure damaged is replaced.

    Its time is set to now, so that nobody who removes old files takes it for one.
    """
    try:
        if place.stat().st_size != size:
            return False
        os.utime(place)
    except FileNotFoundError:
        return False
    except OSError as error:
        # In a folder of somebody else, or one that cannot be written, nobody removes anything at this moment.
        if error.errno not in (errno.EACCES, errno.EPERM, errno.EROFS, *UNKNOWN):
            raise
    return True


def _read(place: Path, most: int) -> bytes | None:
    """A file's content; none where it is no file, or too large a one."""
    try:
        with open_plain(place) as file:
            return file.read(most) if os.fstat(file.fileno()).st_size <= most else None
    except OSError as error:
        if error.errno in (errno.EINVAL, errno.EISDIR):
            return None
        raise
