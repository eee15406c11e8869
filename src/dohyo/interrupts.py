"""When a signal may interrupt a match: while it waits, never while it works.

Theory of operation
-------------------
Python runs the handler of a signal between any two steps of the main thread, and the usual handler of Ctrl-C raises.
Between the start of a process and the note that it was started, such an exception would leave the process behind;
between a step of the rules and the line that records it, a replay that does not add up; in the midst of cleaning up,
whatever was not cleaned up yet.

A `DeferSignals` therefore stands before the handlers for as long as a match lasts. Where the match only waits, for
programs or for its caller's `on_turn`, it is open: a signal takes effect at once. Anywhere else the signal is
remembered, and takes effect at the next place that is open, or at the end of the match.

Handlers are replaced, signals are not blocked: a blocked one would be inherited by every program that is started.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any

# All but the timer's, which ends reads that block (`read_timer.py`).
SIGNALS = tuple(sorted(signal.valid_signals() - {getattr(signal, "SIGALRM", None)}, key=int))

Previous = Callable[[int, FrameType | None], Any]


class DeferSignals:
    """Holds signals back while a match works; a context manager. Outside the main thread it has nothing to do."""

    def __init__(self) -> None:
        self._previous: dict[int, Previous] = {}
        self._held: list[int] = []
        self._is_open = False

    def __enter__(self) -> DeferSignals:
        if threading.current_thread() is threading.main_thread():
            for number in SIGNALS:
                previous = signal.getsignal(number)
                if callable(previous):  # the system's own actions, to die or to ignore, are left alone
                    self._previous[number] = previous
                    signal.signal(number, self._arrive)
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        # Open, so that a signal in the midst of this loop leaves no handler behind that holds signals back for ever.
        self._is_open = True
        for number, previous in self._previous.items():
            if signal.getsignal(number) == self._arrive:  # otherwise the handler itself has put another in its place
                signal.signal(number, previous)
        if kind is None:  # otherwise an exception is on its way already, and a second one would only hide it
            self.open()

    def open(self) -> None:
        """From now on a signal takes effect at once; one that was held back does so here."""
        self._is_open = True
        while self._held:
            self._pass_on(self._held.pop(0), None)

    def shut(self) -> None:
        """From now on signals are held back."""
        self._is_open = False

    def _arrive(self, number: int, frame: FrameType | None) -> None:
        if self._is_open:
            self._pass_on(number, frame)
        else:
            self._held.append(number)

    def _pass_on(self, number: int, frame: FrameType | None) -> None:
        self._is_open = False  # if the handler raises, cleaning up follows, and that is shielded
        self._previous[number](number, frame)
        self._is_open = True
