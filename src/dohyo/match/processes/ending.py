"""How a process has ended, and how it is paused and ended: it with all that it started.

Linux has pidfds and /proc, and can show how a process ended without collecting it; other systems do without. What a
process has used is read by `system/proc.py`, and counted by `process_tree.py`.
"""

from __future__ import annotations

import math
import os
import select
import signal
import subprocess
import time
from contextlib import suppress

from dohyo.system import proc

LONGEST_DEATH = 5.0  # seconds from SIGKILL to the end; if it takes longer, that is reported
PATIENCE = 300.0  # seconds; the kernel ends a killed process in this time, however much it has to free
LONGEST_PAUSE = 1.0  # seconds from one SIGKILL to the next
MOMENTS, MOMENT = 200, 0.001  # looks, seconds between them


def exit_descriptor(process: subprocess.Popen[bytes]) -> int | None:
    """A descriptor that becomes readable when the process ends; the caller closes it. None if the system has none."""
    if not proc.IS_LINUX:
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
    if process.returncode is None and proc.IS_LINUX:
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
    if not proc.IS_LINUX:
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
            state, _, its_group = proc.status(pid)[:3]
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
    if not proc.IS_LINUX:
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
