"""Which processor this is: machine code for one may not run on another of the same name."""

from __future__ import annotations

import os
import sys

CPU_INFO = "/proc/cpuinfo"


def abilities() -> str:
    """What code for this processor depends on, as far as the system shows it."""
    known = ""
    try:
        with open(CPU_INFO, "rb", buffering=0) as file:
            lines = file.read(8192).decode("utf-8", "replace").splitlines()
        known = next((line for line in lines if line.lower().startswith(("flags", "features"))), "")
    except OSError:
        pass
    return " ".join((sys.platform, os.uname().machine, *sorted(known.partition(":")[2].split())))
