"""Signals that ask us to end: Ctrl-C, SIGTERM, a closed terminal. Each becomes one exception, once.

What follows is tidying up, which a second Ctrl-C must not cut short: from the first signal on they are ignored.

A signal may come while Python runs a finalizer, or a callback of its own (its imports have some). An exception there
is reported and thrown away. So that the signal is not lost with it, it is sent once more.
"""

from __future__ import annotations

import _thread
import os
import signal
import sys
import time
from types import FrameType
from typing import Any

# Windows lacks some of these names, and must get as far as the sentence that refuses it.
ENDING = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))

AGAIN = 0.01  # seconds until a signal is sent once more: whatever could not raise is over then, or it is sent again


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


def listen() -> None:
    """From now on raise `Stop` for the signals that ask us to end, except those that our parent had us ignore."""
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
    for each in ENDING:
        signal.signal(each, signal.SIG_IGN)
    raise Stop(number)


def exit_status(interrupt: BaseException) -> int:
    """The exit status that tells which signal it was, as shells count: 128 + its number."""
    for error in (interrupt, interrupt.__cause__):
        if isinstance(error, Stop):
            return 128 + error.number
    return 128 + signal.SIGINT
