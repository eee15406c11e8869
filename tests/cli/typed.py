"""A command as it is typed in a shell, in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from dohyo.i18n import ENGLISH

SOURCE = Path(__file__).resolve().parents[2] / "src"
TERMINAL = ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR")
BUSY = ENGLISH.say("busy.load", load="", cores=2).partition(":")[0]  # may be said at the end of a contest
PATIENCE = 120  # seconds: no test waits so long, unless something hangs


class Typed(NamedTuple):
    """What came of a command: its exit status, what it printed, what it complained of."""

    status: int
    out: str
    err: str


def environment(**more: str) -> dict[str, str]:
    """This process's environment with the package to be found, and nothing that sets a terminal's size."""
    kept = {name: value for name, value in os.environ.items() if name not in TERMINAL}
    return {**kept, "PYTHONPATH": str(SOURCE), **more}


def start(*words: str, **settings: object) -> subprocess.Popen[str]:
    """Start a command; its output is captured unless `settings` of Popen say otherwise."""
    usual = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "env": environment()}
    return subprocess.Popen([sys.executable, "-m", "dohyo", *words], **{**usual, **settings})  # type: ignore[call-overload,no-any-return]


def type_alone(*words: str, **settings: object) -> Typed:
    """Type a command and wait until it is done."""
    process = start(*words, **settings)
    out, err = process.communicate(timeout=PATIENCE)
    return Typed(process.returncode, out, calm(err))


def calm(err: str) -> str:
    """What a command complained of, without a word about how busy this machine was."""
    return "".join(line for line in err.splitlines(keepends=True) if not line.startswith(BUSY))
