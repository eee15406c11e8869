"""The machine code that ships with Dohyo: where it lies, and of which sources a file was made.

A build of the wheel makes it (`dohyo.native_code`); a clone has none until somebody does. A file's name
says the system, what it is, and a digest of the sources: a file of other sources than those that are here is never
loaded.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path

SHIPPED = Path(__file__).parent.parent / "shipped"
CPU_INFO = "/proc/cpuinfo"
VARIABLE = "DOHYO_NATIVE"  # `no`: a build makes none, and a process uses none
NO = ("no", "0")


def is_there() -> bool:
    """Whether any ships, and is to be used."""
    return os.environ.get(VARIABLE) not in NO and SHIPPED.is_dir()


def file_of(what: str, sources: Sequence[Path]) -> Path:
    """Where the machine code of this name is, or would be: made of these Python files, or all in these folders."""
    return SHIPPED / f"{sys.platform}-{os.uname().machine}-{what}-{digest_of(sources)}.so"


def digest_of(sources: Sequence[Path]) -> str:
    """SHA-256 over these Python files, and over those in these folders, 16 hex digits."""
    seen = hashlib.sha256()
    for place in sources:
        for source in sorted(place.glob("*.py")) if place.is_dir() else (place,):
            seen.update(source.name.encode() + b"\0" + source.read_bytes())
    return seen.hexdigest()[:16]


def abilities() -> str:
    """What code for this processor depends on, as far as the system shows it; others of its name may not run it."""
    known = ""
    try:
        with open(CPU_INFO, "rb", buffering=0) as file:
            lines = file.read(8192).decode("utf-8", "replace").splitlines()
        known = next((line for line in lines if line.lower().startswith(("flags", "features"))), "")
    except OSError:
        pass
    return " ".join((sys.platform, os.uname().machine, *sorted(known.partition(":")[2].split())))
