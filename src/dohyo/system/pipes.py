"""Our pipes, as the system calls them, and the processes that have them open."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterable
from contextlib import suppress


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
