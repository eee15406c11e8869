"""Notices that the referee stood still while it waited for programs, and whether that matters to their answers.

Theory of operation
-------------------
The referee may be stopped (SIGSTOP, a debugger, a frozen control group), or the whole machine may sleep. When the
referee continues, every program that it waits for looks late. So no wait is longer than `BEAT`. After each wait, the
clock that also counts sleep says how long the wait really took. The excess, less the time in which any of our threads
ran or was ready to run, is the time for which the referee stood still. All our threads count, because this one may
have waited for Python's lock while another held it (the sandbox's monitor, for example, which a program can keep
busy).

That is so for waits that no program can make longer: `poll`. In a read or a write, a program may have held us by its
pipe. Of these, only that counts as a standstill for which the watchdog's thread is a witness (`watchdog.py`).

A match is disturbed when the referee stood still for long, or when a program was late only because of that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from dohyo.core.replay import BUSY, STOPPED
from dohyo.match.processes.watchdog import NANO, USUAL, WATCHDOG, now
from dohyo.system import proc

BEAT = 50_000_000  # nanoseconds of one wait, at most
LONG = 1_000_000_000  # nanoseconds; a bot that measures its own thinking time has lost this much


class Heartbeat:
    """The heartbeat of one match.

    `disturbed` is for how many nanoseconds the referee stood still when it mattered, or a program had no processor;
    `why` says which.
    """

    def __init__(
        self,
        moment: Callable[[], int] = now,
        busy: Callable[[], int] | None = None,
        witness: Callable[[int, int], int] = WATCHDOG.stood_still,
    ) -> None:
        """`moment` is the clock; `busy` returns how long our threads have run or were ready to run.

        `witness` says for how long the whole process stood still between two moments, as far as that was seen.
        """
        busy = busy or proc.OwnTime()
        self._moment, self._busy, self._witness = moment, busy, witness
        self.disturbed = 0
        self.why = ""  # a word of `Replay.disturbed_by`
        self.missed = 0  # nanoseconds since `start`
        self._mark = self._read_at = moment()
        self._known = busy()

    def start(self, ago: int = 0) -> None:
        """The referee begins to wait for programs now, or began so many nanoseconds ago."""
        self.missed = 0
        if ago:
            self._mark = self._moment() - ago
        else:
            self.resume()

    def resume(self) -> None:
        """The referee waits for programs again from now on, after a wait for something else."""
        self._mark = self._moment()
        if self._mark - self._read_at > BEAT:
            self._read()

    def go_on(self) -> None:
        """The wait goes on, after reads and writes: in these, a program may have held us."""
        before, known = self._mark, self._known
        self.resume()
        over = self._mark - before
        if over > USUAL:
            self._read()  # where threads of ours wanted to run, nothing stood still: the machine was busy
            stood = min(over - (self._known - known), self._witness(before, self._mark))
            if stood > USUAL:
                self.missed += stood

    def check(self, allowed: int, is_poll: bool = True) -> None:
        """Call it after a wait that should have taken at most `allowed` nanoseconds.

        If it was not a `poll`, which no program can make longer, only what the witness has seen counts.
        """
        moment, began = self._moment(), self._mark
        over, self._mark = moment - began - allowed, moment
        if over > USUAL:
            before = self._known
            self._read()
            stood = over - (self._known - before)
            if not is_poll:
                stood = min(stood, self._witness(began, moment))
            if stood > USUAL:
                self.missed += stood
        elif moment - self._read_at > BEAT:
            self._read()

    def judge(self, answers: Iterable[tuple[float, float]]) -> None:
        """Note whether the standstill matters to answers: for each, its seconds and how many were allowed."""
        if not self.missed:
            return
        spared = self.spared / NANO
        if self.missed >= LONG or any(limit <= seconds < limit + spared for seconds, limit in answers):
            self.disturbed += self.missed
            self.why = self.why or STOPPED
        self.missed = 0

    @property
    def spared(self) -> int:
        """Nanoseconds by which who is late may be late only because the referee stood still since `start`."""
        return self.missed + BEAT if self.missed else 0  # for the rest of the wait in which it stood still, one more

    def set_aside(self, nanoseconds: int) -> None:
        """A verdict would not be sure: a program had no processor for all of this time, whoever needed it."""
        self.disturbed += max(1, nanoseconds)
        self.why = BUSY

    def _read(self) -> None:
        self._known, self._read_at = self._busy(), self._mark
