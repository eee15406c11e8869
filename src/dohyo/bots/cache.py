"""Where the cache is: copies of hand-ins (`hand_in.py`), finished builds (`builds.py`), versions of tools."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from dohyo.core.errors import MachineError


def location(cache: Path | None = None) -> Path:
    """The cache folder: `cache`, or $DOHYO_CACHE, or the system's usual place for caches.

    Raises `OperatorError` when there is no home folder for it.
    """
    named = os.environ.get("DOHYO_CACHE", "")
    if cache is not None or named:
        return Path(os.path.abspath(os.path.expanduser(cache or named)))
    home = os.path.expanduser("~")
    if sys.platform == "darwin" and os.path.isabs(home):
        return Path(home, "Library", "Caches", "dohyo")
    base = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(base):
        base = os.path.join(home, ".cache")
    if not os.path.isabs(base):
        raise MachineError("bot-cache-nowhere")
    return Path(base, "dohyo")
