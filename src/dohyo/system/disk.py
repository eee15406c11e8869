"""Removes, copies, reads and replaces files and folders that strangers have written.

Such a folder may be nested deeper than a path can name or Python can recurse, and its owner may have no rights to it.
So it is not removed by recursion, or by growing paths: the content of a folder's subfolders is moved up into the
folder, until there are none. A stranger's process may still run, and replace a folder that we have just looked at by
a link. So everything is opened only by its own name in an open folder, and no link is followed. The process may also
go on writing, so removing has a time limit.

A folder that will be used again (a build, a copy of one) must stay within `Bounds`: otherwise `UnfitError` is raised,
and in a copy also for anything that is neither a file nor a folder nor a link.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from time import monotonic
from typing import NamedTuple

TOO_MUCH = 1 << 62  # bytes: for a folder that cannot be read
BLOCK = 4096  # bytes that a file takes on a disk at least, with its name
HIDDEN = (errno.EACCES, errno.ENAMETOOLONG)
LONGEST = 60.0  # seconds for removing one folder: enough for some million files
ROUNDS = 3  # tries: a process that is just ending may still write something, or remove the same
FOLDER = os.O_DIRECTORY | os.O_NOFOLLOW
READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
WRITE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
PIECE = 1 << 20  # bytes copied at once


class Bounds(NamedTuple):
    """How much a folder may hold that is to be used: entries, bytes, folders inside each other, bytes of a path."""

    entries: int = 250_000
    size: int = 1 << 30
    deep: int = 64
    path: int = 2000  # relative to the folder, so that the whole path is short enough in every copy


BOUNDS = Bounds()


class UnfitError(Exception):
    """A folder cannot be used. `path` is what is wrong with it, relative to the folder.

    `why`: `kind` (no file, folder or link), `deep` (too far inside, or too long a path), `many` (too many entries),
    `large` (too many bytes), `closed` (cannot be read).
    """

    def __init__(self, path: str, why: str) -> None:
        super().__init__(f"{why}: {path!r}")
        self.path = path
        self.why = why


def remove(place: str | os.PathLike[str]) -> None:
    """Remove a folder with all that is in it, whatever that is.

    What cannot be removed stays, and so does what is left after `LONGEST`, and a link in the folder's place.
    """
    path = os.fspath(place).rstrip(os.sep)  # with a separator at the end, a link would be followed
    _remove(path)


def _remove(name: str, above: int | None = None) -> None:
    """The same for a name in an open folder."""
    deadline = monotonic() + LONGEST
    for _ in range(ROUNDS):
        with suppress(OSError):
            with _opened(name, above) as folder:
                _empty(folder, deadline)
            os.rmdir(name, dir_fd=above)
            return


def _empty(place: int, deadline: float) -> None:
    """Remove all that is in an open folder, until the deadline."""
    names, stuck = (f"{os.urandom(8).hex()}-{number}" for number in count()), set[str]()
    while folders := [name for name in _clear(place, deadline) if name not in stuck]:
        for name in folders:
            if monotonic() > deadline:
                return
            with suppress(OSError), _opened(name, place) as inner:
                for below in _clear(inner, deadline):
                    with suppress(OSError):
                        os.rename(below, next(names), src_dir_fd=inner, dst_dir_fd=place)
            try:
                os.rmdir(name, dir_fd=place)
            except OSError:
                stuck.add(name)


def _clear(folder: int, deadline: float) -> list[str]:
    """Remove all files of an open folder; returns the names of its folders, for which we now have all rights."""
    found: list[str] = []
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if monotonic() > deadline:
                break
            with suppress(OSError):
                if entry.is_dir(follow_symlinks=False) and _is_opened(entry.name, folder):
                    found.append(entry.name)
                else:
                    os.unlink(entry.name, dir_fd=folder)
    return found


def _is_opened(name: str, above: int) -> bool:
    """Whether it is a folder for which we now have all rights: otherwise it could not be moved up."""
    with suppress(OSError), _opened(name, above):
        return True
    return False


def size_of(folder: str) -> int:
    """Bytes on disk below a folder; `TOO_MUCH` if some of it cannot be read: no rights, or below too long a path."""
    total = 0
    stack = [folder]
    while stack:
        try:
            with os.scandir(stack.pop()) as entries:
                for entry in entries:
                    total += _size(entry)
                    if entry.is_dir(follow_symlinks=False):
                        stack.append(entry.path)
        except OSError as error:
            if error.errno in HIDDEN:
                return TOO_MUCH
    return total


def _size(entry: os.DirEntry[str]) -> int:
    """Bytes of one file or folder itself; none when it has just gone."""
    with suppress(FileNotFoundError):
        return max(BLOCK, entry.stat(follow_symlinks=False).st_blocks * 512)
    return 0


# --- to be used again


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
    """Write a file into a stranger's folder, replacing whatever has that name there: a folder, a link, a pipe.

    Raises the `OSError` of the disk.
    """
    with _opened(os.fspath(folder)) as place:
        with suppress(FileNotFoundError):
            try:
                os.unlink(name, dir_fd=place)
            except (IsADirectoryError, PermissionError):
                _remove(name, place)
        with _file(name, WRITE, place, 0o644) as file:
            _write(file, content)


def tidy(folder: str | os.PathLike[str], bounds: Bounds | None = None) -> None:
    """Make a folder that strangers' commands have left usable: everything in it can be read and written by its owner,
    and executed where anybody may, and what is no file, folder or link (a pipe, a socket, a device) is removed.

    Raises `UnfitError` where it goes beyond `bounds`, by default `BOUNDS`.
    """
    with _opened(os.fspath(folder)) as place:
        _tidy(place, "", _Left(bounds))


def copy(source: str | os.PathLike[str], target: str | os.PathLike[str], bounds: Bounds | None = None) -> None:
    """Copy a folder to `target`, which is not there yet. Links stay links, and none is followed.

    Everything in the copy can be read and written by its owner; of the other rights, only those to execute a file are
    copied. Raises `UnfitError` for what is no file, folder or link, or goes beyond `bounds` (by default `BOUNDS`);
    `OSError`, as the disk does. What was copied by then stays.
    """
    os.mkdir(target, 0o755)
    try:
        here = os.open(source, os.O_RDONLY | FOLDER)
    except PermissionError as error:
        raise UnfitError(".", "closed") from error
    try:
        with _opened(os.fspath(target)) as there:
            _copy(here, there, "", _Left(bounds))
    finally:
        os.close(here)


class _Left:
    """How much of the bounds is left."""

    def __init__(self, bounds: Bounds | None) -> None:
        self._bounds = BOUNDS if bounds is None else bounds
        self._entries = 0
        self._size = 0

    def enter(self, path: str) -> None:
        """Count one more entry."""
        self._entries += 1
        if self._entries > self._bounds.entries:
            raise UnfitError(path, "many")
        if path.count(os.sep) >= self._bounds.deep or len(os.fsencode(path)) > self._bounds.path:
            raise UnfitError(path, "deep")

    def take(self, path: str, size: int) -> None:
        """Count so many bytes more."""
        self._size += size
        if self._size > self._bounds.size:
            raise UnfitError(path, "large")


def _entries(folder: int, inside: str, left: _Left) -> Iterator[tuple[str, str, os.stat_result]]:
    """Name, relative path and state of everything in an open folder; what was just removed is skipped."""
    with os.scandir(folder) as entries:
        for entry in entries:
            path = os.path.join(inside, entry.name)
            left.enter(path)
            with suppress(FileNotFoundError):
                yield entry.name, path, os.stat(entry.name, dir_fd=folder, follow_symlinks=False)


def _tidy(folder: int, inside: str, left: _Left) -> None:
    for name, path, found in _entries(folder, inside, left):
        if stat.S_ISDIR(found.st_mode):
            with _opened(name, folder) as inner:
                _tidy(inner, path, left)
        elif stat.S_ISREG(found.st_mode):
            left.take(path, found.st_size)
            # What others may execute, its owner may too: otherwise it would start only for root, and in no copy.
            wanted = stat.S_IRUSR | stat.S_IWUSR | (stat.S_IXUSR if found.st_mode & 0o111 else 0)
            if found.st_mode & wanted != wanted:
                _grant(name, folder, wanted)
        elif not stat.S_ISLNK(found.st_mode):
            try:
                os.unlink(name, dir_fd=folder)
            except OSError as error:
                raise UnfitError(path, "kind") from error


def _copy(here: int, there: int, inside: str, left: _Left) -> None:
    for name, path, found in _entries(here, inside, left):
        try:
            if stat.S_ISDIR(found.st_mode):
                _copy_folder(here, there, name, path, left)
            elif stat.S_ISLNK(found.st_mode):
                os.symlink(os.readlink(name, dir_fd=here), name, dir_fd=there)
            elif stat.S_ISREG(found.st_mode):
                _copy_file(here, there, name, path, left)
            else:
                raise UnfitError(path, "kind")
        except PermissionError as error:
            raise UnfitError(path, "closed") from error


def _copy_folder(here: int, there: int, name: str, path: str, left: _Left) -> None:
    os.mkdir(name, 0o755, dir_fd=there)
    inner = os.open(name, os.O_RDONLY | FOLDER, dir_fd=here)
    try:
        with _opened(name, there) as copied:
            _copy(inner, copied, path, left)
    finally:
        os.close(inner)


def _copy_file(here: int, there: int, name: str, path: str, left: _Left) -> None:
    with _file(name, READ, here) as source:
        found = os.fstat(source)
        if not stat.S_ISREG(found.st_mode):
            raise UnfitError(path, "kind")
        left.take(path, found.st_size)
        with _file(name, WRITE, there, 0o755 if found.st_mode & stat.S_IXUSR else 0o644) as target:
            due = found.st_size  # and no more, if it grows meanwhile
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


@contextmanager
def _opened(name: str, above: int | None = None) -> Iterator[int]:
    """A descriptor of a folder to which its owner, that is us, now has all rights; other rights stay.

    A link is an `OSError`.
    """
    try:
        folder = os.open(name, os.O_RDONLY | FOLDER, dir_fd=above)
    except PermissionError:
        _grant(name, above, stat.S_IRWXU)
        folder = os.open(name, os.O_RDONLY | FOLDER, dir_fd=above)
    try:
        with suppress(OSError):  # a folder that is not ours: later calls show what we may do there
            mode = stat.S_IMODE(os.fstat(folder).st_mode)
            if mode & stat.S_IRWXU != stat.S_IRWXU:
                os.fchmod(folder, mode | stat.S_IRWXU)
        yield folder
    finally:
        os.close(folder)


def _grant(name: str, above: int | None, rights: int) -> None:
    """Give the owner more rights to a file or folder; never to a link's target."""
    mode = stat.S_IMODE(os.stat(name, dir_fd=above, follow_symlinks=False).st_mode) | rights
    if not hasattr(os, "O_PATH"):
        os.chmod(name, mode, dir_fd=above, follow_symlinks=False)
        return
    held = os.open(name, os.O_PATH | os.O_NOFOLLOW, dir_fd=above)
    try:
        if not stat.S_ISLNK(os.fstat(held).st_mode):
            os.chmod(f"/proc/self/fd/{held}", mode)
    finally:
        os.close(held)
