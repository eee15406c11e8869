"""The lookout: one wait for whatever comes from any of several programs.

It watches the output and the standard error of every program that it is given, the input of those that have not read
all of theirs, and the end of those whose output has ended; what comes is taken in, so that nobody blocks on a full
pipe. Whose time runs meanwhile is not its business.
"""

from __future__ import annotations

import os
import select

from dohyo.interrupts import Shield
from dohyo.runner import system
from dohyo.runner.heartbeat import BEAT, Heartbeat
from dohyo.runner.program import Program

BLIND_TICK = 5  # milliseconds between looks, where the system has no descriptor for a process's end
# Milliseconds. A signal that arrives just before a wait begins is noticed only when the wait ends, and so is it that
# the referee stood still.
LONGEST_WAIT = BEAT / 1_000_000


class Lookout:
    """What is watched, and the waiting."""

    def __init__(self, shield: Shield, heartbeat: Heartbeat | None = None) -> None:
        """`shield` is opened to signals while this waits; `heartbeat` notices when it waits for too long."""
        self._shield = shield
        self.heartbeat = heartbeat or Heartbeat()
        self._poll = select.poll()
        self._watched: dict[int, tuple[Program, str]] = {}
        self._exits: set[int] = set()  # programs whose end is watched
        self._blind: set[int] = set()  # programs whose end can come without any descriptor telling

    def add(self, program: Program) -> None:
        """Watch a program's output and standard error."""
        # In this order: what a program wrote to standard error before its answer is then seen with it.
        self.follow_output(program)
        self._watch(program, program.stderr, "errors", select.POLLIN)

    def follow_output(self, program: Program) -> None:
        """Watch a program's output, again if need be."""
        self._watch(program, program.stdout, "output", select.POLLIN)

    def follow_input(self, program: Program) -> None:
        """Be woken when a program reads, as long as it has not read all of its input."""
        if program.has_unsent:
            self._watch(program, program.stdin, "input", select.POLLOUT)
        else:
            self._unwatch(program.stdin)

    def follow_exit(self, program: Program) -> None:
        """Be woken when a program ends, too; one whose output has ended is followed anyway."""
        if id(program) in self._exits:
            return
        self._exits.add(id(program))
        descriptor = system.exit_descriptor(program.process)
        if descriptor is None:
            self._blind.add(id(program))
        else:
            self._watch(program, descriptor, "exit", select.POLLIN)

    def remove(self, program: Program) -> None:
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
        self._shield.open()
        try:
            ready = self._poll.poll(wait)
        finally:
            self._shield.shut()
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

    def _watch(self, program: Program, descriptor: int, what: str, events: int) -> None:
        self._poll.register(descriptor, events)
        self._watched[descriptor] = (program, what)

    def _unwatch(self, descriptor: int) -> None:
        if self._watched.pop(descriptor, None) is not None:
            self._poll.unregister(descriptor)
