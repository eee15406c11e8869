"""When a signal may interrupt a match: while it waits, never while it works.

Theory of operation
-------------------
Python runs the handler of a signal between any two steps of the main thread, and the usual handler of Ctrl-C raises
an exception. If that came between the start of a process and the note that it was started, the process would be left
running. If it came between a step of the rules and the line that records it, the replay would be inconsistent. If it
came during cleaning up, the rest would not be cleaned up.

Therefore a `DeferSignals` replaces the handlers while a match lasts. When the match only waits, for programs or for
its caller's `on_turn`, it is open: a signal takes effect at once. At any other time the signal is remembered, and
takes effect when it is opened next, or at the end of the match.

Rules that never end would hold a signal back for ever. So a second one, arriving while the first is held and where
the match says that it breaks nothing (in the game's own code, which starts no process and records no line), takes
effect there. `broke` says so afterwards: the state is then in the middle of a turn.

Compiled rules that never end do not let Python run a handler at all: see `endless.py`.

Signals are not blocked, because every program that is started would inherit the blocking.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any

# All but the timer's, which ends blocking reads (`poller.py`).
SIGNALS = tuple(sorted(signal.valid_signals() - {getattr(signal, "SIGALRM", None)}, key=int))

Previous = Callable[[int, FrameType | None], Any]
NOTED: list[Callable[[], None]] = []  # called by each handler that runs, once compiled code may run, too
ENDLESS: list[tuple[Any, ...]] = []  # what `endless.py` is to do in this process: arguments of its `EndlessCode`


class DeferSignals:
    """Defers signals while a match works; a context manager. Outside the main thread it does nothing."""

    def __init__(self, may_break: Callable[[FrameType], bool] = lambda frame: False) -> None:
        """`may_break`: whether a second signal may take effect in this frame, although the match works."""
        self.broke = False
        self._may_break = may_break
        self._is_ending = False
        self._previous: dict[int, Previous] = {}
        self._held: list[int] = []
        self._is_open = False

    def __enter__(self) -> DeferSignals:
        if threading.current_thread() is threading.main_thread():
            for number in SIGNALS:
                previous = signal.getsignal(number)
                if callable(previous):  # the system's own actions (to end the process or to ignore) are not replaced
                    self._previous[number] = previous
                    signal.signal(number, self._arrive)
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        # Open, so that a signal during this loop leaves no handler in place that defers signals for ever.
        self._is_open = True
        for number, previous in self._previous.items():
            if signal.getsignal(number) == self._arrive:  # otherwise the handler itself has installed another
                signal.signal(number, previous)
        if kind is None:  # otherwise an exception is being raised already, and a second one would only hide it
            self.open()

    def open(self) -> None:
        """From now on a signal takes effect at once; a deferred one does so here."""
        self._is_open = True
        while self._held:
            self._pass_on(self._held.pop(0), None)

    def shut(self) -> None:
        """From now on signals are deferred."""
        self._is_open = False

    def _arrive(self, number: int, frame: FrameType | None) -> None:
        for tell in NOTED:
            tell()
        if self._is_open:
            self._pass_on(number, frame)
        elif self._held and not self._is_ending and frame is not None and self._may_break(frame):
            self.broke = True
            self._pass_on(number, frame)
            self.broke = self._is_open = False  # the handler has only taken note of it
        else:
            self._held.append(number)

    def _pass_on(self, number: int, frame: FrameType | None) -> None:
        self._is_ending = True
        self._is_open = False  # if the handler raises, cleaning up follows, during which signals are deferred
        self._previous[number](number, frame)
        self._is_ending = False
        self._is_open = True
