"""UCI engines that wait between the matches of one series, so that these need not start them again.

Theory of operation
-------------------
An engine that has played a match without a fault is told at once that another one comes: `stop` (should it think
about something), `ucinewgame`, `isready`. When a match comes for which the very same program would be started, in the
same sandbox, with the same options, it is taken once it has answered `readyok`; then all is as after a handshake. One
that has ended meanwhile, or does not answer, is ended, and a new one is started: that is no fault of anybody. Such an
engine is kept no more. While a match is played, those that wait for another one are paused: whatever they do, it
takes nothing from who plays.

What the operator's word for a bot, its folder and the sandbox say is in `Launch.kept_as`, made in one place
(`match/play.py`). Only processor time, output and standard error are counted by match; memory, tasks and disk are
limited for a process as long as it lives. So one that has reached such a limit is not kept, and none plays more than
`MAX_MATCHES`: what it leaks, it leaks for so long. At most `MAX_WAITING` wait; the one that has waited longest is
ended first.

What an engine has learnt stays with it, as far as it does not forget it at `ucinewgame`. So this is for an operator's
own comparisons, not for contests among strangers: `docs/decisions/0032-engines-are-kept-in-comparisons.md`.
"""

from __future__ import annotations

from contextlib import ExitStack
from time import monotonic_ns

from dohyo.core.faults import Fault, FaultKind
from dohyo.interrupts import DeferSignals
from dohyo.match.processes.bot_process import BotProcess
from dohyo.match.processes.poller import Poller

NEW_MATCH = b"stop\nucinewgame\nisready\n"
READY = b"readyok"
MAX_WAITING = 2  # of one thread; what they hold of the machine's memory is held besides the match that is played
MAX_MATCHES = 100  # of one process
LONGEST_WAIT = 10_000_000_000  # nanoseconds to answer `isready`, as before a first match

Key = tuple[str, ...]  # what tells one engine from others: equal keys are the same program with the same options


class KeptEngines:
    """The engines that wait for their next match. One thread's; `close` ends them."""

    def __init__(self) -> None:
        self._waiting: list[tuple[Key, BotProcess]] = []  # the one that has waited longest first
        self._unfit: set[Key] = set()  # those that were not ready for another match

    def pause(self) -> None:
        """A match begins: pause all that wait; those that play in it are taken next."""
        for _, process in self._waiting:
            process.pause()

    def take(self, key: Key, signals: DeferSignals) -> BotProcess | None:
        """An engine with this key that is ready for its next match, if one is here; `signals` take effect meanwhile.

        One that is not ready is ended.
        """
        for at, (known, process) in enumerate(self._waiting):
            if known == key:
                del self._waiting[at]
                with ExitStack() as undo:
                    undo.callback(process.stop)
                    process.resume()
                    if not _is_ready(process, signals):
                        self._unfit.add(key)
                        return None
                    undo.pop_all()
                return process
        return None

    def keep(self, key: Key, process: BotProcess) -> None:
        """Keep an engine that has played a match without a fault, or end it if it should play no more."""
        self._waiting.append((key, process))
        if key in self._unfit or process.matches >= MAX_MATCHES or not _is_sound(process):
            self._end(len(self._waiting) - 1)
            return
        process.resume()
        process.send(NEW_MATCH)
        if len(self._waiting) > MAX_WAITING:
            self._end(0)

    def close(self) -> None:
        """End all that wait."""
        with ExitStack() as ends:  # each is ended even if another one fails
            while self._waiting:
                ends.callback(self._waiting.pop()[1].stop)

    def _end(self, at: int) -> None:
        self._waiting.pop(at)[1].stop()


def _is_sound(process: BotProcess) -> bool:
    """Whether nothing of the last match is left over, and no limit of its sandbox was reached."""
    seen = Fault(FaultKind.CLOSED)
    return process.is_tidy and process.stderr_open and not process.holds and process.verdict(seen) == seen


def _is_ready(process: BotProcess, signals: DeferSignals) -> bool:
    """Wait until it has answered `isready`; whether it has, and has nothing else to say."""
    poller, end = Poller(signals), monotonic_ns() + LONGEST_WAIT
    poller.add(process)
    try:
        while process.stdout_open and not process.flooded:
            while (line := process.take_before_ready()) is not None:
                if line.strip() == READY:
                    return not process.has_unsent
            if (left := end - monotonic_ns()) <= 0:
                return False
            poller.take_in(left)
        return False
    finally:
        poller.remove(process)
