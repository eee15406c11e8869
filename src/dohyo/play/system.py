"""What differs between operating systems: waiting for a process, and ending it with all its descendants.

Linux has pidfds and /proc; macOS has kqueue. Everything that only Linux can do stands in this module.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from contextlib import suppress

IS_LINUX = sys.platform == "linux"


def exit_descriptor(process: subprocess.Popen[bytes]) -> int | None:
    """A descriptor that becomes readable when the process ends, for the caller to close; none if there is no such."""
    if not IS_LINUX:
        return None
    try:
        return os.pidfd_open(process.pid)
    except OSError:
        return None


def kill_group(process: subprocess.Popen[bytes]) -> None:
    """Kill the process and its whole group, and return when no member of the group runs any more.

    The process must have been started in a session of its own. A descendant that has made yet another session is
    out of reach here; that is what a sandbox is for.
    """
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    deadline = time.monotonic() + 5
    while members := _group_members(process.pid):
        for member in members:
            _wait_for_stranger(member, deadline - time.monotonic())
        if time.monotonic() > deadline:
            raise RuntimeError(f"process group {process.pid} does not end: {members}")
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)


def _group_members(group: int) -> list[int]:
    """The running processes of a group; those that have ended and only wait to be collected do not count."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return []
    except PermissionError:
        return []
    if not IS_LINUX:
        return []
    members = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            with suppress(OSError), open(f"/proc/{entry}/stat", "rb") as stat:
                # The command's name stands in brackets and may hold anything, spaces and brackets too.
                state, _, its_group = stat.read().rpartition(b")")[2].split()[:3]
                if int(its_group) == group and state not in (b"Z", b"X"):
                    members.append(int(entry))
    return members


def _wait_for_stranger(pid: int, seconds: float) -> None:
    """Wait until a process that is not our child has ended, at most `seconds`."""
    with suppress(OSError):
        descriptor = os.pidfd_open(pid)
        try:
            poll = select.poll()
            poll.register(descriptor, select.POLLIN)
            poll.poll(max(0.0, seconds) * 1000)
        finally:
            os.close(descriptor)
