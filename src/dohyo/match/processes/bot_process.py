"""A bot's process, its three pipes, and what has come through them.

Theory of operation
-------------------
All pipes are non-blocking, so that no program can block the referee. If a program does not read, its input stays in
`_unsent`; if it writes without end, it fills a bounded buffer. This class does not wait:
`dohyo.match.processes.poller` waits for several programs at once. It only reports what it has: complete lines, the
end of the output, how the process ended.

Lines that a program writes before it is asked stay in the queue and answer later turns, as they did for the original
referees, which read a stream. The queue holds bytes, not a list of lines: a flood of very short lines would take
fifty times its own size as a list. Comment lines, if the game's protocol has them, are taken out of the queue when
they come, and treated like standard error: of each of the two, the last 64 KiB of a turn are stored, and the bytes
before those are only counted.
"""

from __future__ import annotations

import os
import select
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from typing import IO

from dohyo.core.errors import MachineError
from dohyo.core.faults import KEPT, Fault, FaultCode, FaultKind
from dohyo.core.sandbox import SandboxFactory
from dohyo.match import verdict
from dohyo.match.processes import ending
from dohyo.match.processes.launch import NO_ROOM, Launch, abandon, start, start_in
from dohyo.match.processes.watchdog import WATCHDOG
from dohyo.system import proc

LONGEST_LINE = 64 * 1024  # bytes; a longer one is a flood
MAX_QUEUED = 1024 * 1024  # bytes of output that no turn has read yet
CHUNK = 64 * 1024  # bytes read at once; a pipe holds as much
LARGEST_PIPE = 1024 * 1024  # bytes; the most that a program without root rights can enlarge its pipe to
CLOSED = -1  # no descriptor has this number
TOGETHER = 1_000_000_000  # nanoseconds between the end of its output and its own end that count as one event
EMPTYING = 10_000_000_000  # nanoseconds in which the system takes away what has ended with a program
Sort = Callable[[list[bytes]], tuple[list[bytes], list[bytes]]]  # lines: the answers, and what is kept of the others
NANO = 1_000_000_000
Asides = tuple[str, int, str, int]  # standard error and comments, each with how many bytes before were not stored
KEPT_PER_TURN = 64 * 1024  # bytes of standard error, or of comments, that are stored
KEPT_PER_MATCH = 4 * 1024 * 1024  # the same for a whole match, so that a replay does not become too large to open


class BoundedTail:
    """The end of a stream: the last bytes of each turn are stored, the bytes before them are only counted."""

    def __init__(self) -> None:
        self._content = bytearray()
        self._dropped = 0
        self._left = KEPT_PER_MATCH

    @property
    def size(self) -> int:
        """How many bytes came since the last call of `take`, stored or not."""
        return len(self._content) + self._dropped

    def add(self, chunk: bytes | bytearray) -> None:
        """Add bytes that came."""
        self._content += chunk
        surplus = len(self._content) - KEPT_PER_TURN
        if surplus > 0:
            del self._content[:surplus]
            self._dropped += surplus

    def cut(self, size: int) -> None:
        """Forget what came last, so that `size` is at most this."""
        del self._content[max(0, size - self._dropped) :]

    def take(self) -> tuple[str, int]:
        """What came since the last call as text, and how many bytes before it were not stored."""
        if not self._content and not self._dropped:
            return "", 0
        kept = bytes(self._content)[-self._left :] if self._left else b""
        dropped = self._dropped + len(self._content) - len(kept)
        self._left -= len(kept)
        self._content.clear()
        self._dropped = 0
        return kept.decode("utf-8", "replace"), dropped


def shown(line: bytes | bytearray) -> str:
    """The line as text.

    Bytes that are not UTF-8 become backslash escapes, so that a replay shows exactly what came.
    """
    return line.decode("utf-8", "backslashreplace")


def _size(lines: Sequence[bytes]) -> int:
    """Bytes of lines, with the ends of the lines: who writes empty ones keeps us busy too."""
    return sum(map(len, lines)) + len(lines)


def comments_by(beginning: bytes) -> Sort:
    """What sorts lines where those are comments that begin so, and all others answers."""

    def sort(lines: list[bytes]) -> tuple[list[bytes], list[bytes]]:
        answers = [line for line in lines if not line.startswith(beginning)]
        return answers, [line for line in lines if line.startswith(beginning)]

    return sort


