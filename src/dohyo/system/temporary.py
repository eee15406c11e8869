"""Our folders among the system's temporary files, and removing them after a process was killed.

A folder's name says which process made it: `dohyo-KIND-PID-START-PLACE-MARK`. START is when that process began, in
ticks since the machine's start. PLACE identifies this machine since its start, and this tree of processes (a
container has its own process numbers). So a later process can see that the maker has ended, even if its number is in
use again, and removes the folder. It does not remove links, or folders of another user, of another machine or
container with the same folder for temporary files, or of a running process.
"""

from __future__ import annotations

import os
import re
import stat
import tempfile
import zlib
from contextlib import suppress
from functools import cache
from uuid import uuid4

from dohyo.system import disk, proc

MOST = 200  # folders that are removed at once
_NAME = re.compile(r"dohyo-[a-z]+-(\d{1,10})-(\d{1,20})-([0-9a-f]{8})-[0-9a-f]{1,32}")


def make(kind: str) -> str:
    """A new folder of this process, which removes it; `kind` is of lower-case letters. Raises `OSError`."""
    folder = path_of(kind, os.getpid())
    os.mkdir(folder, 0o700)
    return folder


def path_of(kind: str, process: int, mark: str = "") -> str:
    """The path for a folder that a process makes, by its number; each time another one if there is no `mark`."""
    sweep()
    name = f"dohyo-{kind}-{process}-{_start(process) or 0}-{_place()}-{mark or uuid4().hex}"
    return os.path.join(tempfile.gettempdir(), name)


@cache
def sweep() -> None:
    """Remove what killed processes of ours have left here; runs once in each process."""
    place, removed = tempfile.gettempdir(), 0
    with suppress(OSError), os.scandir(place) as entries:
        for entry in entries:
            found = _NAME.fullmatch(entry.name)
            if found is not None and found[3] == _place() and _is_left(entry, int(found[1]), int(found[2])):
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
