"""Before the first turn: programs come to their first read, so that no clock charges for their start.

Theory of operation
-------------------
Until it is sent something, a program that has started waits for its input: none of its threads runs, is ready to run
or waits for a disk, and no processor time is used. That is looked at twice in a row, at growing distances, of the
program with everything that it started. Whoever does something else first gets so much time for that, and no more.

A program could wait for something else than its input; then its clock starts no earlier than it would have without.
Where the system does not tell (Linux does), nobody waits: the first turn then holds the rest of the start.
"""

from __future__ import annotations

from collections.abc import Iterable
from time import monotonic_ns

from dohyo.runner import usage
from dohyo.runner.lookout import Lookout
from dohyo.runner.program import Program
from dohyo.runner.usage import Census, Tree

LONGEST = 3_000_000_000  # nanoseconds for programs to come to their first read, all side by side
FIRST, FARTHEST = 2_000_000, 20_000_000  # nanoseconds between two looks
IDLE = 20  # a program that waits runs for less than so many parts of the time: virtual machines have their own clocks


def await_reading(programs: Iterable[Program], lookout: Lookout) -> None:
    """Return when all programs wait for input, have ended, or time is up; `lookout` takes in what they write."""
    if usage.missing("fair"):
        return
    census = Census()
    waiting = [(program, Tree(program.process.pid, census)) for program in programs]
    seen: dict[int, tuple[int, int]] = {}  # by process, where nothing ran: when that was, and what it had run
    start, distance = monotonic_ns(), FIRST
    while waiting:
        waiting = [(program, tree) for program, tree in waiting if not _is_waiting(program, tree, seen)]
        left = start + LONGEST - monotonic_ns()
        if not waiting or left <= 0:
            return
        end = monotonic_ns() + min(distance, left)
        while (rest := end - monotonic_ns()) > 0:
            lookout.take_in(rest)
        distance = min(2 * distance, FARTHEST)


def _is_waiting(program: Program, tree: Tree, seen: dict[int, tuple[int, int]]) -> bool:
    """Whether a program waits now, as it did when it was looked at before; or has nothing to wait for any more."""
    if not program.stdout_open or program.flooded:
        return True
    pid = program.process.pid
    before, now = seen.pop(pid, None), monotonic_ns()
    ran = tree.look().ran
    if tree.is_busy():
        return False
    seen[pid] = now, ran
    return before is not None and (ran - before[1]) * IDLE < now - before[0]
