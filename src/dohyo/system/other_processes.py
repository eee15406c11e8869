"""What the system says of another process: how it was started, and where it would keep its cache."""

from __future__ import annotations

import os
from contextlib import suppress

MOST = 1 << 16  # bytes that are read
SHOWN = 120  # characters of a command line
PLACES = ("DOHYO_CACHE", "XDG_CACHE_HOME", "HOME")  # what the place of a cache follows from


def command_of(process: int) -> str:
    """Its command line, shortened; empty where the system does not say."""
    words = _read(process, "cmdline").decode(errors="replace").split("\0")
    line = " ".join(filter(None, words))
    return line if len(line) <= SHOWN else line[: SHOWN - 3] + "..."


def keeps_elsewhere(process: int) -> bool:
    """Whether its variables name another place for the cache than ours; no where the system does not say."""
    entries = [entry.partition("=") for entry in _read(process, "environ").decode(errors="replace").split("\0")]
    theirs = {name: value for name, _, value in entries if name in PLACES}
    if "HOME" not in theirs and not theirs.get("DOHYO_CACHE"):
        return False  # emptied for what it does: nothing follows from that
    named = theirs.get("DOHYO_CACHE") or os.environ.get("DOHYO_CACHE")
    deciding = PLACES[:1] if named else PLACES[1:]  # a cache that is named outright follows from nothing else
    return any(theirs.get(name, "") != os.environ.get(name, "") for name in deciding)


def _read(process: int, name: str) -> bytes:
    with suppress(OSError), open(f"/proc/{process}/{name}", "rb") as file:
        return file.read(MOST)
    return b""
