"""What of /proc a boxed program does not see.

Its own process tree is there, and what languages ask of the machine. Covered is what container runtimes cover too:
where the kernel lies in memory, what it holds, whose keys it keeps, and when each device and timer last had something
to do. Of that, and of all else that only root may read, whoever runs the referee as root would give a bot a sight:
the kernel asks who owns a file, not in which namespace he does.

Each name costs a tenth to a quarter of a millisecond at every start, so what only tells the machine's kind, and how
busy it is, stays. The kernel can leave out all but processes at once (`subset=pid`); bubblewrap has no word for it.
"""

from __future__ import annotations

import os
import stat
from functools import cache

PROC = "/proc"
NAMES = frozenset(
    {
        *("acpi", "asound", "scsi", "interrupts", "softirqs", "timer_list", "timer_stats", "sched_debug"),
        *("latency_stats", "kcore", "kallsyms", "modules", "keys", "zoneinfo"),
    }
)


@cache
def covered() -> tuple[str, ...]:
    """Bubblewrap's words that cover what is here of it: a file by /dev/null, a folder by an empty one."""
    words: list[str] = []
    for name in sorted(os.listdir(PROC)):
        path = os.path.join(PROC, name)
        if name.isdigit() or os.path.islink(path) or not _is_open(path):
            continue
        if os.path.isdir(path) and name in NAMES:
            words += ["--size", "4096", "--tmpfs", path, "--remount-ro", path]
        elif os.path.isfile(path) and (name in NAMES or _is_roots(path)):
            words += ["--dev-bind", "/dev/null", path]
    return tuple(words)


def _is_roots(path: str) -> bool:
    """Whether only its owner may read it."""
    return not stat.S_IMODE(os.stat(path).st_mode) & (stat.S_IRGRP | stat.S_IROTH)


def _is_open(path: str) -> bool:
    """Whether we may read it, or write to it; if not, neither may a bot."""
    return os.access(path, os.R_OK) or os.access(path, os.W_OK)
