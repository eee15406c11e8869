"""Talks with one program, line after line: for dialogues in which no other program takes part.

Theory of operation
-------------------
Nothing is read from the program while one of its lines is left over: what it writes too early waits in the pipe, and
a program that writes without end is blocked by that. So what is reported about a program depends on what it wrote,
never on how the pipe divided its output.

A last line without a newline is a line too, once the program has closed its output.

What it writes to standard error is passed on while it runs, by a separate thread (`Relay`), which sleeps while the
program is silent. So waiting for a line stays one call, and a program that writes much to it is not blocked. Its
standard error is a pipe and never the operator's own, which may be a terminal: a program that has a terminal open can
freeze it. Nothing is stored here; what is not read stays in the pipe, and blocks the program.

A program is waited for as much longer as we could not run ourselves: what stopped us may have stopped it.

One of the two, the program or we, always waits for the other. On one core, a line and its answer take a fifth of the
time that they take on two cores, where each line wakes a sleeping core; so both stay on one core.
"""

from __future__ import annotations

import errno
import os
import select
import signal
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from time import monotonic_ns

from dohyo.core.faults import Fault
from dohyo.core.sandbox import SandboxFactory
from dohyo.interrupts import DeferSignals
from dohyo.match import verdict
from dohyo.match.processes import ending
from dohyo.match.processes.bot_process import CHUNK, LARGEST_PIPE, LONGEST_LINE, BotProcess, BoundedTail
from dohyo.match.processes.poller import ReadTimer
from dohyo.match.processes.watchdog import USUAL, WATCHDOG
from dohyo.system import scheduler

NANO = 1_000_000_000
BLIND_TICK = 5  # milliseconds between checks, if the system has no descriptor for a process's end
LONGEST_WAIT = 1000  # milliseconds; a signal that arrives just before a wait is noticed only at its end
OURS = 2  # our standard error
PATIENCE = 10.0  # seconds to wait until a program's standard error can be passed on
ATOMIC = 4096  # bytes that a pipe with free space takes without waiting


def to_ours(chunk: bytes) -> None:
    """Write these bytes to our own standard error; they are lost if nobody reads it."""
    write_all(OURS, chunk)


def write_all(descriptor: int, chunk: bytes) -> bool:
    """Write everything, to a blocking or a non-blocking descriptor, and wait if necessary; returns whether it
    succeeded.

    It fails if nobody reads for `PATIENCE`: a bot's errors must not delay anything else.
    """
    left = memoryview(chunk)
    poll = select.poll()
    poll.register(descriptor, select.POLLOUT)
    while left:
        if not poll.poll(PATIENCE * 1000):
            return False
        try:
            left = left[os.write(descriptor, left[:ATOMIC]) :]
        except BlockingIOError:
            continue
        except OSError:
            return False
    return True


def _stood(begun: int, allowed: float) -> int:
    """For how many nanoseconds we stood still in a wait that began then, and should have ended after so many
    milliseconds."""
    over = monotonic_ns() - begun - int(allowed * 1_000_000)
    return over if over > USUAL else 0


class PassedOn(BoundedTail):
    """Gives a program's errors to a function, instead of storing them."""

    def __init__(self, write: Callable[[bytes], None]) -> None:
        super().__init__()
        self._write = write

    def add(self, chunk: bytes | bytearray) -> None:
        """Pass on what came."""
        self._write(bytes(chunk))


