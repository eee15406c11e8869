"""How long a program may have waited for pages of memory that the machine was slow to bring. Linux only.

Theory of operation
-------------------
A program's code and data are pages, and under memory pressure the system drops pages that it can read from the disk
again. The thread that needs one waits, in no call of its own, and no number tells for how long. Known is how many
pages of a program had to be read, by its major page faults, and for how long anything at all waited for the disk or
for memory on this machine (`/proc/pressure`). Both must be there, and the second is the most that it can have been:
what the kernel tells is an average over the processors, so times their number.

A program can make such waits itself: it maps a large file and reads it, or keeps the disk busy meanwhile. So each
page that was read counts as its own time as if the disk were quick (`A_PAGE`), and all that its processes have read
and written by the rate of a slow disk (`RATE`). A program that reads much is charged for it; what is left is the
machine's. A program that reads a file by `read` waits in a call of its own: that is no page, and is charged in full.
A program that hides from us what it reads (`PR_SET_DUMPABLE`), or has more processes than are looked at, is charged
for everything.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

from dohyo.match.processes.usage import GONE, MAX_GLANCES, status

PRESSURE = ("/proc/pressure/io", "/proc/pressure/memory")
A_PAGE = 1_000_000  # nanoseconds that a page which is read from the disk may take, and is charged
RATE = 100_000_000  # bytes a second, of what a program reads and writes itself
FAULTS = 9  # the word of `stat` from the state on: major page faults
NO_CALL = b"-1"  # what `syscall` tells of a thread that waits in no call


class Pages(NamedTuple):
    """Of a program's processes: pages that were read for them, and bytes that they read from and wrote to a disk;
    whether one waits for a page now. And for how long anything on the machine `stalled`. `is_whole` says that no
    process of the program hides what it read."""

    faults: int = 0
    bytes: int = 0
    awaits: bool = False
    stalled: int = 0
    is_whole: bool = True


class Stalls:
    """For how long anything on this machine waited for a disk or for memory, in nanoseconds."""

    def __init__(self, processors: int, paths: Sequence[str] = PRESSURE) -> None:
        """An average over so many `processors` is told in the files at `paths`."""
        self._processors, self._paths = processors, paths

    def look(self) -> int:
        """For how long at most, since the machine began; 0 where the system does not tell."""
        total = 0
        for path in self._paths:
            with suppress(*GONE), open(path, "rb", 0) as file:
                total += int(file.read(200).split(b"\n")[0].rpartition(b"total=")[2]) * 1000
        return total * self._processors


def pages(members: Sequence[int], stalled: int = 0, in_doubt: bool = False) -> Pages:
    """What was read for these processes so far, as far as they live; whether they wait only if `in_doubt`."""
    faults = moved = 0
    is_whole = len(members) <= MAX_GLANCES
    for pid in members[:MAX_GLANCES]:
        with suppress(*GONE):
            read = int(status(pid)[FAULTS])
            try:
                moved += bytes_moved(pid)
            except PermissionError:
                is_whole = False
            faults += read
    return Pages(faults, moved, in_doubt and awaits_page(members), stalled, is_whole)


def bytes_moved(pid: int) -> int:
    """How many bytes a process has read from disks and written to them. Raises `OSError` where nobody may know."""
    with open(f"/proc/{pid}/io", "rb", 0) as file:
        told = dict(line.split(b": ") for line in file.read(500).splitlines())
    return int(told[b"read_bytes"]) + int(told[b"write_bytes"])


def awaits_page(members: Sequence[int]) -> bool:
    """Whether a thread of these processes waits now, cannot be woken, and is in no call of its own."""
    for pid in members[:MAX_GLANCES]:
        with suppress(*GONE):
            for thread in os.listdir(f"/proc/{pid}/task")[:MAX_GLANCES]:
                with suppress(*GONE):
                    if status(pid, thread)[0] == b"D":
                        with open(f"/proc/{pid}/task/{thread}/syscall", "rb", 0) as file:
                            if file.read(100).split()[0] == NO_CALL:
                                return True
    return False


def not_its_own(before: Pages, now: Pages) -> int:
    """For how many nanoseconds between these moments the program may have waited for pages, not by its own doing."""
    faults, moved = now.faults - before.faults + now.awaits, now.bytes - before.bytes
    if faults <= 0 or not now.is_whole:
        return 0
    return max(0, now.stalled - before.stalled - faults * A_PAGE - max(0, moved) * 1_000_000_000 // RATE)
