"""What strangers have written to a disk, and how it is removed.

A folder of theirs may be nested deeper than a path can name or Python can recurse, and closed to its owner. So none
is removed by recursion, or by a path that grows: what lies in a folder's folders is lifted, until there are none.
One of their processes may be alive, and make a link of a folder that we have just looked at. So nothing is opened but
by its own name in a folder that is open, and no link is followed; and it may go on writing, so we end at some time.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from time import monotonic

TOO_MUCH = 1 << 62  # bytes: of a folder that cannot be looked into
BLOCK = 4096  # bytes that a file takes on a disk at least, if only for its name
HIDDEN = (errno.EACCES, errno.ENAMETOOLONG)
LONGEST = 10.0  # seconds for removing one folder: enough for some hundred thousand files
FOLDER = os.O_DIRECTORY | os.O_NOFOLLOW


def remove(place: str | os.PathLike[str]) -> None:
    """Remove a folder with all that is in it, whatever that is.

    What cannot be removed stays, and so does what is left after `LONGEST`, and a link in the folder's place.
    """
    path = os.fspath(place).rstrip(os.sep)  # behind a separator, a link would be followed
    with suppress(OSError):
        with _opened(path) as folder:
            _empty(folder, monotonic() + LONGEST)
        os.rmdir(path)


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
    """Remove all files of an open folder; the names of its folders, which are opened to us."""
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
    """Whether it is a folder, and opened to us: otherwise it could not be lifted."""
    with suppress(OSError), _opened(name, above):
        return True
    return False


@contextmanager
def _opened(name: str, above: int | None = None) -> Iterator[int]:
    """A descriptor of a folder to which its owner, that is us, now has all rights. A link is an `OSError`."""
    try:
        folder = os.open(name, os.O_RDONLY | FOLDER, dir_fd=above)
    except PermissionError:
        _permit(name, above)
        folder = os.open(name, os.O_RDONLY | FOLDER, dir_fd=above)
    try:
        with suppress(OSError):
            os.fchmod(folder, stat.S_IRWXU)
        yield folder
    finally:
        os.close(folder)


def _permit(name: str, above: int | None) -> None:
    """Give its owner all rights to a folder that cannot be opened; never to what a link leads to."""
    if not hasattr(os, "O_PATH"):  # no Linux: there the call itself can keep from following
        os.chmod(name, stat.S_IRWXU, dir_fd=above, follow_symlinks=False)
        return
    held = os.open(name, os.O_PATH | FOLDER, dir_fd=above)
    try:
        os.chmod(f"/proc/self/fd/{held}", stat.S_IRWXU)
    finally:
        os.close(held)


def size_of(folder: str) -> int:
    """Bytes on disk below a folder; `TOO_MUCH` where some of it is hidden: closed, or below too long a path."""
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
