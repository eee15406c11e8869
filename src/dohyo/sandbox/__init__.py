"""The sandbox: strangers' programs run in it, so that they can harm neither the machine nor each other.

It rewrites how a program is started; who starts programs need not know it (`dohyo.core.sandbox`, which also has how
much a program may use). `layers.py` has `Sandbox`, what this machine can make and which layer is taken; `run.py` one
run of a program and what it ran out of; `environment.py` what it sees. A layer is made by `bubblewrap.py` (1 and 2)
or by `landlock.py` (3, which starts `landlock_launcher.py`), with `cgroups.py` for limits, `seccomp.py` for system
calls, and `monitor.py`, by `process_counts.py`, for what the kernel does not limit. `machine.py` says what a machine
lacks (`dohyo doctor`).
"""

from dohyo.core.sandbox import DEBUG_MEMORY, FOR_BUILDING, FOR_READING, Limits
from dohyo.sandbox.layers import MODES, WEAKEST_REQUIRED, Sandbox, as_asked, as_chosen, at_layer, choose, strongest

__all__ = [
    "DEBUG_MEMORY",
    "FOR_BUILDING",
    "FOR_READING",
    "MODES",
    "WEAKEST_REQUIRED",
    "Limits",
    "Sandbox",
    "as_asked",
    "as_chosen",
    "at_layer",
    "choose",
    "strongest",
]
