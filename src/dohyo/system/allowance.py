"""How long a program of ours or a compiler may take: processor time of all that it starts, and a wall limit behind.

On a busy machine a wall clock counts what others do, so a program that is short enough alone would be ended. Its
processor time does not depend on that. A program that sleeps uses none: for it there is the wall limit, `WALL` times
as long. Where one looks at it often (`Allowance.note`), it may sleep no longer than it may compute: if none of its
threads runs, is ready to run or waits for a disk, it waits for nothing that a busy machine could give it. Where the
system does not tell what a program has used (only Linux does), the wall clock counts alone.

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

from dohyo.system import proc

WALL = 10.0  # times the processor time
TICK = 0.2  # seconds between two looks
LONGEST_GAP = 1.0  # seconds between two looks that one look can stand for: if it is longer, we were kept from looking
AT_WORK = (b"R", b"D")  # states of a thread


class Allowance:
    """Processor seconds for one or several programs, one after the other, with a wall limit behind them.

    `clock` is the wall clock.
    """

    def __init__(self, seconds: float, *, wall: float = WALL, clock: Callable[[], float] = time.monotonic) -> None:
        self.seconds, self.wall_seconds = seconds, seconds * wall
        self.used = 0.0  # by the programs that have ended
        self.slept = 0.0  # seconds between looks of which the later one saw nothing at work
        self._clock, self._begin = clock, clock()
        self._looked = self._begin

    def is_over(self, running: float | None) -> bool:
        """Whether the time is over, when the program that runs has used so many processor seconds.

        With none, that is not known.
        """
        if running is None:
            return self.passed() >= self.seconds
        return self.used + running >= self.seconds or self.is_over_by_wall

    def note(self, at_work: bool) -> None:
        """Note at a look whether anything of the program is at work now (`is_at_work`)."""
        before, self._looked = self._looked, self._clock()
        if not at_work:
            self.slept += min(self._looked - before, LONGEST_GAP)

    @property
    def is_over_by_wall(self) -> bool:
        """Whether the wall limit behind is over, or it has slept for as long as it may compute."""
        return self.passed() >= self.wall_seconds or self.slept >= self.seconds

    def passed(self) -> float:
        """Seconds since the beginning, by the wall clock."""
        return self._clock() - self._begin


def used_by(pid: int) -> float | None:
    """Processor seconds of a process, its living descendants, and all that these have waited for.

    A process that has ended counts until it is collected. None where the system does not tell.
    """
    if sys.platform != "linux":
        return None
    ticks = 0
    for member in proc.tree(pid, proc.MAX_LOOKS):
        with suppress(*proc.GONE):
            ticks += sum(int(word) for word in proc.status(member)[11:15])
    return ticks / os.sysconf("SC_CLK_TCK")


def is_at_work(pid: int) -> bool:
    """Whether a thread of a process or of its living descendants runs, is ready to run, or waits for a disk.

    True where the system does not tell, and of more processes than are looked at.
    """
    if sys.platform != "linux":
        return True
    members = proc.tree(pid, proc.MAX_LOOKS)
    if len(members) >= proc.MAX_LOOKS:
        return True
    return any(words[0] in AT_WORK for _, _, words in proc.threads(members))


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
