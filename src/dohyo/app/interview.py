"""A conversation with one program that may do everything wrong: it is listened to beyond what a match would allow."""

from __future__ import annotations

from contextlib import ExitStack
from time import monotonic_ns

from msgspec.structs import replace

from dohyo.core.faults import Fault, FaultKind
from dohyo.interrupts import DeferSignals
from dohyo.runner import verdict
from dohyo.runner.bot_process import BotProcess
from dohyo.runner.launch import Launch
from dohyo.runner.poller import Poller, await_reading
from dohyo.runner.stopwatch import Watches

NANO = 1_000_000_000


class Interview:
    """A living program and what came from it. Made running; `stop` ends it.

    `line` is the number of the line heard last, from 1, and `seconds` how long it was waited for, or what of that was
    charged.
    """

    def __init__(
        self, launch: Launch, signals: DeferSignals, comment: str = "", watches: Watches | None = None
    ) -> None:
        """Start the program; `signals` take effect while it is waited for. Raises `OSError`.

        `watches` makes its stopwatch (none: the clock is a plain watch).
        """
        self._program = BotProcess(launch.command, launch.folder, launch.environment, comment, house=launch.house)
        with ExitStack() as undo:
            undo.callback(self._program.stop)
            self._poller = Poller(signals)
            self._poller.add(self._program)
            self._watch = None if watches is None else watches(self._program)
            undo.pop_all()
        self.line = 0
        self.seconds = 0.0
        self._errors: str | None = None  # once it is stopped

    @property
    def partial(self) -> str:
        """The beginning of a line that has no newline yet."""
        return self._program.partial

    def await_reading(self) -> None:
        """Let it come to its first read, as in a match of a game without a word for being ready."""
        await_reading([self._program], self._poller)

    def verdict(self, fault: Fault) -> Fault:
        """What a fault of the program's really was, as in a match."""
        return self._program.verdict(fault)

    @property
    def ran_into(self) -> Fault | None:
        """The limit that it ran into, whether or not it fails by it; none where nobody knows of one."""
        late = Fault(FaultKind.TIMEOUT)  # a fault that may come of it
        found = self._program.verdict(late)
        return None if found is late else replace(found, detail=found.detail.removesuffix("; "))

    def send(self, text: bytes) -> None:
        """Send something; what the program does not read now, it is sent while it is listened to."""
        self._program.send(text)
        self._poller.follow_input(self._program)

    def hear(self, seconds: float, behind: float = 0.0) -> bytes | Fault:
        """The next line, without its newline, as it came; a fault when none comes within `seconds`, and why.

        With `behind`, time is told by the stopwatch, if there is one, and so many seconds are allowed by the watch.
        """
        program = self._program
        watch = self._watch if behind else None
        if watch is not None:
            watch.start(seconds, behind)
        start = now = monotonic_ns()
        self._poller.take_in(0)
        while not program.has_line:
            is_late = now - start >= seconds * NANO if watch is None else watch.is_late(now - start, is_done=False)
            fault = verdict.judge(program, verdict.LINE, False, is_late, watch is not None and watch.by_watch)
            if fault is not None:
                return fault
            rest = start + (int(seconds * NANO) if watch is None else watch.next_look) - now
            self._poller.take_in(max(rest, program.ending))
            now = monotonic_ns()
        self.line += 1
        elapsed = monotonic_ns() - start
        if watch is not None:
            is_late = watch.is_late(elapsed, is_done=True)
            elapsed = max(watch.charged, int(seconds * NANO)) if is_late else watch.charged
        self.seconds = elapsed / NANO
        return program.take_bytes() or b""

    def hear_all(self, seconds: float, most: int) -> list[bytes]:
        """The lines that come, each within `seconds` of the one before, at most so many."""
        lines: list[bytes] = []
        while len(lines) < most and isinstance(line := self.hear(seconds), bytes):
            lines.append(line)
        return lines

    def last_words(self, seconds: float, most: int) -> list[bytes]:
        """The lines that come when its input is closed; the last one may lack its newline."""
        self._program.close_input()
        lines = self.hear_all(seconds, most)
        if not self._program.has_line and (rest := self._program.take_rest()):
            lines.append(rest)
        return lines

    def stop(self) -> str:
        """End the program and its process group, if that was not done before; what it wrote to standard error."""
        if self._errors is None:
            with ExitStack() as ends:
                ends.callback(self._program.stop)
                if self._watch is not None:
                    ends.callback(self._watch.close)
                self._poller.remove(self._program)
            self._errors = self._program.take_asides()[0]
        return self._errors
