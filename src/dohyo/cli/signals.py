"""Signals that ask us to end: Ctrl-C, SIGTERM, a closed terminal. Each becomes one exception, once.

What follows is tidying up, which a second Ctrl-C must not cut short: from the first signal on they are ignored.
"""

from __future__ import annotations

import signal
from types import FrameType

# Windows lacks some of these names, and must get as far as the sentence that refuses it.
ENDING = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))


class Stop(KeyboardInterrupt):
    """A signal asked us to end; `number` is the signal's."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


class Ended(SystemExit):
    """A command that a signal ended: its exit status, and what to tell (a sentence of its own, or the usual one)."""

    def __init__(self, status: int, sentence: str = "") -> None:
        super().__init__(status)
        self.status = status
        self.sentence = sentence


def listen() -> None:
    """From now on raise `Stop` for the signals that ask us to end, except those that our parent had us ignore."""
    for number in ENDING:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _stop)


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
