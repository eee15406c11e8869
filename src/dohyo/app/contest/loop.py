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

from dohyo.app.contest.results import ContestListener, Orders, ResultWriter
from dohyo.app.contest.roster import Roster
from dohyo.app.contest.spec import reporting_damage
from dohyo.app.executors.messages import Executor, MatchOrder
from dohyo.contest.formats import Format
from dohyo.core.contest import Fixture, Result
from dohyo.core.errors import OperatorError
from dohyo.store import Store
from dohyo.store.records import Contest, Progress, StaleError


class Loop:
    """One contest in the hands of this process, which has its lease."""

    def __init__(self, store: Store, contest: Contest, format_: Format, roster: Roster, orders: Orders) -> None:
        self.store = store
        self.contest = contest
        self.format = format_
        self.roster = roster
        self._orders = orders
        self._reopened: set[int] = set()

    def reopen(self) -> None:
        """Let matches that were left open be tried anew, as far as nobody was drawn by what became of them."""
        progress = self.store.progress(self.contest.id)
        since = len(progress) - 1 if self.format.info.waits else 0
        self._reopened = {each.batch for each in progress if each.set_aside and each.batch >= since}
        if self._reopened:
            self.store.reopen(self.contest.id, since)

    def take_up(self) -> None:
        """Tell the format of the batches that are over. Raises `OperatorError` where those are none of its own."""
        with reporting_damage(self.store):
            self.format.enter(self.roster.read())
            progress = self.store.progress(self.contest.id)
            for batch in progress:
                if not batch.complete or (self._is_open(batch) and batch is progress[-1]):
                    return
                self._take(batch.batch)

    def _is_open(self, batch: Progress) -> bool:
        """Whether the format waits for a match of the batch that was left open."""
        return batch.set_aside > 0 and self.format.info.waits

    def run(self, executor: Executor, listener: ContestListener, most: int | None = None) -> bool:
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
                listener.on_batch(batch)
                self._play(batch, executor, listener)
                over += counts
                batch = self._scheduled()
                if batch is None or self._is_open(batch):
                    return False
            with reporting_damage(self.store):
                self._take(batch.batch)
            listener.on_batch_over(batch.batch)

    def _scheduled(self) -> Progress | None:
        """The batch that is next for the format, as the store has it; none where it is not drawn yet."""
        return next((each for each in self.store.progress(self.contest.id) if each.batch == self.format.batch), None)

    def _draw(self) -> Progress | None:
        """Draw the next batch; none when there is none."""
        while (batch := self._scheduled()) is None:
            entrants = self.roster.read()
            fixtures = self.format.next(entrants)
            if not fixtures:
                return None
            try:
                self.store.schedule(self.contest.id, fixtures, drawn_from=entrants)
            except StaleError:  # somebody joined or left in between: draw again
                continue
        return batch

    def _take(self, batch: int) -> None:
        """Give the format the whole batch, in order."""
        results = {result.fixture.number: result for result in self.store.played(self.contest.id, batch)}
        fixtures = list(self.store.scheduled(self.contest.id, batch))
        self.format.take([results.get(fixture.number) or Result(fixture, ()) for fixture in fixtures])

    # --- playing

    def _play(self, batch: Progress, executor: Executor, listener: ContestListener) -> None:
        """Play what of the batch has no result yet."""
        first = next(iter(self.store.scheduled(self.contest.id, batch.batch)), None)
        if first is None:
            shown = self.store.database.address.shown
            raise OperatorError("store-damaged", store=shown, reason=f"batch {batch.batch} has no matches")
        self._orders.begin_batch(first.number)
        while unplayed := self.store.unplayed(self.contest.id, batch.batch):
            by_key = {str(fixture.number): fixture for fixture in unplayed}
            with ResultWriter(self.store, self.contest.id, self._orders, listener) as appender:
                reports = executor.play(self._ordered(unplayed))
                try:
                    for report in reports:
                        appender.add(by_key[report.key], report)
                finally:
                    close = getattr(reports, "close", None)
                    if close is not None:
                        close()

    def _ordered(self, fixtures: list[Fixture]) -> Iterator[MatchOrder]:
        return (self._orders.order(fixture) for fixture in fixtures)
