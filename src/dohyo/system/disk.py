"""What strangers have written to a disk: how it is removed, and measured. `used_again.py` copies and reads it.

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

TOO_MUCH = 1 << 62  # bytes: for a folder that cannot be read
BLOCK = 4096  # bytes that a file takes on a disk at least, with its name
HIDDEN = (errno.EACCES, errno.ENAMETOOLONG)
DEEPEST = 200  # folders within each other that are measured, each of which is open meanwhile: far more than are kept
LONGEST = 60.0  # seconds for removing one folder: enough for some million files
ROUNDS = 3  # tries: a process that is just ending may still write something, or remove the same
# Errors of the disk or of the machine; for any other, what lies on the disk is to blame, and so its author.
OF_MACHINE = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EMFILE, errno.ENFILE, errno.ENOMEM})
# Of a copy of what was read already, only the names can be to blame: this disk may take fewer than the one before.
OF_NAMES = frozenset({errno.ENAMETOOLONG, errno.EILSEQ, errno.EINVAL, errno.EEXIST, errno.ELOOP, errno.ENOTDIR})
FOLDER = os.O_DIRECTORY | os.O_NOFOLLOW


def is_of_machine(error: OSError) -> bool:
    """Whether the machine is to blame that a stranger's files could not be read, copied or written."""
    return error.errno in OF_MACHINE


def is_of_names(error: OSError) -> bool:
    """Whether the names in a stranger's folder are to blame that a copy of ours could not be copied once more."""
    return error.errno in OF_NAMES


def remove(place: str | os.PathLike[str]) -> None:
    """Remove a folder with all that is in it, whatever that is.

    What cannot be removed stays, and so does what is left after `LONGEST`, and a link in the folder's place.
    """
    path = os.fspath(place).rstrip(os.sep)  # with a separator at the end, a link would be followed
    remove_in(path)


def remove_in(name: str, above: int | None = None) -> None:
    """Remove a folder, by its name in an open one (`above`), with all that is in it."""
    deadline = monotonic() + LONGEST
    for _ in range(ROUNDS):
        with suppress(OSError):
            with opened(name, above) as folder:
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
            with suppress(OSError), opened(name, place) as inner:
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
    with suppress(OSError), opened(name, above):
        return True
    return False


def size_of(folder: str, enough: int = TOO_MUCH) -> int:
    """Bytes on disk below a folder; `TOO_MUCH` if some of it cannot be read: no rights, or too deep.

    Its programs may go on moving what it holds: so that this ends, nothing is counted beyond `enough`.
    """
    return min(_size_in(folder, None, enough, DEEPEST), TOO_MUCH)


def _size_in(name: str, above: int | None, enough: int, deep: int) -> int:
    """The same for a name in an open folder, where `deep` folders within each other may be."""
    if deep == 0:
        return TOO_MUCH
    total = 0
    try:
        here = _unmarked(name, above)
        try:
            inner = list[str]()
            with os.scandir(here) as entries:
                for entry in entries:
                    total += _size(entry)
                    if total > enough:
                        return total
                    if entry.is_dir(follow_symlinks=False):
                        inner.append(entry.name)
            while inner and total <= enough:
                total += _size_in(inner.pop(), here, enough - total, deep - 1)
        finally:
            os.close(here)
    except OSError as error:
        if error.errno in HIDDEN:
            return TOO_MUCH
    return total


def _unmarked(name: str, above: int | None) -> int:
    """A descriptor of a folder, not of a link, whose time of reading stays.

    By that time a program could see how far we are, and move what it keeps to where we have been.
    """
    with suppress(PermissionError):  # somebody else's folder
        return os.open(name, os.O_RDONLY | FOLDER | getattr(os, "O_NOATIME", 0), dir_fd=above)
    return os.open(name, os.O_RDONLY | FOLDER, dir_fd=above)


def _size(entry: os.DirEntry[str]) -> int:
    """Bytes of one file or folder itself; of one that has just gone, those of its name."""
    with suppress(FileNotFoundError):
        return max(BLOCK, entry.stat(follow_symlinks=False).st_blocks * 512)
    return BLOCK


@contextmanager
def opened(name: str, above: int | None = None) -> Iterator[int]:
    """A descriptor of a folder to which its owner, that is us, now has all rights; other rights stay.

    A link is an `OSError`.
    """
    try:
        folder = os.open(name, os.O_RDONLY | FOLDER, dir_fd=above)
    except PermissionError:
        grant(name, above, stat.S_IRWXU)
        folder = os.open(name, os.O_RDONLY | FOLDER, dir_fd=above)
    try:
        with suppress(OSError):  # a folder that is not ours: later calls show what we may do there
            mode = stat.S_IMODE(os.fstat(folder).st_mode)
            if mode & stat.S_IRWXU != stat.S_IRWXU:
                os.fchmod(folder, mode | stat.S_IRWXU)
        yield folder
    finally:
        os.close(folder)


def grant(name: str, above: int | None, rights: int) -> None:
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
