"""Our folders among temporary files, the system's or a cache's, and removing them after a process was killed.

A folder's name says which process made it: `dohyo-KIND-PID-START-PLACE-MARK`. START is when that process began, in
ticks since the machine's start. PLACE identifies this machine since its start, and this tree of processes (a
container has its own process numbers). So a later process can see that the maker has ended, even if its number is in
use again, and removes the folder. It does not remove links, or folders of another user, of another machine or
container with the same folder for temporary files, or of a running process.

A cache stays when a machine or a container is gone, and several may share it. So whoever makes a folder there holds a
lock in it (`hold`). A folder of another machine or container is removed when it is older than `OLD` and nobody holds
its lock. Either alone would not do: some file systems have no locks, or do not show them to other machines, and our
clock may be wrong.
"""

from __future__ import annotations

import fcntl
import os
import re
import stat
import tempfile
import time
import zlib
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from itertools import islice
from typing import NamedTuple
from uuid import uuid4

from dohyo.system import disk, proc

MOST = 200  # folders that are removed at once
OLD = 86_400.0  # seconds: longer than a process usually works in a folder in a cache
LOCK = "lock"  # in each folder in a cache
_NAME = re.compile(r"dohyo-[a-z]+-(\d{1,10})-(\d{1,20})-([0-9a-f]{8})-[0-9a-f]{1,32}")


def make(kind: str, cache: str | None = None) -> str:
    """A new folder of this process, which removes it; `kind` is of lower-case letters. Raises `OSError`.

    It is in the folder for temporary files, or in one of a `cache`; there the process should `hold` it.
    """
    folder = path_of(kind, os.getpid(), cache=cache)
    os.mkdir(folder, 0o700)
    return folder


def hold(folder: str | os.PathLike[str]) -> int:
    """Lock a new folder in a cache: we work in it. Returns the open lock, or -1 if the file system has no locks.

    Closing it releases it, and so does the system when we end, whatever machine or container we are on. Raises
    `OSError` where no file can be made in the folder.
    """
    beside = os.path.join(folder, f"{LOCK}.new")
    lock = os.open(beside, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.rename(beside, os.path.join(folder, LOCK))  # only now: nobody finds it free in between
    except OSError:
        os.close(lock)
        return -1
    return lock


def path_of(kind: str, process: int, mark: str = "", cache: str | None = None) -> str:
    """The path for a folder that a process makes, by its number; each time another one if there is no `mark`."""
    sweep(cache)
    name = f"dohyo-{kind}-{process}-{_start(process) or 0}-{_place()}-{mark or uuid4().hex}"
    return os.path.join(cache or tempfile.gettempdir(), name)


@cache
def sweep(cache: str | None = None) -> None:
    """Remove what killed processes of ours have left here; runs once in each process."""
    for one in islice((one for one in made(cache) if one.is_left), MOST):
        disk.remove(one.path)


class Made(NamedTuple):
    """A folder that a process of this user's has made: whether it `is_left`, or the process `runs` here.

    It may be neither: the process is elsewhere, or nobody can tell.
    """

    path: str
    process: int
    is_left: bool
    runs: bool


def made(cache: str | None = None) -> Iterator[Made]:
    """Our folders among temporary files, or in a folder of a cache."""
    with suppress(OSError), os.scandir(cache or tempfile.gettempdir()) as entries:
        for entry in entries:
            if (found := _NAME.fullmatch(entry.name)) is None:
                continue
            if (changed := _own_folder(entry)) is None:
                continue
            is_here = found[3] == _place()
            has_ended = is_here and _has_ended(int(found[1]), int(found[2]))
            is_left = has_ended or (not is_here and cache is not None and _is_left(entry.path, changed))
            yield Made(entry.path, int(found[1]), is_left, is_here and not has_ended)


def _own_folder(entry: os.DirEntry[str]) -> float | None:
    """When one of our user's own folders was last changed; None for another user's, a link, or any other file."""
    with suppress(OSError):
        status = entry.stat(follow_symlinks=False)
        if stat.S_ISDIR(status.st_mode) and status.st_uid == os.geteuid():
            return status.st_mtime
    return None


def _has_ended(process: int, start: int) -> bool:
    """Whether a process of this machine and this tree of processes, by its number and its beginning, has ended."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):  # it runs, and belongs to another user; or there can be no such process
        return False
    begun = _start(process)
    return begun is not None and start != 0 and begun != start


def _is_left(folder: str, changed: float) -> bool:
    """Whether nobody works any more in a folder that was made elsewhere, and last `changed` at this time."""
    if time.time() - changed <= OLD:
        return False
    try:
        lock = os.open(os.path.join(folder, LOCK), os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:  # its maker could not lock it, or was killed before
        return True
    except OSError:
        return False
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    except OSError:
        return False
    finally:
        os.close(lock)


def _start(process: int) -> int | None:
    """When a process began, in ticks since the machine's start; None if the system does not show it."""
    try:
        return int(proc.status(process)[19])
    except proc.GONE:
        return None


@cache
def _place() -> str:
    """Identifies this machine since its start, and this tree of processes; eight hexadecimal digits."""
    told = []
    with suppress(OSError), open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
        told.append(file.read().strip())
    with suppress(OSError):
        told.append(os.readlink("/proc/self/ns/pid"))
    return f"{zlib.crc32(' '.join(told or [os.uname().nodename]).encode()):08x}"