class Relay:
    """A thread that reads a program's standard error until `stop`."""

    def __init__(self, program: BotProcess) -> None:
        """Raises `OSError` if the machine cannot make another thread or pipe."""
        self._program = program
        self._lock = threading.Lock()  # held while reading and passing on
        self._woken, self._wake = os.pipe()
        self._ended = False
        self._thread = threading.Thread(target=self._run, name="dohyo-errors", daemon=True)
        try:
            self._thread.start()
        except RuntimeError as error:
            os.close(self._wake)
            os.close(self._woken)
            raise OSError(errno.EAGAIN, str(error)) from error

    def _run(self) -> None:  # in the thread
        with suppress(AttributeError):  # signals belong to the thread that waits for the program's lines
            signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        WATCHDOG.also(self._program, threading.get_native_id())
        poll = select.poll()
        for descriptor in (self._woken, self._program.stderr):
            poll.register(descriptor, select.POLLIN)
        while self._program.stderr_open and not self._ended:
            if any(descriptor == self._woken for descriptor, _ in poll.poll()):
                return
            with self._lock:
                self._program.read_errors()

    def catch_up(self) -> None:
        """Return when all that the program has written up to now was passed on, or nobody reads it for a while."""
        if self._ended or not self._lock.acquire(timeout=PATIENCE):
            self._ended = True  # if nobody reads our standard error, that must not delay our other output
            return
        try:
            for _ in range(LARGEST_PIPE // CHUNK):
                if not self._program.stderr_open or not self._program.read_errors():
                    break
        finally:
            self._lock.release()

    def stop(self) -> None:
        """End the thread; what is still in the pipe is left there."""
        if self._wake < 0:
            return
        os.write(self._wake, b"x")
        self._thread.join(0.0 if self._ended else PATIENCE)
        if self._thread.is_alive():  # it waits for a reader that does not read, and ends when that reader ends
            self._ended = True
            self._wake = -1
            return
        os.close(self._wake)
        os.close(self._woken)
        self._wake = -1


class LineClient:
    """A dialogue with one program. The constructor starts the program; `stop` ends it."""

    def __init__(
        self,
        command: Sequence[str],
        folder: str,
        environment: Mapping[str, str] | None,
        signals: DeferSignals,
        sandbox_factory: SandboxFactory | None = None,
        errors: Callable[[bytes], None] = to_ours,
    ) -> None:
        """Start the program; `signals` take effect during waits for it. Raises `OSError`.

        If this raises, no process is left running, and we may use the same cores as before.

        `sandbox_factory` makes its sandbox. `errors` is called from another thread with what the program writes to
        standard error, as it comes.
        """
        self._signals = signals
        self._exit: int | None = None  # a descriptor that is readable when the process has ended; opened when needed
        self._poll = select.poll()
        self._sending = False  # whether the poll also waits for the program to read
        self._blocking = False  # whether reads of its output block
        self._closing = False  # whether its input is to be closed when all of it has been sent
        with ExitStack() as ends:
            ends.callback(self._close_exit)
            ends.callback(scheduler.use_cores, scheduler.stay_on_this_core())
            self._program = BotProcess(
                command, folder, environment, errors=PassedOn(errors), sandbox_factory=sandbox_factory
            )
            ends.callback(self._program.stop)
            self._relay = Relay(self._program)
            ends.callback(self._relay.stop)
            ends.callback(self._program.kill)  # before we wait for the relay, so that a flood of errors ends
            self._poll.register(self._program.stdout, select.POLLIN)
            self._stdin = self._program.stdin  # kept here, because the program drops it when it closes its input
            self._timer = ReadTimer()
            ends.callback(self._timer.stop)
            self._timer.start()
            self._ends = ends.pop_all()

    def send(self, line: bytes) -> None:
        """Send a line, given without its newline; what the pipe does not take now is sent during the next waits."""
        program = self._program
        program.send(line + b"\n")
        if program.has_unsent or self._sending:
            self._follow_input()

    def close_input(self) -> None:
        """Close the program's input."""
        self._closing = True
        self._follow_input()

    def receive(self, seconds: float) -> bytes | Fault:
        """The program's next line, without its newline; a fault with the reason if none comes within `seconds`."""
        program = self._program
        line = program.take_bytes()
        if line is not None or program.flooded or not program.stdout_open:
            return self._receive_until(monotonic_ns() + int(seconds * NANO), line)
        # A fast way for the usual case: one wait, and the line is there.
        begun = monotonic_ns()
        end = begun + int(seconds * NANO)
        if self._timer.is_running and not self._sending:
            self._timer.begun = begun
            line = self._read_until(end)
            end += self._timer.late_since(begun)
        else:
            allowed = seconds * 1000 if seconds * 1000 < LONGEST_WAIT else LONGEST_WAIT
            line = self._wait(allowed)
            end += _stood(begun, allowed)
        if line is None or len(line) > LONGEST_LINE:
            return self._receive_until(end, line)
        return line

    def _read_until(self, end: int) -> bytes | None:
        """Wait in a blocking read, at most until `end`; returns a line, if there is a whole one then."""
        program, timer = self._program, self._timer
        if not self._blocking:
            os.set_blocking(program.stdout, True)
        timer.end, timer.descriptor = end, program.stdout
        self._signals.open()
        try:
            line = program.read_line()
        finally:
            self._signals.shut()
            timer.descriptor = -1
        self._blocking = os.get_blocking(program.stdout) if line is None else True
        if not program.stdout_open:
            self._watch_exit()
        return line

    def _receive_until(self, end: int, line: bytes | None) -> bytes | Fault:
        """The same until a moment of the clock; `line` is what has come so far."""
        program = self._program
        while line is None:
            if program.flooded:
                return verdict.too_long()
            if not program.stdout_open and (rest := program.take_rest()):
                return rest
            left = end - monotonic_ns()
            fault = verdict.judge(program, verdict.LINE, came=False, late=left <= 0)
            if fault is not None:
                return fault
            blind = not program.stdout_open and self._exit is None
            begun, milliseconds = monotonic_ns(), max(left, program.ending) / 1_000_000
            allowed = min(milliseconds, BLIND_TICK if blind else LONGEST_WAIT)
            line = self._wait(allowed)
            end += _stood(begun, allowed)
        return line if len(line) <= LONGEST_LINE else verdict.too_long()

    def pass_errors_on(self) -> None:
        """Return when everything that it has written to standard error up to now was passed on."""
        self._relay.catch_up()

    def stop(self) -> None:
        """End the program and its whole process group now, and pass on the last of its standard error."""
        self._ends.close()

    def _close_exit(self) -> None:
        if self._exit is not None:
            os.close(self._exit)
            self._exit = None

    def _wait(self, milliseconds: float) -> bytes | None:
        """Wait, at most so long, for the program to write, read or end; returns a line, if there is a whole one."""
        program = self._program
        self._signals.open()
        try:
            ready = self._poll.poll(milliseconds)
        finally:
            self._signals.shut()
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
        """Watch the program's input while not all of it is sent; close it afterwards if that was asked for."""
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
        """Watch for the program's end, now that its output has ended."""
        self._poll.unregister(self._program.stdout)
        self._exit = ending.exit_descriptor(self._program.process)
        if self._exit is not None:
            self._poll.register(self._exit, select.POLLIN)
