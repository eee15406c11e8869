"""What we ask of the system's scheduler: on which processors this process runs, and to be awake soon.

Since 6.12, Linux lets any thread choose how long it runs at a time. Who asks for less gets a processor sooner after
it wakes up; in all it gets no more. So on a busy machine a thread that only waits for others sees soon what they did.
"""

from __future__ import annotations

import ctypes
import os
import struct
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache

from dohyo.system.proc import GONE, status

NUMBERS = {"x86_64": 314, "aarch64": 274}  # of sched_setattr
SHORTEST = 100_000  # nanoseconds: the kernel takes no less
RESET_ON_FORK = 1  # what this thread starts does not have it
SIZE = 48  # bytes of the first version of what is passed


def cores() -> set[int]:
    """The numbers of the processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return set(os.sched_getaffinity(0))
    return set(range(os.cpu_count() or 1))


def stay_on_this_core() -> set[int]:
    """Stay on the current core, with all processes started from now on; returns the cores allowed before.

    None if the system does not let a process choose; nothing has changed then.
    """
    if sys.platform != "linux":
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


def take_short_turns() -> bool:
    """Ask for the shortest turns for this thread, not for what it starts; whether the system could be asked."""
    call = _call()
    if call is None:
        return False
    nice = os.getpriority(os.PRIO_PROCESS, 0)
    if nice < 0:  # what this thread starts would lose that, too
        return False
    words = struct.pack("=IIQiIQQQ", SIZE, os.SCHED_OTHER, RESET_ON_FORK, nice, 0, SHORTEST, 0, 0)
    return call(words) == 0


@cache
def _call() -> Callable[[bytes], int] | None:
    """The system call for the calling thread; none where there is none, or the thread has a policy of its own."""
    number = NUMBERS.get(os.uname().machine)
    is_wide = struct.calcsize("P") == 8  # the numbers are of 64-bit programs
    if sys.platform != "linux" or number is None or not is_wide or os.sched_getscheduler(0) != os.SCHED_OTHER:
        return None
    function = ctypes.CDLL(None, use_errno=True).syscall
    return lambda words: int(function(number, 0, words, 0))
