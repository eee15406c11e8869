"""Work of the judge that ends before its end: matches while somebody waits, a hand-in that takes too long."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from time import monotonic
from types import FrameType
from typing import Any

from dohyo.executors.messages import Executor, MatchOrder, MatchReport
from dohyo.executors.pool import Pool

LOOK = 1.0  # seconds between two looks whether to stop
OVER = signal.SIGUSR1


class Stopped(Exception):  # noqa: N818
    """The matches were stopped, as something else has to be done first. What has a result, has been reported."""


class TimeIsOver(KeyboardInterrupt):
    """What was begun has taken all its time. It ends as at Ctrl-C: nothing is left running."""


class Interruptible:
    """An executor whose matches stop when `must_stop(seconds)` says so, by how long they have been played in one go.

    A pool's stop at once, those elsewhere when the next report is there. When `must_pause(seconds)` does, no more are
    begun, and those that are being played are played to their ends.
    """

    def __init__(
        self,
        executor: Executor,
        must_stop: Callable[[float], bool],
        must_pause: Callable[[float], bool] = lambda seconds: False,
    ) -> None:
        self._executor = executor
        self._must_stop = must_stop
        self._must_pause = must_pause

    @property
    def workers(self) -> int:
        """How many matches are played at once."""
        return self._executor.workers

    def __enter__(self) -> Interruptible:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def play(self, orders: Iterable[MatchOrder]) -> Iterator[MatchReport]:
        """Play the orders; their reports. Raises `Stopped` where it has to end before the last of them."""
        stopped = threading.Event()
        begun = monotonic()

        def some() -> Iterator[MatchOrder]:
            for order in orders:
                if self._must_pause(monotonic() - begun):
                    stopped.set()
                    return
                yield order

        def stop() -> None:
            if isinstance(self._executor, Pool):
                self._executor.give_up()

        with given_up(self._must_stop, stop) as over:
            playing: Any = self._executor.play(some())
            with closing(playing) as reports:
                for report in reports:
                    yield report
                    if over.is_set() and not isinstance(self._executor, Pool):
                        break
        if stopped.is_set() or over.is_set():
            raise Stopped

    def close(self) -> None:
        """End whatever runs."""
        self._executor.close()


@contextmanager
def given_up(must_stop: Callable[[float], bool], stop: Callable[[], object]) -> Iterator[threading.Event]:
    """A block during which `stop` is called, once, when `must_stop(seconds)` says so; the event is set then."""
    ends, stopped = threading.Event(), threading.Event()
    begun = monotonic()

    def look() -> None:
        while not ends.wait(LOOK):
            if must_stop(monotonic() - begun):
                stopped.set()
                stop()
                return

    watch = threading.Thread(target=look, daemon=True)
    watch.start()
    try:
        yield stopped
    finally:
        ends.set()
        watch.join()


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """A block of this process's main thread that ends with `TimeIsOver` if it is not done by then.

    Whatever ended as at Ctrl-C because of that, a match that was interrupted too, ends with it.
    """
    ended, over = threading.Event(), threading.Event()

    def end(number: int, frame: FrameType | None) -> None:
        if not ended.is_set():
            raise TimeIsOver

    def send() -> None:
        if not ended.is_set():
            over.set()
            os.kill(os.getpid(), OVER)

    before: Any = signal.signal(OVER, end)
    timer = threading.Timer(seconds, send)
    timer.daemon = True
    timer.start()
    try:
        yield
    except KeyboardInterrupt as interrupt:
        if over.is_set():
            raise TimeIsOver from interrupt
        raise
    finally:
        ended.set()
        timer.cancel()
        signal.signal(OVER, before)
