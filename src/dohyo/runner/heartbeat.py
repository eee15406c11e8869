"""Whether the referee itself stood still while it awaited programs: then a match's times say nothing about its bots.

Theory of operation
-------------------
Somebody may stop the referee (SIGSTOP, a debugger, a frozen control group), or the whole machine may sleep. When it
goes on, every program that was awaited looks late. So no wait is longer than `BEAT`, and after each the clock that
also counts sleep says how long it really took. For what it took too long, while none of our threads ran or was ready
to run, the referee stood still. The others count too: this one may have waited for Python's lock, which they held
(the sandbox's monitor, say, that a program can keep busy).

A match is disturbed when that was long, or when a program was called late that would have been in time without it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

from dohyo.runner import usage

NANO = 1_000_000_000
BEAT = 50_000_000  # nanoseconds of one wait, at most
USUAL = 20_000_000  # nanoseconds that a wait takes too long on any machine, now and then
LONG = 1_000_000_000  # nanoseconds: whoever thinks by a watch of its own has had so much less time
CLOCK = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


def now() -> int:
    """Nanoseconds of a clock that goes on while the machine sleeps."""
    return time.clock_gettime_ns(CLOCK)


class Heartbeat:
    """Of one match. `disturbed` is how long the referee stood still where it mattered, in nanoseconds."""

    def __init__(self, moment: Callable[[], int] = now, busy: Callable[[], int] | None = None) -> None:
        """`moment` is the clock; `busy` tells how long our threads have run and were ready to run."""
        busy = busy or usage.OwnTime()
        self._moment, self._busy = moment, busy
        self.disturbed = 0
        self.missed = 0  # nanoseconds since `start`
        self._mark = self._read_at = moment()
        self._known = busy()

    def start(self, ago: int = 0) -> None:
        """From now on, or from so many nanoseconds ago, programs are awaited."""
        self.missed = 0
        if ago:
            self._mark = self._moment() - ago
        else:
            self.resume()

    def resume(self) -> None:
        """The same after something else was waited for."""
        self._mark = self._moment()
        if self._mark - self._read_at > BEAT:
            self._read()

    def check(self, allowed: int) -> None:
        """Since the last look, a wait of at most `allowed` nanoseconds should have ended."""
        moment = self._moment()
        over, self._mark = moment - self._mark - allowed, moment
        if over > USUAL:
            before = self._known
            self._read()
            stood = over - (self._known - before)
            if stood > USUAL:
                self.missed += stood
        elif moment - self._read_at > BEAT:
            self._read()

    def judge(self, answers: Iterable[tuple[float, float]]) -> None:
        """Note whether it matters that the referee stood still, to answers: their seconds, how many were allowed."""
        if not self.missed:
            return
        spared = (self.missed + BEAT) / NANO  # one more beat: the wait in which it stood still had a rest
        if self.missed >= LONG or any(limit <= seconds < limit + spared for seconds, limit in answers):
            self.disturbed += self.missed
        self.missed = 0

    def _read(self) -> None:
        self._known, self._read_at = self._busy(), self._mark
