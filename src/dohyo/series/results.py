"""From a match of the schedule to an order for an executor, and from its report to a result and ratings in the store.

A transaction takes as long as writing some hundred results. So where results come fast, a result waits for others, at
most `Store.hold` seconds after the last transaction. A result that waits is not stored yet: if the process is killed,
its match is played again.

Ratings are stored while a contest runs, so that their course can be shown later.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from time import monotonic, time
from typing import TYPE_CHECKING, Protocol

import msgspec

from dohyo import clean, doors
from dohyo.core.contest import Fixture, Result, Version, faults_last
from dohyo.core.errors import OperatorError
from dohyo.core.game import Game
from dohyo.core.seeds import derived
from dohyo.executors.messages import LARGEST_KEPT, Files, MatchOrder, MatchReport
from dohyo.interrupts import DeferSignals
from dohyo.match.replays.sent import kind_that_spoke
from dohyo.series.formats import Format, find
from dohyo.series.roster import Roster
from dohyo.series.spec import Spec
from dohyo.series.standings import ratings_to_publish
from dohyo.series.store.records import MAX_ATTEMPTS, Contest, Progress

if TYPE_CHECKING:
    from dohyo.series.store import Store

MAX_KEPT = LARGEST_KEPT + 1024  # bytes of an archive of what a bot kept
KEPT = ("storage.txt",)  # what bots keep from match to match, in games in which they may live for a turn


def _kept(content: bytes) -> Files:
    """The files that a bot kept; no others, whatever the store says. Raises `OperatorError` for invalid content."""
    try:
        found = msgspec.msgpack.decode(content, type=_Kept)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise OperatorError("contest-kept-unreadable", error=error) from error
    return {KEPT[0]: found.storage} if found.storage is not None else {}


class _Kept(msgspec.Struct):
    """What is read of the files that were kept: those of `KEPT`."""

    storage: bytes | None = msgspec.field(default=None, name=KEPT[0])


def match_seed(fixture: Fixture, versions: Iterable[Version]) -> int:
    """The seed of a match's dice, cards and board: that of its set, so that each seat has the same luck once.

    A bot that stays somewhere else may remember what it saw in the set's other matches: where one plays, each match
    has luck of its own.
    """
    for version in versions:
        if version.language in doors.brought("players"):
            kind = kind_that_spoke(version.language)
            if kind is not None and kind.is_far:
                return derived(fixture.seed, "alone", *fixture.seats)
    return fixture.seed


class Orders:
    """Turns the matches of one batch into orders.

    In all matches of a batch, a bot's kept files are those of its last match (by number) in the batches before.
    """

    def __init__(
        self, store: Store, contest: Contest, game: Game, spec: Spec, roster: Roster, *, plays_on: bool = False
    ) -> None:
        """With `plays_on`, a bot that cannot be built any more does not end the contest (`Roster.starting`)."""
        self._store = store
        self._contest = contest
        self._game = game
        self._spec = spec
        self._roster = roster
        self._plays_on = plays_on
        self._observes = find(spec.format).info.streams
        self._kept: dict[int, Files] = {}
        self._first = 0
        self._host = socket.gethostname()

    def begin_batch(self, first: int) -> None:
        """Make the next orders for the batch whose first match has this number."""
        self._first = first
        self._kept.clear()

    def order(self, fixture: Fixture) -> MatchOrder:
        """The order for a match. Raises `OperatorError` if one of its bots no longer exists."""
        spec, bot = self._spec, self._roster.starting if self._plays_on else self._roster.bot
        keeps = bool(self._game.lifetimes) and not self._observes
        return MatchOrder(
            str(fixture.number),
            spec.game,
            tuple(map(bot, fixture.seats)),
            match_seed(fixture, (self._roster.entrants[number].version for number in fixture.seats)),
            setup=spec.setup,
            clock=spec.clock,
            mode=spec.mode,
            sandbox=spec.sandbox,
            pondering=spec.pondering,
            keep=KEPT if keeps else (),
            kept=tuple(self._files(number) for number in fixture.seats) if keeps else (),
            referee=self._game.referee,
            keeps_engines=spec.keeps_engines,
        )

    def _files(self, entrant: int) -> Files:
        """What an entrant had kept before this batch."""
        if entrant not in self._kept:
            digest = self._store.keepsake(self._contest.id, entrant, self._first)
            content = self._store.files.get(digest, MAX_KEPT) if digest is not None else None
            self._kept[entrant] = _kept(content) if content is not None else {}
        return self._kept[entrant]

    def result(self, fixture: Fixture, report: MatchReport) -> Result:
        """The result for the store, its files kept there."""
        kept = tuple(self._keep(files) for files in report.kept)
        return Result(
            fixture=fixture,
            places=faults_last(report.places, report.faults) if self._spec.fault_is_last else report.places,
            scores=tuple(map(float, report.scores)),
            faults=report.faults,
            longest=report.longest,
            kept=kept if any(kept) else (),
            replay=self._store.files.put(report.replay, sync=False) or None if report.replay else None,
            at=time(),
            seconds=report.seconds,
            host=self._host,
            worker=report.worker,
        )

    def _keep(self, files: Files) -> str | None:
        return self._store.files.put(msgspec.msgpack.encode(dict(sorted(files.items())))) if files else None


# --- results into the store


FAST = 0.02  # seconds from one result to the next, at most, for one to wait
WEIGHT = 0.2  # of the newest gap in the running mean
TRACE = "Traceback"  # how an error in a report begins if it is a defect of Dohyo


class ContestListener(Protocol):
    """Receives the progress of a series."""

    def on_batch(self, batch: Progress) -> None:
        """A batch begins, or is resumed."""

    def on_batch_over(self, batch: int) -> None:
        """A batch is over, and the format knows of it."""

    def on_result(self, result: Result) -> None:
        """A result was stored."""

    def on_aside(self, fixture: Fixture, error: str) -> None:
        """A match is left open."""


class Silent:
    """A listener to which nothing matters."""

    def on_batch(self, batch: Progress) -> None:
        """A batch begins, or is resumed."""

    def on_batch_over(self, batch: int) -> None:
        """A batch is over, and the format knows of it."""

    def on_result(self, result: Result) -> None:
        """A result was stored."""

    def on_aside(self, fixture: Fixture, error: str) -> None:
        """A match is left open."""


class ResultWriter:
    """Appends the results of matches; a context manager, which stores all waiting results when it ends.

    A signal does not interrupt a transaction: it takes effect afterwards.
    """

    def __init__(
        self,
        store: Store,
        contest: int,
        orders: Orders,
        listener: ContestListener,
        asked: Mapping[int, int] | None = None,
        strict: bool = False,
    ) -> None:
        """Of matches that are played again, `asked` says by number which ruling asks for it; `strict`: see `add`."""
        self._asked = asked
        self._strict = strict
        self._store = store
        self._contest = contest
        self._orders = orders
        self._listener = listener
        self._waiting: list[Result] = []
        self._gap = store.hold  # between results, the running mean
        self._last = self._flushed = monotonic()

    def __enter__(self) -> ResultWriter:
        return self

    def __exit__(self, *_: object) -> None:
        self.flush()

    def add(self, fixture: Fixture, report: MatchReport) -> None:
        """Append the result of a match. Raises `OperatorError` for what the operator has to repair first.

        If it is `strict`, any error raises (`raise_error`), but that Dohyo stood still: that match is set aside.
        """
        if report.error and self._strict and not report.disturbed:
            raise_error(report)
        if report.error and report.mend:
            raise OperatorError("contest-match-stops", error=report.error)
        if report.error:
            self._fail(fixture, report)
            return
        with self._defer():
            self._waiting.append(self._orders.result(fixture, report))
            now = monotonic()
            self._gap += WEIGHT * (now - self._last - self._gap)
            self._last = now
            if self._gap > FAST or now - self._flushed >= self._store.hold:
                self._flush()

    def flush(self) -> None:
        """Store what waits."""
        with self._defer():
            self._flush()

    def _defer(self) -> AbstractContextManager[object]:
        """What a signal must not interrupt; where nothing is kept it may, and its handlers need not be changed."""
        return DeferSignals() if self._store.lasts else nullcontext()

    def _flush(self) -> None:
        waiting, self._waiting = self._waiting, []
        if waiting and self._asked is not None:
            again = [(self._asked[result.fixture.number], result) for result in waiting]
            self._store.record_again(self._contest, again)
        elif waiting:
            self._store.record(self._contest, waiting)
        self._flushed = monotonic()
        for result in waiting:
            self._listener.on_result(result)

    def _fail(self, fixture: Fixture, report: MatchReport) -> None:
        """Count one failed attempt, or several that the executor has made; it may have been the last one allowed."""
        most = 1 if self._strict else max(1, MAX_ATTEMPTS + 1 - report.attempts)
        with self._defer():
            _, aside = self._store.fail(self._contest, fixture.number, clean.storable(report.error), time(), most)
            if aside:
                self._listener.on_aside(fixture, report.error)


def raise_error(report: MatchReport) -> None:
    """Raise the error of a match that could not be played.

    Raises `OperatorError` with the match's key, and `RuntimeError` for a defect of ours.
    """
    if report.error.startswith(TRACE) and not report.mend:
        raise RuntimeError(f"match {report.key}\n{report.error}")
    raise OperatorError("compare-match-failed", number=report.key, error=report.error)


# --- ratings into the store


SHARE = 0.05  # the part of the time that ratings may take; with many batches, some are omitted


class Publisher:
    """A listener that publishes ratings after a batch, and at the end; it passes every call on to `listener`."""

    def __init__(
        self, store: Store, contest: Contest, format_: Callable[[], Format], roster: Roster, listener: ContestListener
    ) -> None:
        """`format_` gives the format as it is at that moment."""
        self._store = store
        self._contest = contest
        self._format = format_
        self._roster = roster
        self._listener = listener
        self._next = 0.0
        self._missing: int | None = None
        self.on_batch = listener.on_batch
        self.on_result = listener.on_result
        self.on_aside = listener.on_aside

    def on_batch_over(self, batch: int) -> None:
        """Publish, unless that would take too much of the time."""
        self._listener.on_batch_over(batch)
        self._missing = batch
        if monotonic() >= self._next:
            start = monotonic()
            self.finish()
            self._next = monotonic() + (monotonic() - start) * (1 / SHARE - 1)

    def take_up(self) -> None:
        """Note what an earlier process has left unpublished."""
        last = self._store.count_batches(self._contest.id) - 1
        batch = None if last < 0 else self._store.batch(self._contest.id, last)
        if batch is not None and batch.complete and self._store.marks(self._contest.id).batch != last:
            self._missing = last

    def finish(self) -> None:
        """Publish what is missing."""
        if self._missing is None:
            return
        batch, self._missing = self._missing, None
        ratings = ratings_to_publish(self._store, self._contest, self._format(), self._roster.entrants)
        if ratings:
            self._store.rate(self._contest.id, batch, ratings)
