"""Ask the format, play, append: a contest from the point that the store has reached to its end.

Theory of operation
-------------------
`take_up` gives the format every finished batch from the store. `run` then goes on with the unfinished batch, or with
the next one. Every match of a batch that has no result yet becomes an order. Every report becomes a result: its files
are stored first, then its row, which is stored once or not at all. If the process ends at any point here, the matches
without a stored result are played again, with the same seed and the same kept files.

An error in a match is a defect of Dohyo, or the match kills the process that plays it. Such a match is tried three
times and then left open, like an internal error of a programming contest's judge. It counts for nobody, and is tried
again whenever the contest is resumed (`reopen`). The other matches are played meanwhile. But where results decide who
meets whom, the next batch is drawn only when every match of the one before has a result. So nobody gains by breaking
a match. An error that the operator can repair stops the contest, because the next match would have it too.

Where the schedule is fixed beforehand, a bot that leaves or pauses does so at once (`FormatInfo.passes_over`): its
matches that have not begun are set aside, too. They count for nobody. Whenever the contest is resumed they are looked
at again: those of a bot that is back are played.
"""

from __future__ import annotations

from collections.abc import Iterator
from time import monotonic

from dohyo.app.contest.results import ContestListener, Orders, ResultWriter
from dohyo.app.contest.roster import Roster
from dohyo.app.contest.spec import reporting_damage
from dohyo.app.executors.messages import Executor, MatchOrder
from dohyo.contest.formats import Format
from dohyo.core.contest import Fixture, Result
from dohyo.core.errors import OperatorError
from dohyo.store import Store
from dohyo.store.records import Contest, Progress, StaleError

LOOK = 1.0  # seconds: how often a running batch looks who has left


class Loop:
    """One contest that this process runs; it holds the contest's lease."""

    def __init__(self, store: Store, contest: Contest, format_: Format, roster: Roster, orders: Orders) -> None:
        self.store = store
        self.contest = contest
        self.format = format_
        self.roster = roster
        self._orders = orders
        self._reopened: set[int] = set()

    def reopen(self) -> None:
        """Let matches that were left open be tried again, unless a later draw was made without their results."""
        progress = self.store.progress(self.contest.id)
        since = len(progress) - 1 if self.format.info.waits else 0
        self._reopened = {each.batch for each in progress if each.set_aside and each.batch >= since}
        if self._reopened:
            self.store.reopen(self.contest.id, since)

    def take_up(self) -> None:
        """Give the format the batches that are over. Raises `OperatorError` if they do not belong to this format."""
        with reporting_damage(self.store):
            self.format.enter(self.roster.read())
            progress = self.store.progress(self.contest.id)
            for batch in progress:
                if not batch.complete or (self._is_open(batch) and batch is progress[-1]):
                    return
                self._take(batch)

    def _is_open(self, batch: Progress) -> bool:
        """Whether the format waits for a match of the batch that was left open."""
        return batch.set_aside > 0 and self.format.info.waits

    def run(self, executor: Executor, listener: ContestListener, most: int | None = None) -> bool:
        """Go on until the format has no more matches, or `most` batches are over; returns whether it was the former.

        It returns false also if matches are left open at the end. A batch that is resumed only for matches that had
        been left open does not count for `most`.

        Raises `OperatorError` for what the operator has to repair; results so far are kept. They are kept also after
        a `KeyboardInterrupt`, and nothing is left running.
        """
        over = 0
        while True:
            batch = self._scheduled()
            counts = batch is None or not (batch.complete or batch.batch in self._reopened)
            if counts and over == most:
                return False
            batch = batch or self._draw()
            if batch is None:
                return not self._has_open()
            if not batch.complete:  # otherwise it was played before; an earlier batch had been left open
                listener.on_batch(batch)
                self._play(batch, executor, listener)
                over += counts
                batch = self._scheduled()
                if batch is None or self._is_open(batch):
                    return False
            with reporting_damage(self.store):
                self._take(batch)
            listener.on_batch_over(batch.batch)

    def _has_open(self) -> bool:
        """Whether a match is open that may still be played: one without a bot that has left."""
        if not any(each.set_aside for each in self.store.progress(self.contest.id)):
            return False
        entrants = self.roster.read()
        left = {each.number for each in entrants if each.until is not None and self.format.info.passes_over}
        return any(left.isdisjoint(each.fixture.seats) for each in self.store.set_aside(self.contest.id))

    def _scheduled(self) -> Progress | None:
        """The next batch for the format, from the store; none if it is not drawn yet."""
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

    def _take(self, batch: Progress) -> None:
        """Give the format the whole batch, in order."""
        played = self.store.played(self.contest.id, batch.batch)
        if batch.played == batch.size:  # the schedule need not be read again: each result has its match
            self.format.take(list(played))
            return
        results = {result.fixture.number: result for result in played}
        fixtures = list(self.store.scheduled(self.contest.id, batch.batch))
        self.format.take([results.get(fixture.number) or Result(fixture, ()) for fixture in fixtures])

    # --- playing

    def _play(self, batch: Progress, executor: Executor, listener: ContestListener) -> None:
        """Play the matches of the batch that have no result yet."""
        first = next(iter(self.store.scheduled(self.contest.id, batch.batch)), None)
        if first is None:
            shown = self.store.database.address.shown
            raise OperatorError("store-damaged", store=shown, reason=f"batch {batch.batch} has no matches")
        self._orders.begin_batch(first.number)
        while unplayed := self._to_play(batch.batch):
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

    def _to_play(self, batch: int) -> list[Fixture]:
        """The matches of the batch that have no result yet; those of bots that are away are set aside."""
        unplayed, away = self.store.unplayed(self.contest.id, batch), self._away()
        missed = [fixture.number for fixture in unplayed if not away.isdisjoint(fixture.seats)]
        if missed:
            self.store.put_aside(self.contest.id, batch, missed)
        return [fixture for fixture in unplayed if away.isdisjoint(fixture.seats)]

    def _away(self) -> set[int]:
        """Who has left or pauses, in a format that passes over their matches."""
        return {each.number for each in self.roster.read() if each.is_away} if self.format.info.passes_over else set()

    def _ordered(self, fixtures: list[Fixture]) -> Iterator[MatchOrder]:
        """Orders, one after the other, without matches of bots that went away in the meantime."""
        away, looked = self._away(), monotonic()
        for fixture in fixtures:
            if monotonic() - looked >= LOOK:
                away, looked = self._away(), monotonic()
            if away.isdisjoint(fixture.seats):
                yield self._orders.order(fixture)
