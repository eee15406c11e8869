"""One program, one line after the other: for dialogues in which nobody else takes part.

Theory of operation
-------------------
Nothing is read from the program while a line of its is left over: what it writes too early waits in the pipe, and a
program that writes without end is held up by that. So what is told of a program depends on what it wrote, never on
how its output was cut into pieces on its way.

A last line without a newline is a line too, once the program has closed its output.

What it writes to standard error is passed on by a thread of its own, so that waiting for a line stays one call and a
program that floods it is not held up.

One of the two always waits for the other. On one core, passing a line to and fro takes a fifth of the time that it
takes on two, where each line wakes a sleeping core; so both stay on one.
"""

from __future__ import annotations

import os
import select
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from time import monotonic_ns

from dohyo.core.faults import Fault, FaultKind
from dohyo.core.sandbox import SandboxFactory
from dohyo.interrupts import Shield
from dohyo.runner import system
from dohyo.runner.program import LONGEST_LINE, Program
from dohyo.runner.relay import PassedOn, Relay, to_ours
from dohyo.runner.tick import Tick

NANO = 1_000_000_000
BLIND_TICK = 5  # milliseconds between looks, where the system has no descriptor for a process's end
TOO_LONG = Fault(FaultKind.OUTPUT, "a line that is too long")
LONGEST_WAIT = 1000  # milliseconds; a signal that arrives just before a wait begins is noticed only when it ends


class Talk:
    """A dialogue with one program. Made with the program running; `stop` ends it."""

    def __init__(
        self,
        command: Sequence[str],
        folder: str,
        environment: Mapping[str, str] | None,
        shield: Shield,
        sandbox_factory: SandboxFactory | None = None,
        errors: Callable[[bytes], None] = to_ours,
    ) -> None:
        """Start the program; `shield` is opened to signals while it is waited for. Raises `OSError`.

        Whatever is raised, nothing runs then, and we may use the cores that we could.

        `house` makes what it runs in. `errors` is called with what it writes to standard error, as it comes, from
        another thread.
        """
        self._shield = shield
        self._exit: int | None = None  # a descriptor that tells when the process ends, once it is wanted
        self._poll = select.poll()
        self._sending = False  # whether the poll also tells when the program reads
        self._blocking = False  # whether reading its output waits for it
        self._closing = False  # whether its input is to be closed when all of it has been sent
        with ExitStack() as ends:
            ends.callback(self._close_exit)
            ends.callback(system.use_cores, system.stay_on_this_core())
            self._program = Program(
                command, folder, environment, errors=PassedOn(errors), sandbox_factory=sandbox_factory
            )
            ends.callback(self._program.stop)
            self._relay = Relay(self._program)
            ends.callback(self._relay.stop)
            ends.callback(self._program.kill)  # before its relay is awaited, so that a flood of errors has an end
            self._poll.register(self._program.stdout, select.POLLIN)
            self._stdin = self._program.stdin  # the program forgets it when it closes its input
            self._tick = Tick()
            ends.callback(self._tick.stop)
            self._tick.start()
            self._ends = ends.pop_all()

    def send(self, line: bytes) -> None:
        """Send a line, without its newline; what the program does not read now, it is sent while it is waited for."""
        program = self._program
        program.send(line + b"\n")
        if program.has_unsent or self._sending:
            self._follow_input()

    def close_input(self) -> None:
        """Tell the program that nothing more will come."""
        self._closing = True
        self._follow_input()

    def receive(self, seconds: float) -> bytes | Fault:
        """The program's next line, without its newline; a fault when none comes within `seconds`, and why."""
        program = self._program
        line = program.take_bytes()
        if line is not None or program.flooded or not program.stdout_open:
            return self._judged(self._receive_until(monotonic_ns() + int(seconds * NANO), line))
        # What is usual is worth a short cut: one wait, and the line is there.
        end = monotonic_ns() + int(seconds * NANO)
        if self._tick.is_running and not self._sending:
            line = self._read_until(end)
        else:
            line = self._wait(seconds * 1000 if seconds * 1000 < LONGEST_WAIT else LONGEST_WAIT)
        if line is None or len(line) > LONGEST_LINE:
            return self._judged(self._receive_until(end, line))
        return line

    def _judged(self, said: bytes | Fault) -> bytes | Fault:
        """A fault as the house knows it."""
        return self._program.verdict(said) if isinstance(said, Fault) else said

    def _read_until(self, end: int) -> bytes | None:
        """Wait in a blocking read, at most until `end`; a line, if there is a whole one then."""
        program, tick = self._program, self._tick
        if not self._blocking:
            os.set_blocking(program.stdout, True)
        tick.end, tick.descriptor = end, program.stdout
        self._shield.open()
        try:
            line = program.read_line()
        finally:
            self._shield.shut()
            tick.descriptor = -1
        self._blocking = os.get_blocking(program.stdout) if line is None else True
        if not program.stdout_open:
            self._watch_exit()
        return line

    def _receive_until(self, end: int, line: bytes | None) -> bytes | Fault:
        """The same until a moment of the clock, when `line` is what has come so far."""
        program = self._program
        while line is None:
            if program.flooded:
                return TOO_LONG
            if not program.stdout_open:
                if rest := program.take_rest():
                    return rest
                if ended := program.how_it_ended():
                    return ended
            left = end - monotonic_ns()
            if left <= 0 and not (left := program.ending):
                return self._too_late()
            blind = not program.stdout_open and self._exit is None
            line = self._wait(min(left / 1_000_000, BLIND_TICK if blind else LONGEST_WAIT))
        return line if len(line) <= LONGEST_LINE else TOO_LONG

    def pass_errors_on(self) -> None:
        """Return when all that it has written to standard error up to now was passed on."""
        self._relay.catch_up()

    def stop(self) -> None:
        """End the program and its whole process group now, and pass on the last of its standard error."""
        self._ends.close()

    def _close_exit(self) -> None:
        if self._exit is not None:
            os.close(self._exit)
            self._exit = None

    def _too_late(self) -> Fault:
        if ended := self._program.how_it_ended():
            return ended
        if not self._program.stdout_open:
            return Fault(FaultKind.CLOSED, "closed its standard output and went on running")
        return Fault(FaultKind.TIMEOUT, "no line in time")

    def _wait(self, milliseconds: float) -> bytes | None:
        """Wait at most so long until the program has written, read or ended; a line, if there is a whole one then."""
        program = self._program
        self._shield.open()
        try:
            ready = self._poll.poll(milliseconds)
        finally:
            self._shield.shut()
        line = None
        for descriptor, _ in ready:
            if descriptor == program.stdout:
                line = program.read_line()
                if not program.stdout_open:
                    self._watch_exit()
            elif descriptor == self._stdin:
                program.send()
                self._follow_input()
        return line

    def _follow_input(self) -> None:
        """Be woken when the program reads as long as it has not read all of its input; close it when that is due."""
        program = self._program
        if program.has_unsent != self._sending:
            self._sending = program.has_unsent
            if self._sending:
                self._poll.register(self._stdin, select.POLLOUT)
            else:
                self._poll.unregister(self._stdin)
        if self._closing and not self._sending:
            program.close_input()

    def _watch_exit(self) -> None:
        """Be woken when the program ends, now that its output has ended."""
        self._poll.unregister(self._program.stdout)
        self._exit = system.exit_descriptor(self._program.process)
        if self._exit is not None:
            self._poll.register(self._exit, select.POLLIN)
