"""Our folders among temporary files, the system's or a cache's, and removing them after a process was killed.

A folder's name says which process made it: `dohyo-KIND-PID-START-PLACE-MARK`. START is when that process began, in
ticks since the machine's start. PLACE identifies this machine since its start, and this tree of processes (a
container has its own process numbers). So a later process can see that the maker has ended, even if its number is in
use again, and removes the folder. It does not remove links, or folders of another user, of another machine or
container with the same folder for temporary files, or of a running process. In a cache, which stays when a machine or
a container is gone, folders of others are removed when they are older than `OLD`.
"""

from __future__ import annotations

import os
import re
import stat
import tempfile
import time
import zlib
from contextlib import suppress
from functools import cache
from uuid import uuid4

from dohyo.system import disk

MOST = 200  # folders that are removed at once
OLD = 86_400.0  # seconds: longer than any process works in a folder in a cache
_NAME = re.compile(r"dohyo-[a-z]+-(\d{1,10})-(\d{1,20})-([0-9a-f]{8})-[0-9a-f]{1,32}")


def make(kind: str, cache: str | None = None) -> str:
    """A new folder of this process, which removes it; `kind` is of lower-case letters. Raises `OSError`.

    It is in the folder for temporary files, or in one of a `cache`.
    """
    folder = path_of(kind, os.getpid(), cache=cache)
    os.mkdir(folder, 0o700)
    return folder


def path_of(kind: str, process: int, mark: str = "", cache: str | None = None) -> str:
    """The path for a folder that a process makes, by its number; each time another one if there is no `mark`."""
    sweep(cache)
    name = f"dohyo-{kind}-{process}-{_start(process) or 0}-{_place()}-{mark or uuid4().hex}"
    return os.path.join(cache or tempfile.gettempdir(), name)


@cache
def sweep(cache: str | None = None) -> None:
    """Remove what killed processes of ours have left here; runs once in each process."""
    removed = 0
    with suppress(OSError), os.scandir(cache or tempfile.gettempdir()) as entries:
        for entry in entries:
            if (found := _NAME.fullmatch(entry.name)) is None:
                continue
            is_ours = found[3] == _place()
            if _is_left(entry, int(found[1]), int(found[2])) if is_ours else cache and _is_old(entry):
                disk.remove(entry.path)
                removed += 1
                if removed == MOST:
                    return


def _is_left(entry: os.DirEntry[str], process: int, start: int) -> bool:
    """Whether it is one of our own folders, whose process has ended."""
    try:
        status = entry.stat(follow_symlinks=False)
    except OSError:
        return False
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.geteuid():
        return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):  # it runs, and belongs to another user; or there can be no such process
        return False
    begun = _start(process)
    return begun is not None and start != 0 and begun != start


def _is_old(entry: os.DirEntry[str]) -> bool:
    """Whether nobody works in it any more, whoever has made it."""
    with suppress(OSError):
        return time.time() - entry.stat(follow_symlinks=False).st_mtime > OLD
    return False


def _start(process: int) -> int | None:
    """When a process began, in ticks since the machine's start; None if the system does not show it."""
    try:
        with open(f"/proc/{process}/stat", "rb") as file:
            return int(file.read().rpartition(b")")[2].split()[19])
    except (OSError, ValueError, IndexError):
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
