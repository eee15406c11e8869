"""Keeps what Numba compiles from one run of the tests to the next, so that a checkout pays for it once.

In a run's cache, which begins empty, the folder `compiled` is a link to one in pytest's own cache. That is safe
because `dohyo.sim.compiled` names each function's folder by what the function does (decision 5). What that digest
does not see is how we compile: so the sources that do it, and the versions of Python and Numba, name what is kept.

With `--full` everything is compiled anew.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import time
from contextlib import suppress
from importlib import metadata
from pathlib import Path

import pytest

COMPILERS = ("sim", "search")  # packages of Dohyo's that say how functions are compiled
UNUSED = 7 * 86400.0  # seconds after which a folder that no run has used is removed
FOLDER = "compiled"


def keep(config: pytest.Config, source: Path) -> None:
    """In the process that prints: let this run find what earlier ones have compiled by these sources."""
    if config.getoption("full") or not (source / COMPILERS[0]).is_dir() or not hasattr(config, "cache"):
        return
    link = Path(os.environ["DOHYO_CACHE"], FOLDER)
    with suppress(OSError):  # a checkout that cannot be written: this run compiles for itself
        kept = folder(Path(config.cache.mkdir(f"dohyo-{FOLDER}")), digest(source))  # type: ignore[union-attr]
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(kept)


def digest(source: Path) -> str:
    """What compiles: its sources and versions, as 16 hex digits."""
    versions = [metadata.version(name) for name in ("numba", "llvmlite", "numpy") if _is_there(name)]
    seen = hashlib.sha256(repr((sys.version, versions)).encode())
    for path in sorted(path for name in COMPILERS for path in (source / name).rglob("*.py")):
        seen.update(path.read_bytes())
    return seen.hexdigest()[:16]


def folder(place: Path, name: str) -> Path:
    """The folder of this name, used now; others that nobody has used for long are removed."""
    mine = place / name
    mine.mkdir(exist_ok=True)
    os.utime(mine)
    for other in place.iterdir():
        if time.time() - other.stat().st_mtime > UNUSED:
            shutil.rmtree(other, ignore_errors=True)
    return mine


def _is_there(name: str) -> bool:
    with suppress(metadata.PackageNotFoundError):
        return bool(metadata.version(name))
    return False
