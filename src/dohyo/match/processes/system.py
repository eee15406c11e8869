"""What differs between operating systems: waiting for a process, and ending it with all its descendants.

Linux has pidfds and /proc, and can show how a process ended without collecting it, how long it ran, and how long it
waited for a processor (in nanoseconds); other systems do without. A program with all that it started is counted by
`process_tree.py`, from what is read here.
"""

from __future__ import annotations

import math
import os
import select
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress

from dohyo.system.proc import GONE, MAX_LOOKS, status, tree

IS_LINUX = sys.platform == "linux"
LONGEST_DEATH = 5.0  # seconds from SIGKILL to the end; if it takes longer, that is reported
PATIENCE = 300.0  # seconds; the kernel ends a killed process in this time, however much it has to free
LONGEST_PAUSE = 1.0  # seconds from one SIGKILL to the next
MOMENTS, MOMENT = 200, 0.001  # looks, seconds between them

TICK = 1_000_000_000 // os.sysconf("SC_CLK_TCK") if IS_LINUX else 0
LOAD, OWN = "/proc/loadavg", "/proc/thread-self/schedstat"
TASKS = "/proc/self/task"

MAX_GLANCES = 16  # threads
SANDBOX = b"bwrap"  # as the kernel calls the process that waits around a program


def exit_descriptor(process: subprocess.Popen[bytes]) -> int | None:
    """A descriptor that becomes readable when the process ends; the caller closes it. None if the system has none."""
    if not IS_LINUX:
        return None
    try:
        return os.pidfd_open(process.pid)
    except OSError:
        return None


def exit_status(process: subprocess.Popen[bytes]) -> int | None:
    """How the process ended: its exit status, or minus the number of a signal; none while it runs.

    Linux can look without collecting the process. Until `collect` collects it, its number cannot become another
    process's, and `kill` reaches its group and no other. On other systems looking collects it, so its group is killed
    in the same moment.
    """
    if process.returncode is None and IS_LINUX:
        with suppress(ChildProcessError):  # other code in this process collects children
            found = os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            if found is None:
                return None
            return found.si_status if found.si_code == os.CLD_EXITED else -found.si_status
    if process.returncode is None and process.poll() is not None:
        _kill_group(process.pid)
    return process.returncode


def kill(process: subprocess.Popen[bytes]) -> None:
    """Send SIGKILL to the process and its whole group; does not wait for their end.

    The process must have been started in a group of its own. A descendant that has made another one is
    out of reach here; that is what a sandbox is for.
    """
    _signal_group(process, signal.SIGKILL)


def _kill_group(group: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)


def abort(process: subprocess.Popen[bytes]) -> None:
    """Send SIGABRT to the process and its whole group."""
    _signal_group(process, signal.SIGABRT)


def pause(process: subprocess.Popen[bytes]) -> None:
    """Pause the process and its whole group; they can still be killed."""
    _signal_group(process, signal.SIGSTOP)


def resume(process: subprocess.Popen[bytes]) -> None:
    """Let the process and its group go on."""
    _signal_group(process, signal.SIGCONT)


def _signal_group(process: subprocess.Popen[bytes], number: int) -> None:
    if process.returncode is None:  # once it is collected, its number may belong to another process
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, number)


def collect(process: subprocess.Popen[bytes], patience: float | None = None) -> float:
    """Return when the killed process has been collected, and no member of its group runs any more.

    Returns the seconds that were waited; infinity where some still run after `patience` (by default `PATIENCE`). They
    are killed again and again until the end of the wait.
    """
    waited, start, pause = 0.0, time.monotonic(), MOMENT
    while members := _left(process):
        if waited >= (PATIENCE if patience is None else patience):
            return math.inf
        pause = min(2 * pause, LONGEST_PAUSE)
        if not _wait(members[0], pause if patience is None else min(pause, patience)):
            time.sleep(MOMENT)
        # If the pause took much longer than planned, we ourselves stood still: that is not counted.
        start, before = time.monotonic(), start
        waited += min(start - before, pause + LONGEST_PAUSE)
    return waited


def _left(process: subprocess.Popen[bytes]) -> list[int]:
    """The processes of a killed process's group that still run; they are killed once more. Collects the process."""
    if exit_status(process) is None:
        kill(process)
        return [process.pid]
    process.wait()
    members = _group_members(process.pid)
    if members:
        _kill_group(process.pid)
    return members


def _group_members(group: int) -> list[int]:
    """The running processes of a group; ended ones that were not collected yet do not count."""
    if not _group_exists(group):
        return []
    if not IS_LINUX:
        # This system does not show which they are, nor whether they still run: all we can do is wait a moment.
        for _ in range(MOMENTS):
            time.sleep(MOMENT)
            if not _group_exists(group):
                break
        return []
    return [pid for pid in map(int, filter(str.isdigit, os.listdir("/proc"))) if _runs_in(pid, group)]


def _runs_in(pid: int, group: int) -> bool:
    """Whether a process belongs to the group and runs.

    Most processes of the system belong to others, and asking only for the group costs a fiftieth of reading `stat`.
    """
    with suppress(OSError):
        if os.getpgid(pid) == group:
            state, _, its_group = status(pid)[:3]
            return int(its_group) == group and state not in (b"Z", b"X")
    return False


def _group_exists(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except (ProcessLookupError, PermissionError):
        return False
    return True


def _wait(pid: int, seconds: float) -> bool:
    """Wait until the process has ended, at most `seconds`; returns whether this system can do that."""
    if not IS_LINUX:
        return False
    try:
        descriptor = os.pidfd_open(pid)
    except OSError:
        return False
    try:
        poll = select.poll()
        poll.register(descriptor, select.POLLIN)
        poll.poll(max(0.0, seconds) * 1000)
    finally:
        os.close(descriptor)
    return True


def cores() -> set[int]:
    """The numbers of the processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return set(os.sched_getaffinity(0))
    return set(range(os.cpu_count() or 1))


def stay_on_this_core() -> set[int]:
    """Stay on the current core, with all processes started from now on; returns the cores allowed before.

    None if the system does not let a process choose; nothing has changed then.
    """
    if not IS_LINUX:
        return set()
    try:
        core = int(status("self")[36])
        before = os.sched_getaffinity(0)
        os.sched_setaffinity(0, {core})
    except GONE:
        return set()
    return before


def use_cores(cores: set[int]) -> None:
    """Run on these cores again, which `stay_on_this_core` returned."""
    if cores:
        with suppress(OSError):
            os.sched_setaffinity(0, cores)


# --- what processes have used


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
