"""Layer 3: no namespaces; Landlock restricts files, seccomp the network; the monitor measures memory and tasks."""

from __future__ import annotations

import ctypes
import marshal
import os
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from dohyo.core.sandbox import Limits
from dohyo.sandbox.environment import View
from dohyo.system import interpreter

CREATE_RULESET, ASK_VERSION = 444, 1
LAUNCHER = Path(__file__).parent / "landlock_launcher.py"
STUB = "import marshal, sys; exec(marshal.loads(bytes.fromhex(sys.argv[1])))"
DEVICES = tuple(f"/dev/{name}" for name in ("null", "zero", "full", "random", "urandom"))
# Of /proc only what is the program's own, and what language runtimes read about the machine.
OF_PROC = ("/proc/self", *(f"/proc/{name}" for name in ("cpuinfo", "meminfo", "stat", "version", "filesystems")))


@cache
def version() -> int:
    """The version of Landlock that the kernel has; 0 without any."""
    if sys.platform != "linux":
        return 0
    try:
        libc = ctypes.CDLL(None, use_errno=True)
        return max(0, int(libc.syscall(CREATE_RULESET, None, 0, ASK_VERSION)))
    except (OSError, AttributeError):
        return 0


def command(
    view: View,
    limits: Limits,
    words: Sequence[str],
    *,
    entered: str,
    filter_file: str,
    doors: Sequence[str],
    grouped: bool,
) -> tuple[str, ...]:
    """The command line that starts `words` confined."""
    none = {"RLIMIT_CORE": 0, "RLIMIT_RTPRIO": 0, "RLIMIT_NICE": 0}
    own = {**none, "RLIMIT_FSIZE": limits.disk, "RLIMIT_NOFILE": limits.files}
    links = [os.path.realpath(path) for path in view.links]
    plan = {
        "version": version(),
        "readable": [*view.readable, *links, *OF_PROC],
        "writable": [*(mount.source for mount in view.writable), *DEVICES],
        "limits": own if grouped or limits.reserves else {**own, "RLIMIT_DATA": limits.memory},
        "folder": view.folder,
        "doors": list(doors),
        "entered": entered,
        "filter": filter_file,
    }
    return tuple(interpreter.alone(STUB, code(), marshal.dumps(plan).hex(), *words))


@cache
def code() -> str:
    """The launcher, compiled."""
    return marshal.dumps(compile(LAUNCHER.read_bytes(), str(LAUNCHER), "exec", dont_inherit=True)).hex()
