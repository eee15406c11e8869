"""The probe: one bot's process, whose output is read for longer than a match would allow."""

from __future__ import annotations

from contextlib import ExitStack
from time import monotonic_ns

from dohyo.core.faults import Fault, FaultKind
from dohyo.interrupts import DeferSignals
from dohyo.match import verdict
from dohyo.match.players.per_match import LAST_WORDS
from dohyo.match.processes.bot_process import BotProcess
from dohyo.match.processes.launch import Launch
from dohyo.match.processes.poller import Poller, await_reading
from dohyo.match.processes.stopwatch import Stopwatch, Watches

NANO = 1_000_000_000
ALL_LINES = 10.0  # seconds for lines that are read at once: nobody whose lines trickle in holds the check


class Probe:
    """A running bot and what it wrote; `stop` ends it.

    `line` is the number of the last line that was read, from 1; `seconds` is how long the probe waited for it, or
    how much of that time was charged; `waited` the same of the first of several lines.
    """

    def __init__(
        self, launch: Launch, signals: DeferSignals, comment: str = "", watches: Watches | None = None
    ) -> None:
        """Start the bot; `signals` take effect while the probe waits for it. Raises `OSError`.

        `watches` makes its stopwatch (none: the clock measures wall time).
        """
        self._program = BotProcess(
            launch.command, launch.folder, launch.environment, comment, sandbox_factory=launch.sandbox_factory
        )
        with ExitStack() as undo:
            undo.callback(self._program.stop)
            self._poller = Poller(signals)
            self._poller.add(self._program)
            self._watch = None if watches is None else watches(self._program)
            undo.pop_all()
        self.line = 0
        self.seconds = self.waited = 0.0
        self.ran: float | None = None  # the processor time of the same, where it is measured
        self._errors: str | None = None  # once it is stopped

    @property
    def partial(self) -> str:
        """The beginning of a line that has no newline yet."""
        return self._program.partial

    def await_reading(self) -> None:
        """Wait for its first read, as in a match of a game without a ready word."""
        await_reading([self._program], self._poller)

    def verdict(self, fault: Fault) -> Fault:
        """The actual cause of a fault, found as in a match."""
        return self._program.verdict(fault)

    @property
    def limit_hit(self) -> Fault | None:
        """The limit that the bot reached, whether or not it failed for that reason; none where none is known."""
        late = Fault(FaultKind.TIMEOUT)  # a fault that a limit may have caused
        found = self._program.verdict(late)
        return None if found is late else found

    def send(self, text: bytes) -> None:
        """Send something; what the bot does not read now is sent while its output is read."""
        self._program.send(text)
        self._poller.follow_input(self._program)

    def read_line(self, seconds: float, behind: float = 0.0) -> bytes | Fault:
        """The next line as it came, without its newline; a fault, with its cause, if none comes within `seconds`.

        With `behind`, the stopwatch measures the time, if there is one, and `behind` is the limit in wall time.
        """
        watch = self._watch if behind else None
        if watch is not None:
            watch.start(seconds, behind)
        start = monotonic_ns()
        fault = self._wait_for_line(start, int(seconds * NANO), watch)
        elapsed = monotonic_ns() - start
        if fault is not None:
            self._note(elapsed if watch is None else watch.charged, watch)
            return fault
        self.line += 1
        if watch is not None:
            is_late = watch.is_late(elapsed, is_done=True)
            elapsed = max(watch.charged, int(seconds * NANO)) if is_late else watch.charged
        self._note(elapsed, watch)
        return self._program.take_bytes() or b""

    def _note(self, charged: int, watch: Stopwatch | None) -> None:
        """Note what the turn took, in nanoseconds, and what it ran."""
        self.seconds, self.ran = charged / NANO, None if watch is None else watch.ran / NANO

    def _wait_for_line(self, start: int, limit: int, watch: Stopwatch | None) -> Fault | None:
        """Wait until a line is there, at most `limit` nanoseconds from `start` on; the fault where none comes."""
        program, now = self._program, start
        self._poller.take_in(0)
        while not program.has_line:
            is_late = now - start >= limit if watch is None else watch.is_late(now - start, is_done=False)
            fault = verdict.judge(program, verdict.LINE, False, is_late, watch is not None and watch.by_watch)
            if fault is not None:
                return fault
            rest = start + (limit if watch is None else watch.next_look) - now
            self._poller.take_in(max(rest, program.ending))
            now = monotonic_ns()
        return None

    def read_lines(self, seconds: float, most: int) -> list[bytes]:
        """The lines that come, each within `seconds` of the one before, at most so many.

        They are waited for `ALL_LINES` seconds in all, or `seconds` if that is more: a trickle ends then, too.
        """
        lines: list[bytes] = []
        left = max(seconds, ALL_LINES)
        while len(lines) < most and left >= 0 and isinstance(line := self.read_line(min(seconds, left)), bytes):
            left -= self.seconds
            lines.append(line)
            self.waited = self.seconds if len(lines) == 1 else self.waited
        return lines

    def await_word(self, word: bytes, seconds: float) -> Fault | None:
        """Read until a line is this word, for at most `seconds` in all; the fault if none comes.

        What `self.seconds` says then is how long that took.
        """
        fault, left = Fault(FaultKind.TIMEOUT), seconds
        while left > 0:
            reply = self.read_line(left)
            left -= self.seconds
            if isinstance(reply, Fault) or reply.strip() == word:
                self.seconds = seconds - left
                return reply if isinstance(reply, Fault) else None
        self.seconds = seconds - left
        return fault

    def read_to_end(self, seconds: float, most: int) -> list[bytes]:
        """Close its input; the lines that still come, each within `seconds`. The last one may lack its newline."""
        self._program.close_input()
        lines = self.read_lines(seconds, most)
        if not self._program.has_line and (rest := self._program.take_rest()):
            lines.append(rest)
        return lines

    def ask_where(self) -> None:
        """End the bot with SIGABRT, upon which many say where they are, and wait a moment for what it says."""
        self._program.abort()
        end = monotonic_ns() + LAST_WORDS
        while self._program.stderr_open and (left := end - monotonic_ns()) > 0:
            self._poller.take_in(left)

    def stop(self) -> str:
        """End the bot and its process group, if that was not done before; what it wrote to standard error."""
        if self._errors is None:
            with ExitStack() as ends:
                ends.callback(self._program.stop)
                if self._watch is not None:
                    ends.callback(self._watch.close)
                self._poller.remove(self._program)
            self._errors = self._program.take_asides()[0]
        return self._errors
