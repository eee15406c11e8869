"""Says that a match does not end: a tuning waits for each, and nobody would know what for.

Every match but a slow one is over within a minute; one that is not may never be, where no clock ends it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from threading import Event, Lock, Thread
from time import monotonic

from dohyo.executors import Executor, MatchOrder, MatchReport

FIRST = 60.0  # seconds without a report until it is said; each further time after twice as long
LOOKS = 1.0  # seconds from one look at the clock to the next
Say = Callable[[MatchOrder, float], None]


class Silence:
    """How long no match has ended, while some are played. Two threads may call it."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._open: dict[str, MatchOrder] = {}  # in the order in which they were taken
        self._since, self._next = 0.0, FIRST

    def taken(self, order: MatchOrder, now: float) -> None:
        """A match was taken to be played; the first one that is open is surely being played."""
        with self._lock:
            if not self._open:
                self._since, self._next = now, FIRST
            self._open[order.key] = order

    def over(self, key: str, now: float) -> None:
        """A match is over."""
        with self._lock:
            self._open.pop(key, None)
            self._since, self._next = now, FIRST

    def look(self, now: float) -> tuple[MatchOrder, float] | None:
        """The match that is open longest, and for how many seconds none has ended, if that is to be said now."""
        with self._lock:
            seconds = now - self._since
            if not self._open or seconds < self._next:
                return None
            while self._next <= seconds:
                self._next *= 2
            return next(iter(self._open.values())), seconds


class SaysWhatWaits:
    """An executor that passes everything on to another one, and says when no match has ended for a minute."""

    def __init__(self, executor: Executor, say: Say, clock: Callable[[], float] = monotonic) -> None:
        self._executor, self._say, self._clock = executor, say, clock
        self._silence = Silence()

    @property
    def workers(self) -> int:
        """Matches at once."""
        return self._executor.workers

    def play(self, orders: Iterable[MatchOrder]) -> Iterator[MatchReport]:
        """Play all orders, as the other one does."""
        self._silence, ended = Silence(), Event()
        looking = Thread(target=self._watch, args=(ended,), daemon=True)
        looking.start()
        try:
            with closing(self._executor.play(self._noting(orders))) as reports:  # type: ignore[type-var]
                for report in reports:
                    self._silence.over(report.key, self._clock())
                    yield report
        finally:
            ended.set()
            looking.join()

    def _noting(self, orders: Iterable[MatchOrder]) -> Iterator[MatchOrder]:
        for order in orders:
            self._silence.taken(order, self._clock())
            yield order

    def _watch(self, ended: Event) -> None:
        while not ended.wait(LOOKS):
            self.look()

    def look(self) -> None:
        """Look at the clock, and say what is to be said."""
        found = self._silence.look(self._clock())
        if found is not None:
            self._say(*found)

    def close(self) -> None:
        """End whatever runs."""
        self._executor.close()

    def __enter__(self) -> SaysWhatWaits:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
