"""Strangers' folders that are used again: a build, a copy of one, what a bot keeps. Tidied, copied, read, written to.

Nothing is opened but by its own name in a folder that is open, and no link is followed (`disk.py` says why). Such a
folder is held to the limits of `hand_in_limits.py`, relative to itself: what goes beyond them is `UnfitError`, and so
is, in a copy, what is neither a file nor a folder nor a link.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from dohyo.system import hand_in_limits as limits
from dohyo.system.disk import FOLDER, grant, opened, remove_in

READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
WRITE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
PIECE = 1 << 20  # bytes copied at once


class UnfitError(Exception):
    """A folder cannot be used. `path` is what is wrong with it, relative to the folder.

    `why`: `kind` (no file, folder or link), `deep` (too far inside, or too long a path), `many` (too many entries),
    `large` (too many bytes), `closed` (cannot be read).
    """

    def __init__(self, path: str, why: str) -> None:
        super().__init__(f"{why}: {path!r}")
        self.path = path
        self.why = why


def read(folder: str | os.PathLike[str], name: str, most: int) -> bytes | None:
    """The content of a file in a stranger's folder; none where it is no file, or none that we can read, or a larger
    one than `most` bytes. A link, a pipe or a device is never opened."""
    with suppress(OSError):
        place = os.open(folder, os.O_RDONLY | FOLDER)
        try:
            if not stat.S_ISREG(os.stat(name, dir_fd=place, follow_symlinks=False).st_mode):
                return None
            with _file(name, READ, place) as file:
                found = os.fstat(file)
                if stat.S_ISREG(found.st_mode) and found.st_size <= most:
                    return os.pread(file, found.st_size, 0)
        finally:
            os.close(place)
    return None


def put(folder: str | os.PathLike[str], name: str, content: bytes) -> None:
    """Write a file into a stranger's folder, in the place of whatever has that name there: a folder, a link, a pipe.

    Raises `OSError`, as the disk does.
    """
    with opened(os.fspath(folder)) as place:
        with suppress(FileNotFoundError):
            try:
                os.unlink(name, dir_fd=place)
            except (IsADirectoryError, PermissionError):
                remove_in(name, place)
        with _file(name, WRITE, place, 0o644) as file:
            _write(file, content)


def tidy(folder: str | os.PathLike[str]) -> None:
    """Make a folder that strangers' commands have left usable: everything in it can be read and written by its owner,
    and executed where anybody may, and what is no file, folder or link (a pipe, a socket, a device) is removed.

    Raises `UnfitError` where it goes beyond the limits.
    """
    with opened(os.fspath(folder)) as place:
        _tidy(place, "", _Held())


def copy(source: str | os.PathLike[str], target: str | os.PathLike[str]) -> None:
    """Copy a folder to `target`, which is not there yet. Links stay links, and none is followed.

    Everything in the copy can be read and written by its owner; of other rights, only who may execute a file is kept.
    Raises `UnfitError` for what is no file, folder or link, or goes beyond the limits; `OSError`, as the disk does.
    What was copied by then stays.
    """
    os.mkdir(target, 0o755)
    try:
        here = os.open(source, os.O_RDONLY | FOLDER)
    except PermissionError as error:
        raise UnfitError(".", "closed") from error
    try:
        with opened(os.fspath(target)) as there:
            _copy(here, there, "", _Held())
    finally:
        os.close(here)


class _Held:
    """What the folder holds so far."""

    def __init__(self) -> None:
        self._entries = 0
        self._size = 0

    def enter(self, path: str) -> None:
        """Count one more entry."""
        self._entries += 1
        if self._entries > limits.MAX_BUILT_ENTRIES:
            raise UnfitError(path, "many")
        if limits.is_too_deep(path, limits.MAX_BUILT_DEPTH) or len(os.fsencode(path)) > limits.MAX_BUILT_PATH_BYTES:
            raise UnfitError(path, "deep")

    def take(self, path: str, size: int) -> None:
        """Count so many bytes more."""
        self._size += size
        if self._size > limits.MAX_BUILT_BYTES:
            raise UnfitError(path, "large")


def _entries(folder: int, inside: str, held: _Held) -> Iterator[tuple[str, str, os.stat_result]]:
    """Name, relative path and state of everything in an open folder; what has just gone is passed over."""
    with os.scandir(folder) as entries:
        for entry in entries:
            path = os.path.join(inside, entry.name)
            held.enter(path)
            with suppress(FileNotFoundError):
                yield entry.name, path, os.stat(entry.name, dir_fd=folder, follow_symlinks=False)


def _tidy(folder: int, inside: str, held: _Held) -> None:
    for name, path, found in _entries(folder, inside, held):
        if stat.S_ISDIR(found.st_mode):
            with opened(name, folder) as inner:
                _tidy(inner, path, held)
        elif stat.S_ISREG(found.st_mode):
            held.take(path, found.st_size)
            # What others may execute its owner may too: otherwise it would start for root alone, and in no copy.
            wanted = stat.S_IRUSR | stat.S_IWUSR | (stat.S_IXUSR if found.st_mode & 0o111 else 0)
            if found.st_mode & wanted != wanted:
                grant(name, folder, wanted)
        elif not stat.S_ISLNK(found.st_mode):
            try:
                os.unlink(name, dir_fd=folder)
            except OSError as error:
                raise UnfitError(path, "kind") from error


def _copy(here: int, there: int, inside: str, held: _Held) -> None:
    for name, path, found in _entries(here, inside, held):
        try:
            if stat.S_ISDIR(found.st_mode):
                _copy_folder(here, there, name, path, held)
            elif stat.S_ISLNK(found.st_mode):
                os.symlink(os.readlink(name, dir_fd=here), name, dir_fd=there)
            elif stat.S_ISREG(found.st_mode):
                _copy_file(here, there, name, path, held)
            else:
                raise UnfitError(path, "kind")
        except PermissionError as error:
            raise UnfitError(path, "closed") from error


def _copy_folder(here: int, there: int, name: str, path: str, held: _Held) -> None:
    os.mkdir(name, 0o755, dir_fd=there)
    inner = os.open(name, os.O_RDONLY | FOLDER, dir_fd=here)
    try:
        with opened(name, there) as copied:
            _copy(inner, copied, path, held)
    finally:
        os.close(inner)


def _copy_file(here: int, there: int, name: str, path: str, held: _Held) -> None:
    with _file(name, READ, here) as source:
        found = os.fstat(source)
        if not stat.S_ISREG(found.st_mode):
            raise UnfitError(path, "kind")
        held.take(path, found.st_size)
        with _file(name, WRITE, there, 0o755 if found.st_mode & stat.S_IXUSR else 0o644) as target:
            due = found.st_size  # and no more, should it grow meanwhile
            while due > 0 and (piece := os.read(source, min(PIECE, due))):
                _write(target, piece)
                due -= len(piece)
            os.utime(target, ns=(found.st_atime_ns, found.st_mtime_ns))


def _write(file: int, content: bytes) -> None:
    waiting = memoryview(content)
    while waiting:
        waiting = waiting[os.write(file, waiting) :]


@contextmanager
def _file(name: str, flags: int, above: int, mode: int = 0) -> Iterator[int]:
    """A descriptor of a file in an open folder."""
    file = os.open(name, flags, mode, dir_fd=above)
    try:
        yield file
    finally:
        os.close(file)
