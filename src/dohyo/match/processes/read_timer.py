"""A timer that interrupts a blocking read, so that waiting for one program's line costs one system call, not two.

Theory of operation
-------------------
A blocking read is the cheapest way to wait, but it has no time limit. So a signal comes at every tick; it interrupts
the read, and Python repeats the read after the handler has run (PEP 475). When the limit is over, the handler makes
the descriptor non-blocking: the repeated read then fails at once, and its caller looks at the clock. The tick decides
only when to look; the time that is judged is measured by the caller.

A handler that runs late says for how long this thread could not run, whatever it waited for: a processor, a page, or
Python's lock that another thread holds, which no number of the system tells (`late_since`).

Only the main thread gets signals, and the process has only one such timer. In other threads, or when other code uses
the timer, there is no tick, and the caller waits by `poll`.
"""

from __future__ import annotations

import os
import signal
import threading
from time import monotonic_ns
from types import FrameType

SECONDS = 0.2  # between ticks


class ReadTimer:
    """The timer, from `start` to `stop`; `is_running` says whether there is one."""

    def __init__(self, seconds: float = SECONDS) -> None:
        """The timer has a tick of so many seconds."""
        self._seconds = seconds
        self.is_running = False
        self.descriptor = -1  # whose read to interrupt
        self.end = 0  # when, on `monotonic_ns`
        self.begun = 0  # the same: when the program that is read from was asked
        self._late = self._ticked = 0  # nanoseconds by which ticks since then came too late; when the last one came

    def start(self) -> None:
        """Start the timer, if no other code uses it."""
        if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
            return
        if signal.getsignal(signal.SIGALRM) is not signal.SIG_DFL or any(signal.getitimer(signal.ITIMER_REAL)):
            return
        signal.signal(signal.SIGALRM, self._break_in)
        signal.setitimer(signal.ITIMER_REAL, self._seconds, self._seconds)
        self.is_running = True

    def stop(self) -> None:
        """Stop the timer, and leave the signal as it was."""
        if self.is_running:
            self.is_running = False
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, signal.SIG_DFL)

    def late_since(self, begun: int) -> int:
        """For how many nanoseconds this thread could not run in reads since then, as far as ticks have shown."""
        return self._late if self._ticked >= begun else 0

    def _break_in(self, number: int, frame: FrameType | None) -> None:
        if self.descriptor < 0:
            return
        now = monotonic_ns()
        before, self._late = (self._ticked, self._late) if self._ticked >= self.begun else (self.begun, 0)
        self._late += max(0, now - before - int(self._seconds * 1_000_000_000))
        self._ticked = now
        if now >= self.end:
            os.set_blocking(self.descriptor, False)
