"""Signals that ask us to end: Ctrl-C, SIGTERM, a closed terminal. The first one becomes one exception.

After it comes the cleaning up, which a second Ctrl-C must not interrupt: signals are ignored after the first one.

Where compiled rules that never end let no handler run, or keep the cleaning up waiting, a second Ctrl-C ends the
process at once: see `dohyo/endless.py`.

A signal may come while Python runs a finalizer, or a callback of its own (its imports have some). Python reports an
exception there and discards it. So the signal is sent once more, and is not lost.
"""

from __future__ import annotations

import _thread
import os
import signal
import sys
import time
from collections.abc import Callable
from types import FrameType
from typing import Any

from dohyo import interrupts

# Windows lacks some of these names; the import must succeed, so that the message refusing Windows can be printed.
ENDING = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))

TWICE, PATIENCE = 2, 0.3  # so many signals, and seconds for Python to take note: a sender may repeat the first one
AGAIN = 0.01  # seconds until a signal is sent once more; it is sent again until the exception could be raised


class Stop(KeyboardInterrupt):
    """A signal asked us to end; `number` is the signal's."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


class Ended(SystemExit):
    """A command that a signal ended: its exit status, and its own sentence, or none for the usual one."""

    def __init__(self, status: int, sentence: str = "") -> None:
        super().__init__(status)
        self.status = status
        self.sentence = sentence


def listen(at_once: Callable[[], str] = str) -> None:
    """From now on raise `Stop` for the signals that ask us to end, except those that our parent made us ignore.

    `at_once` gives the sentence for a second one that has to end the process at once.
    """
    interrupts.ENDLESS[:] = [(ENDING, TWICE, PATIENCE, at_once)]
    ours = [number for number in ENDING if signal.getsignal(number) is not signal.SIG_IGN]
    before = sys.unraisablehook

    def thrown_away(what: Any) -> None:
        if not isinstance(what.exc_value, Stop):
            before(what)
            return
        for number in ours:
            signal.signal(number, _stop)
        _thread.start_new_thread(_send_again, (what.exc_value.number,))

    sys.unraisablehook = thrown_away
    for number in ours:
        signal.signal(number, _stop)


def _send_again(number: int) -> None:
    time.sleep(AGAIN)
    os.kill(os.getpid(), number)


def _stop(number: int, frame: FrameType | None) -> None:
    if interrupts.NOTED:
        from dohyo import endless

        endless.begins_to_end()
    for tell in interrupts.NOTED:
        tell()
    for each in ENDING:
        signal.signal(each, _again if interrupts.NOTED else signal.SIG_IGN)
    raise Stop(number)


def _again(number: int, frame: FrameType | None) -> None:
    """Ignored by Python; `EndlessCode` sees it."""


def exit_status(interrupt: BaseException) -> int:
    """The exit status that says which signal it was, as in shells: 128 + its number."""
    for error in (interrupt, interrupt.__cause__):
        if isinstance(error, Stop):
            return 128 + error.number
    return 128 + signal.SIGINT
