"""The sandbox: strangers' programs run in it, so that they can harm neither the machine nor each other.

It changes the command by which a program is started; the code that starts programs knows only the interface in
`dohyo.core.sandbox`. `layers.py` has `Sandbox`, which layers work on this machine and which one is chosen; `run.py`
one run of a program and which limit it reached; `limits.py` how much it may use; `filesystem.py` what it sees of the
disk. A layer is made by `bubblewrap.py` (1 and 2) or by `landlock.py` (3, which starts `landlock_launcher.py`), with
`cgroups.py` for limits, `seccomp.py` for system calls, and `monitor.py` for what the kernel does not limit.
`machine.py` says what a machine lacks for a stronger layer (`dohyo doctor`).
"""

from dohyo.sandbox.layers import MODES, WEAKEST_REQUIRED, Layer, Sandbox, at_layer, choose, strongest, survey
from dohyo.sandbox.limits import FOR_BUILDING, FOR_READING, Limits
from dohyo.sandbox.machine import Lack, Machine, lacks, look

__all__ = [
    "FOR_BUILDING",
    "FOR_READING",
    "MODES",
    "WEAKEST_REQUIRED",
    "Lack",
    "Layer",
    "Limits",
    "Machine",
    "Sandbox",
    "at_layer",
    "choose",
    "lacks",
    "look",
    "strongest",
    "survey",
]
