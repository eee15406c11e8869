"""What a program writes to standard error, passed on while it runs: by a thread, which sleeps where it is silent.

The program's standard error is a pipe and never the operator's own, which may be a terminal: who has a terminal open
can freeze it. Nothing that it writes is kept here; what nobody takes stays in the pipe, and holds the program up.
"""

from __future__ import annotations

import errno
import os
import select
import signal
import threading
from collections.abc import Callable
from contextlib import suppress

from dohyo.runner.kept import Kept
from dohyo.runner.program import CHUNK, LARGEST_PIPE, Program

OURS = 2  # our standard error
PATIENCE = 10.0  # seconds with somebody who does not read it
ATOMIC = 4096  # bytes that a pipe with room takes without waiting


def to_ours(chunk: bytes) -> None:
    """Write to our own standard error, as it is; nothing happens where nobody takes it."""
    write_all(OURS, chunk)


def write_all(descriptor: int, chunk: bytes) -> bool:
    """Write all of it, and wait where that takes time, whether it blocks or not; whether it went.

    Where nobody reads for `PATIENCE`, it does not go: a bot's errors hold nothing up that others wait for.
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


class PassedOn(Kept):
    """In the place of what keeps a program's errors: gives them to a function."""

    def __init__(self, write: Callable[[bytes], None]) -> None:
        super().__init__()
        self._write = write

    def add(self, chunk: bytes | bytearray) -> None:
        """Give out what came."""
        self._write(bytes(chunk))


class Relay:
    """Reads a program's standard error from now on until `stop`."""

    def __init__(self, program: Program) -> None:
        """Raises `OSError` where the machine has no room for a thread or a pipe."""
        self._program = program
        self._lock = threading.Lock()  # whoever has it reads, and passes on what it has read
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
        with suppress(AttributeError):  # signals belong to who waits for the program's lines
            signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        poll = select.poll()
        for descriptor in (self._woken, self._program.stderr):
            poll.register(descriptor, select.POLLIN)
        while self._program.stderr_open and not self._ended:
            if any(descriptor == self._woken for descriptor, _ in poll.poll()):
                return
            with self._lock:
                self._program.read_errors()

    def catch_up(self) -> None:
        """Return when all that the program has written up to now was passed on, or nobody takes it for a while."""
        if self._ended or not self._lock.acquire(timeout=PATIENCE):
            self._ended = True  # who does not read our standard error does not hold up what we say elsewhere
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
        if self._thread.is_alive():  # it waits for somebody who reads nothing, and ends when that ends
            self._ended = True
            self._wake = -1
            return
        os.close(self._wake)
        os.close(self._woken)
        self._wake = -1
