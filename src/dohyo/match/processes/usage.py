"""What the system tells of the time that processes ran, and waited for a processor. Linux only; in nanoseconds.

A program with everything that it started is counted by `process_tree.py`, from what is read here.
"""

from __future__ import annotations

import os
import subprocess
import threading
import time
from contextlib import suppress

from dohyo.match.processes.system import IS_LINUX
from dohyo.system.proc import GONE, MAX_LOOKS, status, tree

TICK = 1_000_000_000 // os.sysconf("SC_CLK_TCK") if IS_LINUX else 0
LOAD, OWN = "/proc/loadavg", "/proc/thread-self/schedstat"
TASKS = "/proc/self/task"

MAX_GLANCES = 16  # threads
SANDBOX = b"bwrap"  # as the kernel calls the process that waits around a program


def missing(mode: str) -> str:
    """What this system lacks to measure in a clock's mode; empty if nothing."""
    if not IS_LINUX:
        return "Linux"
    for path in (LOAD, OWN) if mode == "fair" else (LOAD,):
        if not os.access(path, os.R_OK):
            return path
    return ""


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
