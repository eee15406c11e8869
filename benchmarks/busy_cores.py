"""Processes that only compute, beside what a benchmark measures: for benchmarks of a busy machine."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

BUSY = "while True: pass"


@contextmanager
def busy(count: int) -> Iterator[None]:
    """Inside, so many processes keep the processor busy, each in a session of its own: signals to ours end none."""
    command = [sys.executable, "-I", "-S", "-c", BUSY]
    loops = [subprocess.Popen(command, start_new_session=True) for _ in range(count)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()
