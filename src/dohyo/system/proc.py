"""What /proc tells of processes and of their pipes, on Linux. One that ends while it is read raises one of `GONE`."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterable, Iterator
from contextlib import suppress

GONE = (OSError, IndexError, ValueError, KeyError)
MAX_LOOKS = 2000  # processes of a tree, for those that may be looked at late: more may be started meanwhile
MAX_TASKS = 1 << 22  # that the kernel has numbers for


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
