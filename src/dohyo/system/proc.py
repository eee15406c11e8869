"""What /proc tells of processes: which there are, what they have used, their pipes. Other systems do without it.

Linux shows how long a process ran, and how long it waited for a processor, in nanoseconds. A process that ends while
it is read raises one of `GONE`. What a program uses with all that it started is counted by
`match/processes/process_tree.py`, from what is read here.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import subprocess

IS_LINUX = sys.platform == "linux"

GONE = (OSError, IndexError, ValueError, KeyError)
MAX_LOOKS = 2000  # processes of a tree, for those that may be looked at late: more may be started meanwhile
MAX_TASKS = 1 << 22  # that the kernel has numbers for

TICK = 1_000_000_000 // os.sysconf("SC_CLK_TCK") if IS_LINUX else 0
LOAD, OWN = "/proc/loadavg", "/proc/thread-self/schedstat"
TASKS = "/proc/self/task"
MAX_GLANCES = 16  # threads
SANDBOX = b"bwrap"  # as the kernel calls the process that waits around a program


def status(pid: int | str, thread: int | str = "") -> list[bytes]:
    """The words of `stat` from the state on: state, parent, group, session, ..."""
    with open(f"/proc/{pid}/task/{thread}/stat" if thread else f"/proc/{pid}/stat", "rb", 0) as file:
        # The command's name stands in brackets before them, and may hold anything, spaces and brackets too.
        return file.read(2000).rpartition(b")")[2].split()


def threads(members: Iterable[int]) -> Iterator[tuple[int, int, list[bytes]]]:
    """All living threads of these processes: the process, the thread, and the thread's `status`."""
    for pid in members:
        with suppress(*GONE):
            for thread in os.listdir(f"/proc/{pid}/task"):
                with suppress(*GONE):
                    yield pid, int(thread), status(pid, thread)


def children(pid: int) -> list[int]:
    """The processes that this one has started and that have not been collected."""
    found: list[int] = []
    with suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            with suppress(*GONE), open(f"/proc/{pid}/task/{thread}/children", "rb", 0) as file:
                found += [int(word) for word in file.read().split()]
    return found


def tree(pid: int, most: int = MAX_TASKS) -> list[int]:
    """A process and its living descendants, at most so many, each behind its parent.

    In a sandbox none can leave the tree: orphans become children of process 1 there.
    """
    found = [pid]
    for member in found:
        if len(found) < most:
            found += children(member)[: most - len(found)]
    return found


def pipe_of(descriptor: int) -> str:
    """What the system calls the pipe that is open under this number; empty if none is."""
    with suppress(OSError):
        name = os.readlink(f"/proc/self/fd/{descriptor}")
        return name if name.startswith("pipe:") else ""
    return ""


def end_users(pipes: Iterable[str]) -> None:
    """Kill all processes but this one that have one of these pipes open, as the system calls them."""
    pipes = set(filter(None, pipes))
    for pid in filter(str.isdigit, os.listdir("/proc")):
        if int(pid) != os.getpid() and not pipes.isdisjoint(_open_in(pid)):
            with suppress(ProcessLookupError, PermissionError):
                os.kill(int(pid), signal.SIGKILL)


def _open_in(pid: str) -> set[str]:
    """What a process has open, as the system calls it; nothing of one that is gone, or that is not ours to see."""
    found = set()
    with suppress(OSError):
        for name in os.listdir(f"/proc/{pid}/fd"):
            with suppress(OSError):
                found.add(os.readlink(f"/proc/{pid}/fd/{name}"))
    return found


# --- what processes have used


def missing(mode: str) -> str:
    """What this system lacks to measure in a clock's mode; empty if nothing."""
    if not IS_LINUX:
        return "Linux"
    for path in (LOAD, OWN) if mode == "fair" else (LOAD,):
        if not os.access(path, os.R_OK):
            return path
    return ""


def fair_mode() -> Literal["wall", "fair"]:
    """How time is counted where nobody says how: `fair`, or `wall` where this system cannot measure that."""
    return "wall" if missing("fair") else "fair"


def own_wait() -> int:
    """How long this thread was ready to run and had to wait."""
    return numbers(OWN)[1]


class OwnTime:
    """How long this process's threads have run, or were ready to run and had to wait; if the system does not show
    waits, only how long they ran."""

    def __init__(self) -> None:
        self._waited: dict[str, int] = {}
        self._total = 0  # what was seen of the waits of all threads, ended ones included

    def __call__(self) -> int:
        """The time up to now."""
        waited: dict[str, int] = {}
        with suppress(OSError):
            for thread in {str(threading.get_native_id()), *os.listdir(TASKS)[:MAX_GLANCES]}:
                with suppress(*GONE):
                    waited[thread] = numbers(f"{TASKS}/{thread}/schedstat")[1]
        self._total += sum(max(0, now - self._waited.get(thread, now)) for thread, now in waited.items())
        self._waited = waited
        return time.process_time_ns() + self._total


def computed(process: subprocess.Popen[bytes]) -> float:
    """Seconds that a process, its living descendants, and the processes that these have collected have run.

    0 once it is collected itself.
    """
    total = 0
    for member in () if process.returncode is not None else tree(process.pid, MAX_LOOKS):
        with suppress(*GONE):
            total += clock(member) + sum(int(ticks) for ticks in status(member)[13:15]) * TICK
    return total / 1_000_000_000


def peak_memory(process: subprocess.Popen[bytes]) -> int:
    """Bytes of memory that a process and its living descendants had at most, added up; 0 once it is collected.

    Memory that they share counts for each. What only waits around a sandbox has next to none and does not count.
    """
    total = 0
    for member in () if process.returncode is not None else tree(process.pid, MAX_LOOKS):
        with suppress(*GONE), open(f"/proc/{member}/status", "rb", 0) as file:
            told = dict(line.split(b":", 1) for line in file.read().splitlines() if b":" in line)
            if told[b"Name"].strip() != SANDBOX:
                total += int(told.get(b"VmHWM", b"0 kB").split()[0]) * 1024
    return total


def clock(pid: int) -> int:
    """Time on a processor of a process and all its threads. Raises `OSError` when there is no such process."""
    return time.clock_gettime_ns((~pid << 3) | 2)  # the clock's number as the kernel makes it from the process's


def numbers(path: str) -> list[int]:
    with open(path, "rb", 0) as file:
        return [int(word) for word in file.read(200).split()]
