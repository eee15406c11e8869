"""One wait for whatever comes from any of several programs; and the wait for their first read.

Theory of operation
-------------------
A `Poller` watches the output and the standard error of every program that it is given, the input of those that have
not read all of theirs, and the end of those whose output has ended. What comes is taken in, so that nobody blocks on
a full pipe. Whose time runs meanwhile is not its business.

Before the first turn, programs come to their first read (`await_reading`), so that no clock charges for their start.
Until it is sent something, a program that has started waits for its input: none of its threads runs, is ready to run
or waits for a disk, and no processor time is used. That is looked at twice in a row, at growing distances, of the
program with everything that it started. Whoever does something else first gets so much time for that, and no more. A
program could wait for something else than its input; then its clock starts no earlier than it would have without.
Where the system does not tell (Linux does), nobody waits: the first turn then holds the rest of the start.
"""

from __future__ import annotations

import os
import select
from collections.abc import Iterable
from time import monotonic_ns
from typing import TYPE_CHECKING

from dohyo.interrupts import DeferSignals
from dohyo.runner import system, usage
from dohyo.runner.bot_process import BotProcess
from dohyo.runner.heartbeat import BEAT, Heartbeat

if TYPE_CHECKING:
    from dohyo.runner.process_tree import Tree

BLIND_TICK = 5  # milliseconds between looks, where the system has no descriptor for a process's end
# Milliseconds. A signal that arrives just before a wait begins is noticed only when the wait ends, and so is it that
# the referee stood still.
LONGEST_WAIT = BEAT / 1_000_000
# Before the first turn.
LONGEST_START = 3_000_000_000  # nanoseconds for programs to come to their first read, all side by side
FIRST, FARTHEST = 2_000_000, 20_000_000  # nanoseconds between two looks
IDLE = 20  # a program that waits runs for less than so many parts of the time: virtual machines have their own clocks


class Poller:
    """What is watched, and the waiting."""

    def __init__(self, signals: DeferSignals, heartbeat: Heartbeat | None = None) -> None:
        """`signals` take effect while this waits; `heartbeat` notices when it waits for too long."""
        self._signals = signals
        self.heartbeat = heartbeat or Heartbeat()
        self._poll = select.poll()
        self._watched: dict[int, tuple[BotProcess, str]] = {}
        self._exits: set[int] = set()  # programs whose end is watched
        self._blind: set[int] = set()  # programs whose end can come without any descriptor telling

    def add(self, program: BotProcess) -> None:
        """Watch a program's output and standard error."""
        # In this order: what a program wrote to standard error before its answer is then seen with it.
        self.follow_output(program)
        self._watch(program, program.stderr, "errors", select.POLLIN)

    def follow_output(self, program: BotProcess) -> None:
        """Watch a program's output, again if need be."""
        self._watch(program, program.stdout, "output", select.POLLIN)

    def follow_input(self, program: BotProcess) -> None:
        """Be woken when a program reads, as long as it has not read all of its input."""
        if program.has_unsent:
            self._watch(program, program.stdin, "input", select.POLLOUT)
        else:
            self._unwatch(program.stdin)

    def follow_exit(self, program: BotProcess) -> None:
        """Be woken when a program ends, too; one whose output has ended is followed anyway."""
        if id(program) in self._exits:
            return
        self._exits.add(id(program))
        descriptor = system.exit_descriptor(program.process)
        if descriptor is None:
            self._blind.add(id(program))
        else:
            self._watch(program, descriptor, "exit", select.POLLIN)

    def remove(self, program: BotProcess) -> None:
        """Watch a program no longer."""
        self._exits.discard(id(program))
        self._blind.discard(id(program))
        for descriptor, (owner, what) in list(self._watched.items()):
            if owner is program:
                self._unwatch(descriptor)
                if what == "exit":
                    os.close(descriptor)

    def take_in(self, nanoseconds: int) -> None:
        """Wait at most so long for anything from anybody, and take it in."""
        wait = min(max(0, nanoseconds) / 1_000_000, BLIND_TICK if self._blind else LONGEST_WAIT)
        self._signals.open()
        try:
            ready = self._poll.poll(wait)
        finally:
            self._signals.shut()
        self.heartbeat.check(int(wait * 1_000_000))
        for descriptor, _ in ready:
            program, what = self._watched[descriptor]
            if what == "output":
                program.read_output()
                if not program.stdout_open or program.flooded:
                    self._unwatch(descriptor)
                if not program.stdout_open:
                    self.follow_exit(program)
            elif what == "errors":
                program.read_errors()
                if not program.stderr_open:
                    self._unwatch(descriptor)
            elif what == "input":
                program.send()
                if not program.has_unsent:
                    self._unwatch(descriptor)
            else:
                self._unwatch(descriptor)
                os.close(descriptor)

    def _watch(self, program: BotProcess, descriptor: int, what: str, events: int) -> None:
        self._poll.register(descriptor, events)
        self._watched[descriptor] = (program, what)

    def _unwatch(self, descriptor: int) -> None:
        if self._watched.pop(descriptor, None) is not None:
            self._poll.unregister(descriptor)


def await_reading(programs: Iterable[BotProcess], poller: Poller) -> None:
    """Return when all programs wait for input, have ended, or time is up; `poller` takes in what they write."""
    if usage.missing("fair"):
        return
    from dohyo.runner.process_tree import Census, Tree

    census = Census()
    waiting = [(program, Tree(program.process.pid, census)) for program in programs]
    seen: dict[int, tuple[int, int]] = {}  # by process, where nothing ran: when that was, and what it had run
    start, distance = monotonic_ns(), FIRST
    while waiting:
        waiting = [(program, tree) for program, tree in waiting if not _is_waiting(program, tree, seen)]
        left = start + LONGEST_START - monotonic_ns()
        if not waiting or left <= 0:
            return
        end = monotonic_ns() + min(distance, left)
        while (rest := end - monotonic_ns()) > 0:
            poller.take_in(rest)
        distance = min(2 * distance, FARTHEST)


def _is_waiting(program: BotProcess, tree: Tree, seen: dict[int, tuple[int, int]]) -> bool:
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
