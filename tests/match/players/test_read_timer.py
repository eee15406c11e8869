"""The tick breaks into a blocking read when its time is over, and leaves nothing behind."""

from __future__ import annotations

import os
import signal
import threading
from time import monotonic_ns

import pytest

from dohyo.match.processes.poller import ReadTimer


def test_a_read_is_broken_into_when_its_time_is_over() -> None:
    """A blocking read of a pipe in which nothing comes ends by an error; its descriptor does not block any more."""
    reader, writer = os.pipe()
    tick = ReadTimer(0.001)
    tick.start()
    try:
        tick.descriptor, tick.end = reader, monotonic_ns()
        with pytest.raises(BlockingIOError):
            os.read(reader, 1)
        assert not os.get_blocking(reader)
    finally:
        tick.stop()
        os.close(reader)
        os.close(writer)
    assert signal.getsignal(signal.SIGALRM) is signal.SIG_DFL
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_the_timer_of_somebody_else_is_left_alone() -> None:
    """Who uses the signal already keeps it: there is no tick then, nor in another thread."""
    seen: list[int] = []
    signal.signal(signal.SIGALRM, lambda number, frame: seen.append(number))
    try:
        tick = ReadTimer()
        tick.start()
        assert not tick.is_running
    finally:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
    other = ReadTimer()
    thread = threading.Thread(target=other.start)
    thread.start()
    thread.join()
    assert not other.is_running


def test_two_at_once_share_nothing() -> None:
    """The second finds the timer taken; when the first has stopped, it is free again."""
    first, second = ReadTimer(), ReadTimer()
    first.start()
    second.start()
    assert (first.is_running, second.is_running) == (True, False)
    second.stop()
    assert signal.getsignal(signal.SIGALRM) is not signal.SIG_DFL
    first.stop()
    second.start()
    assert second.is_running
    second.stop()
