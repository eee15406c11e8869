"""A living program: a process, its three pipes, and what has come through them.

Theory of operation
-------------------
All pipes are non-blocking, so that no program can hold the referee up: one that does not read leaves its input in
`unsent`, one that floods fills a bounded buffer. Reading is left to whoever waits for several programs at once
(`dohyo.play.ring`); a program only says what it has: complete lines, the end of its output, how it ended.

Lines that a program writes before it is asked stay queued and answer later turns, as they did for the original
referees, which read a stream. Standard error is kept to its last 64 KiB a turn; what came before is counted.
"""

from __future__ import annotations

import os
import signal
import subprocess
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import IO

from dohyo.core.faults import Fault, FaultKind
from dohyo.play import system

LONGEST_LINE = 64 * 1024  # bytes; a longer one is a flood
MOST_QUEUED = 1024 * 1024  # bytes of output that nobody asked for yet
STDERR_A_TURN = 64 * 1024  # bytes kept
STDERR_A_MATCH = 4 * 1024 * 1024  # bytes kept in all, so that a replay stays a file one can open
CHUNK = 64 * 1024
GRACE = 0.1  # seconds for a program to end by itself when the match is over


class Program:
    """One process of a bot. Made running; `stop` ends it."""

    def __init__(self, command: Sequence[str], folder: str, environment: Mapping[str, str] | None = None) -> None:
        """Start the program in a session of its own. Raises `OSError` when it cannot be started."""
        self.process = subprocess.Popen(
            list(command),
            cwd=folder,
            env=None if environment is None else dict(environment),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
        )
        self.stdin, self.stdout, self.stderr = (pipe.fileno() for pipe in self._pipes())
        for descriptor in (self.stdin, self.stdout, self.stderr):
            os.set_blocking(descriptor, False)
        self.lines: deque[bytes] = deque()
        self.stdout_open = True
        self.stderr_open = True
        self.stdin_open = True
        self.flooded = False
        self._partial = b""
        self._queued = 0
        self._told = 0
        self._unsent = b""
        self._stderr = bytearray()
        self._stderr_dropped = 0
        self._stderr_left = STDERR_A_MATCH

    # --- input

    @property
    def has_unsent(self) -> bool:
        """Whether some of its input waits until the program reads."""
        return bool(self._unsent) and self.stdin_open

    def send(self, text: bytes = b"") -> None:
        """Write to the program's input as much as it takes now; the rest waits."""
        if not self.stdin_open:
            return
        waiting = self._unsent + text if self._unsent else text
        try:
            written = os.write(self.stdin, waiting)
        except BlockingIOError:
            written = 0
        except OSError:  # it has closed its input, or is gone: its output will tell
            self.close_input()
            return
        self._unsent = waiting[written:]

    def close_input(self) -> None:
        """Tell the program that nothing more will come."""
        if self.stdin_open:
            self.stdin_open = False
            self._unsent = b""
            with suppress(OSError):
                self._pipes()[0].close()

    # --- output

    def read_output(self) -> None:
        """Take in what waits on standard output; called when there is something, or its end."""
        try:
            chunk = os.read(self.stdout, CHUNK)
        except BlockingIOError:
            return
        except OSError:
            chunk = b""
        if not chunk:
            self.stdout_open = False
            return
        *lines, self._partial = (self._partial + chunk).split(b"\n")
        self.lines += lines
        self._queued += len(chunk)
        longest = max(map(len, lines), default=0)
        if self._queued > MOST_QUEUED or len(self._partial) > LONGEST_LINE or longest > LONGEST_LINE:
            self.flooded = True

    def take_line(self) -> str | None:
        """The oldest complete line, without its newline; none if there is none.

        Bytes that are not UTF-8 become backslash escapes, so that a replay shows what came.
        """
        if not self.lines:
            return None
        line = self.lines.popleft()
        self._queued -= len(line) + 1
        self._told = max(0, self._told - 1)
        return line.decode("utf-8", "backslashreplace")

    def unasked_line(self) -> str | None:
        """The first line in the queue that was not told of yet; from now on all in the queue count as told."""
        told, self._told = self._told, len(self.lines)
        return self.lines[told].decode("utf-8", "backslashreplace") if told < len(self.lines) else None

    @property
    def partial(self) -> str:
        """The beginning of a line that has no newline yet."""
        return self._partial.decode("utf-8", "backslashreplace")

    def read_errors(self) -> None:
        """Take in what waits on standard error."""
        try:
            chunk = os.read(self.stderr, CHUNK)
        except BlockingIOError:
            return
        except OSError:
            chunk = b""
        if not chunk:
            self.stderr_open = False
            return
        self._stderr += chunk
        surplus = len(self._stderr) - STDERR_A_TURN
        if surplus > 0:
            del self._stderr[:surplus]
            self._stderr_dropped += surplus

    def take_errors(self) -> tuple[str, int]:
        """What came on standard error since the last call, and how many bytes before it were not kept."""
        if not self._stderr and not self._stderr_dropped:
            return "", 0
        kept = bytes(self._stderr)[-self._stderr_left :] if self._stderr_left else b""
        dropped = self._stderr_dropped + len(self._stderr) - len(kept)
        self._stderr_left -= len(kept)
        self._stderr.clear()
        self._stderr_dropped = 0
        return kept.decode("utf-8", "replace"), dropped

    # --- the end

    def how_it_ended(self) -> Fault | None:
        """The process's own end as a fault; none while it runs."""
        status = self.process.poll()
        if status is None:
            return None
        if status >= 0:
            return Fault(FaultKind.EXITED, f"exit status {status}", status)
        try:
            name = signal.Signals(-status).name
        except ValueError:
            name = str(-status)
        return Fault(FaultKind.KILLED, f"signal {name}", -status)

    def stop(self) -> None:
        """End the program and its whole process group now, and take in the last of its standard error."""
        self.close_input()
        system.kill_group(self.process)
        for _ in range(STDERR_A_TURN // CHUNK + 1):
            if self.stderr_open:
                self.read_errors()
        for pipe in self._pipes()[1:]:
            pipe.close()
        self.stdout_open = self.stderr_open = False

    def _pipes(self) -> list[IO[bytes]]:
        """Standard input, output, error."""
        pipes = (self.process.stdin, self.process.stdout, self.process.stderr)
        return [pipe for pipe in pipes if pipe is not None]
