"""Ask the format, play, append: a contest from wherever the store has it to its end.

Theory of operation
-------------------
`take_up` gives the format every batch that is over, from the store. `run` then goes on: the batch that is in the
middle, or the next one. Every match of a batch that has no result yet becomes an order; every report a result, its
files first, then its row, which is there once or not at all. When the process ends anywhere here, what it had not
stored is played again, from the same seed and the same kept files.

An error in a match is a defect of ours, or a match that kills what it runs on: that is tried three times and then
left open, as a judge keeps an internal error. It counts for nobody, and is tried anew whenever the contest is gone on
with (`reopen`). Meanwhile the others are played; but where results decide who meets, nobody draws a batch before all
of the one before have a result. So nobody gains by breaking a match. An error that the operator can mend stops the
contest, for the next match would have it too.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from dohyo.app.contest.appending import Appender
from dohyo.app.contest.damage import reporting_damage
from dohyo.app.contest.field import Field, as_entrants
from dohyo.app.contest.orders import Orders
from dohyo.app.executors.messages import Executor, MatchOrder
from dohyo.contest import formats
from dohyo.contest.fixtures import Fixture, Played
from dohyo.contest.formats import Batches
from dohyo.core.errors import OperatorError
from dohyo.store import Store
from dohyo.store.records import Contest, Match, Progress, Result, StaleError


class Onlooker(Protocol):
    """Somebody who is told how a contest goes."""

    def on_batch(self, batch: Progress) -> None:
        """A batch begins, or is gone on with."""

    def on_result(self, match: Match, result: Result) -> None:
        """A result was stored."""

    def on_aside(self, match: Match, error: str) -> None:
        """A match is left open."""

    def on_batch_over(self, batch: int) -> None:
        """A batch is over, and the format knows of it."""


class Loop:
    """One contest in the hands of this process, which has its lease."""

    def __init__(self, store: Store, contest: Contest, fold: Batches, field: Field, orders: Orders) -> None:
        self.store = store
        self.contest = contest
        self.fold = fold
        self.field = field
        self._orders = orders
        self._reopened: set[int] = set()

    def reopen(self) -> None:
        """Let matches that were left open be tried anew, as far as nobody was drawn by what became of them."""
        progress = self.store.progress(self.contest.id)
        since = len(progress) - 1 if self._waits else 0
        self._reopened = {each.batch for each in progress if each.set_aside and each.batch >= since}
        if self._reopened:
            self.store.reopen(self.contest.id, since)

    def take_up(self) -> None:
        """Tell the format of the batches that are over. Raises `OperatorError` where those are none of its own."""
        with reporting_damage(self.store):
            self.fold.enter(as_entrants(self.field.read()))
            progress = self.store.progress(self.contest.id)
            for batch in progress:
                if not batch.complete or (self._is_open(batch) and batch is progress[-1]):
                    return
                self._take(batch.batch)

    @property
    def _waits(self) -> bool:
        return formats.find(self.fold.terms.format).waits

    def _is_open(self, batch: Progress) -> bool:
        """Whether the format waits for a match of the batch that was left open."""
        return batch.set_aside > 0 and self._waits

    def run(self, executor: Executor, onlooker: Onlooker, most: int | None = None) -> bool:
        """Go on until the format has no more matches, or `most` batches are over; whether it was the former.

        It was not, either, where matches are left open in the end. A batch that is only gone on with because matches
        of it had been left open does not count.

        Raises `OperatorError` for what the operator has to mend; what was played stays. So it does when a
        `KeyboardInterrupt` comes through, and nothing is left running.
        """
        over = 0
        while True:
            batch = self._scheduled()
            counts = batch is None or not (batch.complete or batch.batch in self._reopened)
            if counts and over == most:
                return False
            batch = batch or self._draw()
            if batch is None:
                return not any(each.set_aside for each in self.store.progress(self.contest.id))
            if not batch.complete:  # otherwise it was played before, and comes after one that was left open
                onlooker.on_batch(batch)
                self._play(batch, executor, onlooker)
                over += counts
                batch = self._scheduled()
                if batch is None or self._is_open(batch):
                    return False
            with reporting_damage(self.store):
                self._take(batch.batch)
            onlooker.on_batch_over(batch.batch)

    def _scheduled(self) -> Progress | None:
        """The batch that is next for the format, as the store has it; none where it is not drawn yet."""
        return next((each for each in self.store.progress(self.contest.id) if each.batch == self.fold.batch), None)

    def _draw(self) -> Progress | None:
        """Draw the next batch; none when there is none."""
        while (batch := self._scheduled()) is None:
            entries = self.field.read()
            fixtures = self.fold.next(as_entrants(entries))
            if not fixtures:
                return None
            try:
                self.store.schedule(self.contest.id, map(_match, fixtures), drawn_from=entries)
            except StaleError:  # somebody joined or left in between: draw again
                continue
        return batch

    def _take(self, batch: int) -> None:
        """Give the format the whole batch, in order."""
        results = {match.number: result for match, result in self.store.played(self.contest.id, batch)}
        matches = list(self.store.scheduled(self.contest.id, batch))
        self.fold.take([as_played(match, results.get(match.number)) for match in matches])

    # --- playing

    def _play(self, batch: Progress, executor: Executor, onlooker: Onlooker) -> None:
        """Play what of the batch has no result yet."""
        first = next(iter(self.store.scheduled(self.contest.id, batch.batch)), None)
        if first is None:
            shown = self.store.database.address.shown
            raise OperatorError("store-damaged", store=shown, reason=f"batch {batch.batch} has no matches")
        self._orders.begin_batch(first.number)
        while unplayed := self.store.unplayed(self.contest.id, batch.batch):
            by_key = {str(match.number): match for match in unplayed}
            with Appender(self.store, self.contest.id, self._orders, onlooker) as appender:
                reports = executor.play(self._ordered(unplayed))
                try:
                    for report in reports:
                        appender.add(by_key[report.key], report)
                finally:
                    close = getattr(reports, "close", None)
                    if close is not None:
                        close()

    def _ordered(self, matches: list[Match]) -> Iterator[MatchOrder]:
        return (self._orders.order(match) for match in matches)


def _match(fixture: Fixture) -> Match:
    return Match(fixture.batch, fixture.number, fixture.seats, fixture.seed)


def as_played(match: Match, result: Result | None) -> Played:
    """What the format is told of a match; of one that was left open, nothing."""
    fixture = Fixture(match.batch, match.number, match.seats, match.seed)
    if result is None:
        return Played(fixture, ())
    return Played(fixture, result.places, result.scores, result.faults)
