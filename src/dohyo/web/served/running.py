"""The analysis of a served page's match: one at a time, in a process of its own, which can be ended at any moment.

Compiled searches and the compiler cannot be interrupted in a thread. So the analysis is a process, a module that a
guest brings (`dohyo.doors.Guest.analyses`), and to stop it is to kill it: it keeps nothing but what is compiled, file
by file.
"""

from __future__ import annotations

import importlib.util
import os
import selectors
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

import msgspec

from dohyo.core.replay import Replay
from dohyo.core.replay_format import encode
from dohyo.i18n import Speaker
from dohyo.system import interpreter

AT_ONCE = 1 << 16  # bytes
FOUND = b'{"analysis":'  # how the line begins that is the result
BESIDE = 600.0  # seconds beside those of the search: rules are compiled before it; a long match takes longer


class Order(msgspec.Struct, frozen=True):
    """What is to be analysed: a replay of `size` bytes, in `seconds`, or with so many `playouts` a position."""

    size: int
    seconds: float
    playouts: int | None
    compiled: bool
    language: str


class BusyError(Exception):
    """An analysis runs already, or the server is ending."""


class _TooLongError(Exception):
    """A worker has had its time, and what comes beside it."""


class MatchAnalysis:
    """The analysis of one match, by the module `worker`.

    `found` is the last one that was done, as the worker's line; empty before. With `playouts` it takes so many for
    each position, instead of a time.
    """

    def __init__(self, worker: str, replay: Replay, speaker: Speaker, playouts: int | None = None) -> None:
        self._worker = worker
        self.found = b""
        self.speaker = speaker
        self.compiled = importlib.util.find_spec("numba") is not None
        self._replay = encode(replay)
        self._playouts = playouts
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._is_closed = False

    @property
    def size(self) -> int:
        """How many bytes are kept for it: the replay and the result."""
        return len(self._replay) + len(self.found)

    def run(self, seconds: float, asker: socket.socket, tell: Callable[[bytes], object]) -> None:
        """Analyse the match; each line of the worker's but the result goes to `tell`, a last one is `{"done":true}`.

        It is stopped when `asker` hangs up, or when `tell` raises `OSError`. Raises `BusyError`.
        """
        process = self._start()
        try:
            with suppress(BrokenPipeError):  # the worker has ended already: what it said, or did not, is told below
                self._order(process, seconds)
            with suppress(OSError):
                tell(self._follow(process, asker, tell, time.monotonic() + seconds + BESIDE))
        finally:
            _kill(process)
            for pipe in (process.stdin, process.stdout):
                with suppress(OSError):  # what the worker did not read
                    if pipe is not None:
                        pipe.close()
            with self._lock:
                self._process = None

    def close(self) -> None:
        """End what runs; nothing starts any more."""
        with self._lock:
            self._is_closed = True
            if self._process is not None:
                _kill(self._process)

    def _start(self) -> subprocess.Popen[bytes]:
        with self._lock:
            if self._process is not None or self._is_closed:
                raise BusyError
            self._process = subprocess.Popen(
                interpreter.module(self._worker, interpreter.current_folder()),
                cwd=interpreter.FOLDER,
                env=interpreter.environment(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                process_group=0,  # Ctrl-C reaches us alone; we end it
            )
            return self._process

    def _order(self, process: subprocess.Popen[bytes], seconds: float) -> None:
        """Tell the worker what to do. Its input stays open: where it ends, so does the worker."""
        order = Order(len(self._replay), seconds, self._playouts, self.compiled, self.speaker.language)
        assert process.stdin is not None
        process.stdin.write(msgspec.json.encode(order) + b"\n" + self._replay)
        process.stdin.flush()

    def _follow(
        self, process: subprocess.Popen[bytes], asker: socket.socket, tell: Callable[[bytes], object], end: float
    ) -> bytes:
        """Pass on what the worker says, up to a moment, and keep the result; the last line for whoever asked."""
        why = "served-failed"
        try:
            for line in _lines(process, asker, end):
                if line.startswith(FOUND):
                    self.found = line
                    return b'{"done":true}\n'
                if line.startswith(b'{"none":'):
                    return line
                tell(line)
        except _TooLongError:
            why = "served-too-long"
        if self._is_closed:
            raise ConnectionError
        return msgspec.json.encode({"none": self.speaker.say(why)}) + b"\n"


def _lines(process: subprocess.Popen[bytes], asker: socket.socket, end: float) -> Iterator[bytes]:
    """The lines of a worker, as they come.

    Raises `ConnectionError` when whoever asked for them has hung up, `_TooLongError` at the moment `end`.
    """
    assert process.stdout is not None
    rest: list[bytes] = []
    with selectors.DefaultSelector() as either:
        either.register(process.stdout, selectors.EVENT_READ)
        either.register(asker, selectors.EVENT_READ)
        while True:
            left = end - time.monotonic()
            ready = [key.fileobj for key, _ in either.select(left)] if left > 0 else []
            if not ready:
                raise _TooLongError
            if asker in ready:  # which has nothing more to say
                raise ConnectionError
            piece = os.read(process.stdout.fileno(), AT_ONCE)
            if not piece:
                return
            *whole, last = piece.split(b"\n")
            for line in whole:
                yield b"".join((*rest, line, b"\n"))
                rest = []
            rest.append(last)


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a worker, and whatever it may have started, unless it has ended."""
    if process.poll() is None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
