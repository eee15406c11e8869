"""A terminal as a program sees it: a pseudo-terminal whose screen we read, and whose keys we press."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import Any

from tests.cli.typed import PATIENCE, environment

ESCAPES = re.compile(r"\x1b(\[[0-9;?]*[A-Za-z]|[=>]|\][^\x07]*\x07)")
LOOK = 0.05  # seconds between two looks at whether a command has ended
LEAVES_SCREEN = "\x1b[?1049l"
SHOWS_CURSOR = "\x1b[?25h"


class Screen:
    """A command that runs in a terminal of 80 columns and 24 rows."""

    def __init__(self, folder: Path, *words: str, terminal: str = "xterm-256color", **more: str) -> None:
        self._ours, self._theirs = pty.openpty()
        fcntl.ioctl(self._theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.before = termios.tcgetattr(self._theirs)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "dohyo", *words],
            cwd=folder,
            env=environment(TERM=terminal, **more),
            stdin=self._theirs,
            stdout=self._theirs,
            stderr=self._theirs,
            start_new_session=True,
        )
        self.raw = ""
        self._read_to = 0

    def __enter__(self) -> Screen:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self._theirs)
        os.close(self._ours)

    def press(self, keys: str) -> None:
        """Press keys."""
        os.write(self._ours, keys.encode())

    def wait_for(self, pattern: str) -> str:
        """Wait until what is new on the screen holds `pattern`; all that is new, up to there."""
        end = monotonic() + PATIENCE
        while True:
            new = ESCAPES.sub("", self.raw[self._read_to :])
            if found := re.search(pattern, new):
                # What was pressed next is answered after this; an answer is never found twice.
                self._read_to = len(self.raw)
                return new[: found.end()]
            left = end - monotonic()
            assert left > 0, f"no {pattern!r} on the screen; new is ... {new[-2000:]!r}"
            self._take_in(left)

    def wait_for_end(self) -> int:
        """Wait until the command has ended, and read what it writes till then; its exit status."""
        end = monotonic() + PATIENCE
        while self.process.poll() is None:
            assert monotonic() < end, f"it goes on and on; new is ... {self.raw[-2000:]!r}"
            self._take_in(LOOK)
        while self._take_in(0):
            pass
        return self.process.wait()

    def settings(self) -> list[Any]:
        """How the terminal is set now."""
        return termios.tcgetattr(self._theirs)

    def _take_in(self, seconds: float) -> bool:
        if not select.select([self._ours], [], [], seconds)[0]:
            return False
        self.raw += os.read(self._ours, 65536).decode("utf-8", "replace")
        return True
