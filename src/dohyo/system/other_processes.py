"""What the system says of another process: how it was started, and with which variables."""

from __future__ import annotations

import os
from contextlib import suppress

MAX_READ = 1 << 16  # bytes that are read
SHOWN = 120  # characters of a command line
MOST_VARIABLES = 1 << 23  # bytes: more than the system lets anybody start a program with, usually


def command_of(process: int) -> str:
    """Its command line, shortened; empty where the system does not say."""
    words = _read(process, "cmdline").decode(errors="replace").split("\0")
    line = " ".join(filter(None, words))
    return line if len(line) <= SHOWN else line[: SHOWN - 3] + "..."


def variables_of(process: int) -> dict[str, str]:
    """The variables that it was started with; empty where the system does not say, or where they are too many."""
    read = _read(process, "environ", MOST_VARIABLES)
    if len(read) == MOST_VARIABLES:
        return {}
    entries = (os.fsdecode(entry).partition("=") for entry in read.split(b"\0"))
    return {name: value for name, equals, value in entries if equals}


def _read(process: int, name: str, most: int = MAX_READ) -> bytes:
    with suppress(OSError), open(f"/proc/{process}/{name}", "rb") as file:
        return file.read(most)
    return b""
