"""How long a program of ours or a compiler may take: processor time of all that it starts, and a wall limit behind.

On a busy machine a wall clock counts what others do, so a program that is short enough alone would be ended. Its
processor time does not depend on that. A program that sleeps uses none: for it there is the wall limit, `WALL` times
as long. Where the system does not tell what a program has used (only Linux does), the wall clock counts alone.

What is counted without a control group: the program, its living descendants, and those that these have waited for. A
process that outlives its parent is not seen where no process of the sandbox collects it; the wall limit holds for it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

WALL = 10.0  # times the processor time
TICK = 0.2  # seconds between two looks
MAX_LOOKS = 2000  # processes
GONE = (OSError, IndexError, ValueError)


class Allowance:
    """Processor seconds for one or several programs, one after the other, with a wall limit behind them.

    `clock` is the wall clock.
    """

    def __init__(self, seconds: float, *, wall: float = WALL, clock: Callable[[], float] = time.monotonic) -> None:
        self.seconds, self.wall_seconds = seconds, seconds * wall
        self.used = 0.0  # by the programs that have ended
        self._clock, self._begin = clock, clock()

    def is_over(self, running: float | None) -> bool:
        """Whether the time is over, when the program that runs has used so many processor seconds.

        With none, that is not known.
        """
        if running is None:
            return self._passed() >= self.seconds
        return self.used + running >= self.seconds or self.is_over_by_wall

    @property
    def is_over_by_wall(self) -> bool:
        """Whether the wall limit behind is over."""
        return self._passed() >= self.wall_seconds

    def _passed(self) -> float:
        return self._clock() - self._begin


def used_by(pid: int) -> float | None:
    """Processor seconds of a process, its living descendants, and all that these have waited for.

    A process that has ended counts until it is collected. None where the system does not tell.
    """
    if sys.platform != "linux":
        return None
    ticks, looks, waiting = 0, 0, [pid]
    while waiting and looks < MAX_LOOKS:  # more may be started meanwhile
        looks += 1
        member = waiting.pop()
        with suppress(*GONE):
            with open(f"/proc/{member}/stat", "rb", 0) as file:
                # The command's name stands in brackets before them, and may hold anything.
                ticks += sum(int(word) for word in file.read(2000).rpartition(b")")[2].split()[11:15])
            for thread in os.listdir(f"/proc/{member}/task"):
                with open(f"/proc/{member}/task/{thread}/children", "rb", 0) as file:
                    waiting += [int(word) for word in file.read().split()]
    return ticks / os.sysconf("SC_CLK_TCK")


def communicate(process: subprocess.Popen[bytes], seconds: float) -> tuple[bytes, bytes]:
    """What a process writes to those of its two outputs that are pipes, until it ends, within an allowance.

    Raises `subprocess.TimeoutExpired`; then it still runs.
    """
    allowance = Allowance(seconds)
    while True:
        try:
            said, complained = process.communicate(timeout=TICK)
        except subprocess.TimeoutExpired:
            if allowance.is_over(used_by(process.pid)):
                raise
        else:
            return said or b"", complained or b""


def run(
    command: Sequence[str], seconds: float, *, env: Mapping[str, str], **options: Any
) -> subprocess.CompletedProcess[bytes]:
    """Run a command in this environment to its end, within an allowance; `options` are those of a `subprocess.Popen`.

    Raises `OSError`, and `subprocess.TimeoutExpired`; then it has been killed.
    """
    with subprocess.Popen(command, env=env, **options) as process:
        try:
            said, complained = communicate(process, seconds)
        except BaseException:
            process.kill()
            raise
    return subprocess.CompletedProcess(command, process.returncode, said, complained)
