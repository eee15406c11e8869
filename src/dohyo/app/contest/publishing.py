"""Ratings written down while a contest runs, so that one can see later how they went."""

from __future__ import annotations

from time import monotonic

from dohyo.app.contest.loop import Onlooker
from dohyo.app.contest.opening import Opened
from dohyo.app.contest.table import published

SHARE = 0.05  # of the time may go into ratings; with many batches some are left out


class Publisher:
    """An onlooker that publishes ratings after a batch, and the last ones at the end; `onlooker` is told as well."""

    def __init__(self, opened: Opened, onlooker: Onlooker) -> None:
        self._opened = opened
        self._onlooker = onlooker
        self._next = 0.0
        self._missing: int | None = None
        self.on_batch = onlooker.on_batch
        self.on_result = onlooker.on_result
        self.on_aside = onlooker.on_aside

    def on_batch_over(self, batch: int) -> None:
        """Publish, unless that would take too much of the time."""
        self._onlooker.on_batch_over(batch)
        self._missing = batch
        if monotonic() >= self._next:
            start = monotonic()
            self.finish()
            self._next = monotonic() + (monotonic() - start) * (1 / SHARE - 1)

    def finish(self) -> None:
        """Publish what is missing."""
        if self._missing is None:
            return
        opened, batch = self._opened, self._missing
        self._missing = None
        ratings = published(opened.store, opened.contest, opened.loop.fold, opened.loop.field.entries)
        if ratings:
            opened.store.rate(opened.contest.id, batch, ratings)