class BotProcess:
    """One process of a bot. The constructor starts it; `stop` ends it.

    `holds` counts how often it kept us waiting by a lock of its pipes, and `is_ended_for_holding` says whether it was
    killed for that (`watchdog.py`).
    """

    holds = 0
    is_ended_for_holding = False
    matches = 0  # that it has played before this one, if it is kept from match to match
    _holds_known = 0
    _paused = False
    _before_abort: int | None = None  # bytes of standard error that had come before it was ended by SIGABRT
    _gone_at = 0  # when it was seen to have ended, with all that it started, though its output is open

    def __init__(
        self,
        command: Sequence[str],
        folder: str,
        environment: Mapping[str, str] | None = None,
        comment: str = "",
        errors: BoundedTail | None = None,
        sandbox_factory: SandboxFactory | None = None,
    ) -> None:
        """Start the program. Raises `OSError` when it cannot be started. If this raises, no process is left running.

        Lines of its output that begin with `comment` are comments, not answers; if `comment` is empty, every line is
        an answer. `errors` stores what it writes to standard error; several programs may share one. `sandbox_factory`
        makes its sandbox.
        """
        self._sandboxed = None if sandbox_factory is None else sandbox_factory(command, folder, environment)
        with ExitStack() as undo:
            if self._sandboxed is not None:
                undo.callback(self._sandboxed.close)
            self.process = (
                start(command, folder, environment) if self._sandboxed is None else start_in(self._sandboxed)
            )
            undo.callback(abandon, self.process)
            descriptors = [pipe.fileno() for pipe in self._pipes()]
            for descriptor in descriptors:
                os.set_blocking(descriptor, False)
            WATCHDOG.watch(self, descriptors)
            undo.pop_all()
        self.stdin, self.stdout, self.stderr = descriptors
        self._ran: float | None = None  # processor seconds when it was last looked at
        self._ran_before = 0.0  # in earlier matches
        self.stdin_open = True
        self.stdout_open = True
        self._closed_at = 0  # when its output ended, on `monotonic_ns`
        self.stderr_open = True
        self.flooded = False
        self._unsent = bytearray()
        self._output = bytearray()  # complete lines, then the beginning of one
        self._lines = 0  # complete ones in it
        self._tail = 0  # bytes of it after its last newline
        self._skipped = 0  # bytes that came before it was ready
        self.asks_where = False
        self._sort: Sort | None = comments_by(comment.encode()) if comment else None
        self._passed = 0  # bytes of lines that were neither answers nor kept, since the last call of `take_asides`
        self._blocking = False
        self._comments = BoundedTail()
        self._errors = BoundedTail() if errors is None else errors
        self._errors_seen = 0
        self.overdue: Fault | None = None  # once it is stopped: the fault that its processes were slow to end

    # --- input

    @property
    def has_unsent(self) -> bool:
        """Whether some input waits for the program to read."""
        return bool(self._unsent)

    def send(self, text: bytes = b"") -> None:
        """Write as much to the program's input as the pipe takes now; the rest waits."""
        if not self.stdin_open:
            return
        waiting: bytes | bytearray = text
        if self._unsent:
            self._unsent += text
            waiting = self._unsent
        try:
            written = os.write(self.stdin, waiting)
        except BlockingIOError:
            written = 0
        except OSError:  # it has closed its input, or has ended: reading its output will show which
            self.close_input()
            return
        if waiting is self._unsent:
            del self._unsent[:written]
        elif written < len(text):
            self._unsent += text[written:]

    def close_input(self) -> None:
        """Close the program's input."""
        if self.stdin_open:
            self.stdin_open = False
            self._unsent.clear()
            with suppress(OSError):
                self._pipes()[0].close()
            WATCHDOG.forget_pipe(self, self.stdin)
            self.stdin = CLOSED  # the number may be another descriptor's by now

    # --- output

    def read_output(self) -> None:
        """Read what waits on standard output. Call it when there is something to read, or the end."""
        chunk = self._read_chunk()
        if chunk:
            self._take_in(chunk)

    def read_line(self) -> bytes | None:
        """Read what waits on standard output, and return a line as `take_bytes` does."""
        chunk = self._read_chunk()
        if not chunk:
            return None
        if not self._output and chunk.find(b"\n") == len(chunk) - 1:  # a fast way for the usual case
            return chunk[:-1]
        self._take_in(chunk)
        return self.take_bytes()

    def block(self) -> None:
        """Make reads of its output blocking from now on; the poller reads only when there is something."""
        if not self._blocking:
            self._blocking = True
            os.set_blocking(self.stdout, True)

    @property
    def is_tidy(self) -> bool:
        """Whether nothing is left over: no input that was not sent yet, no output that no turn has read."""
        return self.stdout_open and self.stdin_open and not self._output and not self._unsent and not self.flooded

    def take_in(self, chunk: bytes) -> None:
        """Put into the queue what other code has read of its output."""
        if chunk:
            self._take_in(chunk)

    def _read_chunk(self) -> bytes:
        """Read what waits on standard output, at most `CHUNK` bytes; empty at its end, too, which is noted."""
        if self._blocking:
            self._blocking = False
            os.set_blocking(self.stdout, False)
        try:
            chunk = os.read(self.stdout, CHUNK)
        except BlockingIOError:
            return b""
        except OSError:
            chunk = b""
        if not chunk:
            self.stdout_open = False
            self._closed_at = time.monotonic_ns()
        return chunk

    def _take_in(self, chunk: bytes) -> None:
        """Add a chunk to the queue."""
        self._output += chunk
        self._lines += chunk.count(b"\n")
        # Only the line that reaches into this chunk, and the one that reaches out of it, can be longer than a chunk.
        first, last = chunk.find(b"\n"), chunk.rfind(b"\n")
        longest = self._tail + (first if first >= 0 else len(chunk))
        completed = len(self._output) - len(chunk) - self._tail
        self._tail = len(chunk) - last - 1 if last >= 0 else longest
        if last >= 0 and self._sort is not None:
            self._set_aside(completed)
        unread = len(self._output) + self._skipped + self._comments.size + self._passed
        if longest > LONGEST_LINE or unread > MAX_QUEUED:
            self.flooded = True

    def _set_aside(self, start: int) -> None:
        """Take out of the lines that begin at `start` of the queue those that are no answers."""
        assert self._sort is not None
        *lines, tail = bytes(self._output[start:]).split(b"\n")
        answers, kept = self._sort(lines)
        self._comments.add(b"".join(line + b"\n" for line in kept))  # some of them may have come before these lines
        self._passed += _size(lines) - _size(answers) - _size(kept)
        if len(answers) < len(lines):
            self._output[start:] = b"".join(line + b"\n" for line in answers) + tail
            self._lines -= len(lines) - len(answers)

    def sort_lines(self, sort: Sort) -> None:
        """From now on, when it is ready, `sort` says which lines are answers, and which others are comments."""
        self._sort, self._skipped = sort, 0
        self._set_aside(0)

    def take_before_ready(self) -> bytes | None:
        """The oldest complete line as bytes, without its newline; it counts towards the limit for unread output."""
        line = self.take_bytes()
        self._skipped += 0 if line is None else len(line) + 1
        return line

    @property
    def has_line(self) -> bool:
        """Whether a complete line is in the queue."""
        return self._lines > 0

    @property
    def has_output_waiting(self) -> bool:
        """Whether its output has something that was not read yet, or has ended."""
        if not self.stdout_open:
            return True
        looked = select.poll()
        looked.register(self.stdout, select.POLLIN)
        return bool(looked.poll(0))

    def take_line(self) -> str | None:
        """The oldest complete line, without its newline, as a replay shows it; none if there is none."""
        line = self.take_bytes()
        return None if line is None else shown(line)

    def take_bytes(self) -> bytes | None:
        """The oldest complete line as bytes, without its newline; none if there is none."""
        if not self._lines:
            return None
        end = self._output.find(b"\n")
        line = bytes(self._output[:end])
        del self._output[: end + 1]
        self._lines -= 1
        return line

    def take_rest(self) -> bytes:
        """The last line, if it has no newline, when nothing more can come."""
        rest = bytes(self._output)
        self.forget_output()
        return rest

    def take_all(self) -> str:
        """All output that has come, as a replay shows it, when nothing more can come."""
        return shown(self.take_rest())

    def is_ready(self, word: str) -> bool:
        """Whether the line `word` has come.

        The lines before it are dropped. Until it comes, they count towards the limit for unread output.
        """
        complete = len(self._output) - self._tail
        if self._output.find(word.encode(), 0, complete) >= 0:
            while (line := self.take_line()) is not None:
                if line.strip() == word:
                    self._skipped = 0
                    return True
        else:  # this is what a flood usually looks like; it must not cost the other players time
            del self._output[:complete]
            self._lines = 0
        self._skipped += complete
        return False

    @property
    def partial(self) -> str:
        """The beginning of a line that has no newline yet, shortened; for a fault's detail."""
        start = len(self._output) - self._tail
        return shown(self._output[start : start + KEPT])

    def forget_output(self) -> None:
        """Drop all output that has come; it does not count as a flood any more."""
        self._output.clear()
        self._lines = self._tail = 0
        self.flooded = False

    def forget_passed(self) -> None:
        """Count the lines that are neither answers nor kept anew."""
        self._passed = 0

    # --- standard error

    @property
    def errors_seen(self) -> int:
        """How many bytes have been read from standard error."""
        return self._errors_seen

    def read_errors(self) -> bool:
        """Read what waits on standard error; returns whether there was anything."""
        try:
            chunk = os.read(self.stderr, CHUNK)
        except BlockingIOError:
            return False
        except OSError:
            chunk = b""
        if not chunk:
            self.stderr_open = False
            return False
        self._errors.add(chunk)
        self._errors_seen += len(chunk)
        return True

    def take_asides(self) -> Asides:
        """What came since the last call on standard error and as comments, each with how many bytes were not
        stored."""
        self._passed = 0
        return (*self._errors.take(), *self._comments.take())

    # --- the end

    def how_it_ended(self) -> Fault | None:
        """How the process ended, as a fault; none while it runs."""
        status = ending.exit_status(self.process)
        if status is None:
            return None
        if self.is_ended_for_holding:
            return Fault(FaultKind.OUTPUT, FaultCode.HELD)
        return self.verdict(verdict.ended(status))

    @property
    def is_gone(self) -> bool:
        """Whether it has ended, and all that it started with it, while the system has not yet closed its output.

        In a space of processes of its own, nothing is left to run then. But the sandbox's own process in there is the
        last to end, and on a busy machine it has to wait for a processor: that is not the program's time.
        """
        if self._gone_at:
            return self.stdout_open
        if not self.stdout_open or self._sandboxed is None or not self._sandboxed.ends_together:
            return False
        if ending.exit_status(self.process) is not None:
            self._gone_at = time.monotonic_ns()
        return bool(self._gone_at)

    @property
    def ending(self) -> int:
        """For how many nanoseconds to wait for the process's end, now that its output has ended, or the reverse.

        A process that ends closes its output first, and on a busy machine, or in a sandbox, its end may be seen only
        a little later. No verdict is given before that.
        """
        if self.is_gone:
            return max(0, self._gone_at + EMPTYING - time.monotonic_ns())
        if self.stdout_open or ending.exit_status(self.process) is not None:
            return 0
        return max(0, self._closed_at + TOGETHER - time.monotonic_ns())

    def verdict(self, fault: Fault) -> Fault:
        """The real cause of a fault, if the program's sandbox knows it."""
        return fault if self._sandboxed is None else self._sandboxed.verdict(fault)

    def began(self) -> int | None:
        """When the program itself began, on `monotonic_ns`; none while its sandbox is being made, 0 without one."""
        return 0 if self._sandboxed is None else self._sandboxed.began()

    def processor_seconds(self) -> float | None:
        """The processor time of everything that ran in its sandbox; none if it is not counted."""
        return None if self._sandboxed is None else self._sandboxed.processor_seconds()

    def pause(self) -> None:
        """Pause the program and its process group until `resume`; it can still be killed."""
        if not self._paused:
            self._paused = True
            ending.pause(self.process)

    def resume(self) -> None:
        """Let it go on, if it was paused."""
        if self._paused:
            self._paused = False
            ending.resume(self.process)

    def note_pause(self, paused: bool) -> None:
        """Note that other code has paused it, or has let it go on."""
        self._paused = paused
        if self.holds != self._holds_known:  # the watchdog has stopped it, and did not know that it may go on
            self._holds_known = self.holds
            if not paused:
                ending.resume(self.process)

    @property
    def is_paused(self) -> bool:
        """Whether it is paused until `resume`."""
        return self._paused

    @property
    def group(self) -> int:
        """The number of its process group; 0 once its process was collected."""
        return 0 if self.process.returncode is not None else self.process.pid

    def kill(self) -> None:
        """End the program and its whole process group; `stop` waits until they are gone."""
        self.look()
        ending.kill(self.process)

    def abort(self) -> None:
        """End the program and what it started with SIGABRT: many then say where they were, on standard error.

        What the sandbox itself consists of, and shells, which would take the others with them, go on until `kill`.
        If a line of output has come by then, it has gone on: `stop` drops what it says of where it is now.
        """
        self.look()
        self._read_rest_of_errors()
        self._before_abort = self._errors.size
        if not proc.IS_LINUX:
            ending.abort(self.process)
        elif self.process.returncode is None:  # once it is collected, its number may belong to another process
            from dohyo.match.processes.process_tree import abort

            abort(self.process.pid)

    def look(self) -> None:
        """Note its processor time so far, for `stop`, if no sandbox counts it."""
        if proc.IS_LINUX and self.processor_seconds() is None:
            self._ran = max(self._ran or 0.0, proc.computed(self.process))

    def stop(self) -> float | None:
        """End the program and its whole process group now, and read the rest of its standard error.

        Its input is closed only after it has ended: the program must not see that and take it for the end of the
        match. If its processes take long to end, `overdue` says so; this waits for them, up to a limit.

        Returns the processor seconds of the program and everything that it started, in this match, as far as they
        were counted or seen.
        """
        with ExitStack() as ends:  # each is run even if another one fails; in reverse order
            ends.callback(WATCHDOG.forget, self)  # last: without a sandbox, somebody may still keep a pipe locked
            ends.callback(self.close_input)
            if self._sandboxed is not None:
                ends.callback(self._sandboxed.close)
            ends.callback(self._close_outputs)
            ends.callback(ending.collect, self.process)
            ends.callback(ending.kill, self.process)
            self.kill()
            waited = ending.collect(self.process)
            if waited > ending.LONGEST_DEATH:
                self.overdue = verdict.slow_to_end(waited)
            self._read_rest_of_errors()
            if self._before_abort is not None and self._has_answered():
                self._errors.cut(self._before_abort)
            return self._ran_in_match()

    def _has_answered(self) -> bool:
        """Whether a line of output is there or, now that it has ended, still in its pipe."""
        for _ in range(LARGEST_PIPE // CHUNK):
            if self.has_line or not self.stdout_open:
                break
            self._take_in(self._read_chunk())
        return self.has_line

    def _read_rest_of_errors(self) -> None:
        for _ in range(LARGEST_PIPE // CHUNK):
            if not self.stderr_open or not self.read_errors():
                break

    def _ran_in_match(self) -> float | None:
        counted = self.processor_seconds()
        ran = self._ran if counted is None else counted
        return None if ran is None else max(0.0, ran - self._ran_before)

    def end_match(self) -> tuple[float | None, Asides]:
        """Begin a new account, for another match; returns the processor seconds of this one, and its asides.

        Standard error that comes from now on belongs to the next match.
        """
        self.look()
        self._read_rest_of_errors()
        ran, asides = self._ran_in_match(), self.take_asides()
        self._ran_before += ran or 0.0
        self.matches += 1
        self._comments, self._errors, self._errors_seen = BoundedTail(), BoundedTail(), 0
        self._sort, self._skipped, self.asks_where = None, 0, False
        return ran, asides

    def _close_outputs(self) -> None:
        self.stdout_open = self.stderr_open = False
        for pipe in self._pipes()[1:]:
            pipe.close()

    def _pipes(self) -> list[IO[bytes]]:
        """Standard input, output, error."""
        pipes = (self.process.stdin, self.process.stdout, self.process.stderr)
        return [pipe for pipe in pipes if pipe is not None]


def launched(
    launch: Launch,
    comment: str = "",
    words: Sequence[str] | None = None,
    environment: Mapping[str, str] | None = None,
    errors: BoundedTail | None = None,
) -> BotProcess | Fault:
    """Start a player's program; the fault where it cannot be started. Raises `OperatorError` on a full machine.

    `words` and `environment` replace those of the `launch`; the other arguments are those of a `BotProcess`.
    """
    if launch.unusable:
        return verdict.not_started(launch.unusable)
    command = launch.command if words is None else words
    known = launch.environment if environment is None else environment
    try:
        made = BotProcess(command, launch.folder, known, comment, errors, launch.sandbox_factory)
    except OSError as error:
        if error.errno in NO_ROOM:
            raise MachineError("no-room-for-programs", reason=error) from error
        return verdict.not_started(error)
    made.asks_where = launch.asks_where
    return made
