"""What strangers have written to a disk, and how it is removed.

A folder of theirs may be nested deeper than a path can name or Python can recurse, and closed to its owner. So none
is removed by recursion, or by a path that grows: what lies in a folder's folders is lifted, until there are none.
"""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress
from itertools import count

TOO_MUCH = 1 << 62  # bytes: of a folder that cannot be looked into
BLOCK = 4096  # bytes that a file takes on a disk at least, if only for its name
HIDDEN = (errno.EACCES, errno.ENAMETOOLONG)


def remove(place: str | os.PathLike[str]) -> None:
    """Remove a folder with all that is in it, whatever that is. What cannot be removed stays."""
    place = os.fspath(place)
    names, stuck = (f"{os.urandom(8).hex()}-{number}" for number in count()), set[str]()
    while folders := [name for name in _clear(place) if name not in stuck]:
        for name in folders:
            inner = os.path.join(place, name)
            for below in _clear(inner):
                with suppress(OSError):
                    os.rename(os.path.join(inner, below), os.path.join(place, next(names)))
            try:
                os.rmdir(inner)
            except OSError:
                stuck.add(name)
    with suppress(OSError):
        os.rmdir(place)


def _clear(folder: str) -> list[str]:
    """Remove all files of a folder; the names of its folders, which are opened to us."""
    found: list[str] = []
    with suppress(OSError):
        os.chmod(folder, stat.S_IRWXU)
        with os.scandir(folder) as entries:
            for entry in entries:
                with suppress(OSError):
                    if entry.is_dir(follow_symlinks=False):
                        os.chmod(entry.path, stat.S_IRWXU)  # otherwise it could not be lifted
                        found.append(entry.name)
                    else:
                        os.unlink(entry.path)
    return found


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
