"""What the judge does ends before its end where somebody waits, or where it takes too long."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterable, Iterator
from typing import Any

import pytest

from dohyo.executors.pool import Pool
from dohyo.guests.site.judging import interruptible
from dohyo.guests.site.judging.interruptible import Interruptible, Stopped, TimeIsOver, time_limit


class EndlessPool(Pool):
    """A pool that reports one match, and plays the next one until it is told to give up."""

    workers = 1

    def __init__(self) -> None:
        self.gives_up = threading.Event()

    def play(self, orders: Iterable[Any]) -> Iterator[str]:
        """One report, and then nothing."""
        yield "first"
        assert self.gives_up.wait(60)

    def give_up(self) -> None:
        """End what is being played."""
        self.gives_up.set()

    def close(self) -> None:
        """Nothing runs."""


def test_matches_stop_when_somebody_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """What has a result is reported; then the rest is stopped, and said to be so."""
    monkeypatch.setattr(interruptible, "LOOK", 0.01)
    pool: Any = EndlessPool()
    reports = Interruptible(pool, lambda seconds: True).play([])
    assert next(reports) == "first"
    with pytest.raises(Stopped):
        next(reports)


def endless() -> None:
    """A block that would never end."""
    with time_limit(0.05):
        while True:
            signal.sigtimedwait([], 0.01)


def test_what_takes_too_long_is_ended() -> None:
    """A block that does not end by itself ends when its time is over, and leaves no handler behind."""
    before = signal.getsignal(interruptible.OVER)
    with pytest.raises(TimeIsOver):
        endless()
    assert signal.getsignal(interruptible.OVER) is before


def interrupted() -> None:
    """A block that ends as an interrupted match does, with an exception of its own."""
    with time_limit(0.05):
        try:
            while True:
                signal.sigtimedwait([], 0.01)
        except KeyboardInterrupt as interrupt:
            raise KeyboardInterrupt("a match") from interrupt


def test_what_is_interrupted_by_it_is_said_to_take_too_long() -> None:
    """A match that is ended by the time limit raises an error of its own; it is known why all the same."""
    with pytest.raises(TimeIsOver):
        interrupted()


def test_another_signal_is_not_taken_for_the_limit() -> None:
    """Ctrl-C stays Ctrl-C."""
    with pytest.raises(KeyboardInterrupt, match="mine"), time_limit(60):
        raise KeyboardInterrupt("mine")


def test_what_is_done_in_time_is_not_ended() -> None:
    """A block that ends in time is not interrupted afterwards."""
    with time_limit(60):
        pass
