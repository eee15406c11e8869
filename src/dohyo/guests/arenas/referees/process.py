"""One run of a program of others that referees a match: within a time limit, its output bounded, nothing left."""

from __future__ import annotations

import os
import select
import subprocess
from collections.abc import Mapping, Sequence
from time import monotonic
from typing import NamedTuple

from dohyo.core.errors import MachineError, OperatorError
from dohyo.core.faults import Fault, FaultKind
from dohyo.core.sandbox import SandboxedRun
from dohyo.interrupts import DeferSignals
from dohyo.match import verdict
from dohyo.match.processes import ending
from dohyo.match.processes.launch import NO_ROOM
from dohyo.match.processes.watchdog import WATCHDOG, PipedProcess

MAX_OUTPUT = 256 << 10  # bytes of standard output
MAX_ERRORS = 16 << 10  # bytes of standard error that are kept, of the beginning and as many of the end
TICK = 0.05  # seconds between two looks, where the system does not tell that a process has ended
PIECE = 1 << 16


class RefereeRun(NamedTuple):
    """What the program wrote, and why it counts for nothing: empty, or a key of the catalogues with its details."""

    output: bytes
    errors: bytes
    wrong: str = ""
    details: Mapping[str, object] = {}


def run_referee(
    words: Sequence[str],
    folder: str,
    environment: Mapping[str, str],
    seconds: float,
    sandboxed: SandboxedRun | None,
) -> RefereeRun:
    """Run the program to its end; with all that it has started it is gone afterwards, however it ended.

    Raises `OperatorError` where it cannot be started at all. A signal takes effect while it runs.
    """
    with DeferSignals() as signals:
        try:
            process = subprocess.Popen(
                words if sandboxed is None else sandboxed.command,
                cwd=folder if sandboxed is None else sandboxed.folder,
                env=environment if sandboxed is None else sandboxed.environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                process_group=0,
            )
        except OSError as error:
            if error.errno in NO_ROOM:
                raise MachineError("no-room-for-programs", reason=error) from error
            raise OperatorError("referee-not-started", command=words[0], reason=error) from error
        pipes = _Pipes(process)
        watched = PipedProcess(process)  # bots in its box may reach its pipes, and keep them locked
        WATCHDOG.watch(watched, pipes.descriptors)
        try:
            if sandboxed is not None:
                sandboxed.started(process.pid)
            signals.open()
            pipes.read(monotonic() + seconds)
            signals.shut()
        finally:
            status = ending.exit_status(process)
            ending.kill(process)
            WATCHDOG.forget(watched)
            ending.collect(process)
            pipes.close()
        wrong, details = _judged(pipes, status, seconds, sandboxed)
    return RefereeRun(bytes(pipes.output), pipes.errors, wrong, details)


def _judged(
    pipes: _Pipes, status: int | None, seconds: float, sandboxed: SandboxedRun | None
) -> tuple[str, dict[str, object]]:
    """Why the run counts for nothing; an empty key where it does."""
    if len(pipes.output) > MAX_OUTPUT:
        return "referee-flood", {"kibibytes": MAX_OUTPUT >> 10}
    if status == 0:
        return "", {}
    fault = Fault(FaultKind.TIMEOUT) if status is None else verdict.ended(status)
    found = fault if sandboxed is None else sandboxed.verdict(fault)
    if found.kind is FaultKind.TIMEOUT:
        return "referee-late", {"seconds": f"{seconds:g}"}
    return "referee-failed", {"how": found.told}


class _Pipes:
    """What a process writes, read while it runs."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdout is not None
        assert process.stderr is not None
        self._process = process
        self._out, self._err = process.stdout, process.stderr
        self._ended = ending.exit_descriptor(process)
        self.output = bytearray()
        self._head, self._tail, self._omitted = bytearray(), bytearray(), 0
        for pipe in (self._out, self._err):
            os.set_blocking(pipe.fileno(), False)

    @property
    def descriptors(self) -> list[int]:
        """Our ends of both pipes."""
        return [pipe.fileno() for pipe in (self._out, self._err)]

    @property
    def errors(self) -> bytes:
        """Standard error: its beginning and its end."""
        gap = f"\n[... {self._omitted} bytes ...]\n".encode() if self._omitted else b""
        return bytes(self._head + gap + self._tail)

    def read(self, deadline: float) -> None:
        """Read until the process has ended, it has written too much, or the deadline is there."""
        poll = select.poll()
        open_ = {self._out.fileno(): self._take_output, self._err.fileno(): self._take_errors}
        for descriptor in open_:
            poll.register(descriptor, select.POLLIN)
        if self._ended is not None:
            poll.register(self._ended, select.POLLIN)
        while (left := deadline - monotonic()) > 0 and len(self.output) <= MAX_OUTPUT:
            ended = ending.exit_status(self._process) is not None
            if ended:  # what it had started may hold the pipes open, and write for ever: only what is there is read
                ending.kill(self._process)
            wait = 0.0 if ended else left if self._ended is not None else min(left, TICK)
            readable = [number for number, _ in poll.poll(1000 * wait) if number in open_]
            if ended and not readable:
                return
            for descriptor in readable:
                if not open_[descriptor](descriptor):
                    poll.unregister(descriptor)
                    del open_[descriptor]

    def _take_output(self, descriptor: int) -> bool:
        """Take what is there; whether more may come."""
        piece = os.read(descriptor, PIECE)
        self.output += piece
        return bool(piece)

    def _take_errors(self, descriptor: int) -> bool:
        piece = os.read(descriptor, PIECE)
        room = MAX_ERRORS - len(self._head)
        self._head += piece[:room]
        self._tail += piece[room:] if room < len(piece) else b""
        over = len(self._tail) - MAX_ERRORS
        if over > 0:
            self._omitted += over
            del self._tail[:over]
        return bool(piece)

    def close(self) -> None:
        """Let go of everything."""
        self._out.close()
        self._err.close()
        if self._ended is not None:
            os.close(self._ended)
