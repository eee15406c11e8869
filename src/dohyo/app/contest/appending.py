"""Results into the store as they come; those that come thick and fast in one transaction.

A transaction takes as long as some hundred results in it. So a result waits for others, at most `HOLD` seconds after
the last transaction, where they come so fast that another one is sure to follow soon. Nothing is promised for those
that wait: when the process is killed their matches are played again.
"""

from __future__ import annotations

from time import monotonic, time
from typing import Protocol

from dohyo import clean
from dohyo.app.contest.orders import Orders
from dohyo.app.executors.messages import MatchReport
from dohyo.core.errors import OperatorError
from dohyo.interrupts import DeferSignals
from dohyo.store import Store
from dohyo.store.records import Match, Result
from dohyo.store.store import MOST_ATTEMPTS

HOLD = 0.2  # seconds
FAST = 0.02  # seconds from one result to the next, at most, for one to wait
WEIGHT = 0.2  # of the newest in the running mean of these


class Told(Protocol):
    """Who is told what was stored."""

    def on_result(self, match: Match, result: Result) -> None:
        """A result was stored."""

    def on_aside(self, match: Match, error: str) -> None:
        """A match is left open."""


class Appender:
    """Appends what comes of matches; a context manager, at whose end nothing waits any more.

    A signal does not cut a transaction short: it takes effect after it.
    """

    def __init__(self, store: Store, contest: int, orders: Orders, told: Told) -> None:
        self._store = store
        self._contest = contest
        self._orders = orders
        self._told = told
        self._waiting: list[tuple[Match, Result]] = []
        self._gap = HOLD  # between results, the running mean
        self._last = self._flushed = monotonic()

    def __enter__(self) -> Appender:
        return self

    def __exit__(self, *_: object) -> None:
        self.flush()

    def add(self, match: Match, report: MatchReport) -> None:
        """Append what came of a match. Raises `OperatorError` for what the operator has to mend first."""
        if report.error and report.mend:
            raise OperatorError("contest-match-stops", error=report.error)
        if report.error:
            self._fail(match, report)
            return
        with DeferSignals():
            self._waiting.append((match, self._orders.result(report)))
        now = monotonic()
        self._gap += WEIGHT * (now - self._last - self._gap)
        self._last = now
        if self._gap > FAST or now - self._flushed >= HOLD:
            self.flush()

    def flush(self) -> None:
        """Store what waits."""
        with DeferSignals():
            waiting, self._waiting = self._waiting, []
            if waiting:
                self._store.record(self._contest, [result for _, result in waiting])
            self._flushed = monotonic()
            for match, result in waiting:
                self._told.on_result(match, result)

    def _fail(self, match: Match, report: MatchReport) -> None:
        """Count a failed attempt, or several that the executor made already; maybe it was the last."""
        most = max(1, MOST_ATTEMPTS + 1 - report.attempts)
        with DeferSignals():
            _, aside = self._store.fail(self._contest, match.number, clean.storable(report.error), time(), most)
            if aside:
                self._told.on_aside(match, report.error)
