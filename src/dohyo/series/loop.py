"""Ask the format, play, append: every series of matches, from the point that the store has reached to its end.

A contest, a comparison (`compare.py`), a tuning: what they differ in is the format, the store and the executor.

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
at again: those of a bot that is back are played. So it is with those of a bot that cannot be reached (`missing`).

A format that `streams` hears each result when it is stored, and is asked whether that is enough. Then the rest of
the batch leaves the schedule, and matches that were played in vain are annulled. Its matches are tried once: what
Dohyo's own standing still has spoilt is left out, any other error ends the series.

Somebody may rule about results at any time (`core/rulings_in_force.py`), also while this runs. Matches that are to be
played again come first, by the same way as any other (`play_again`). When the format has learned results that no
longer count, it is made anew before the next draw.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Sequence
from functools import partial
from time import monotonic, time
from typing import TYPE_CHECKING

from msgspec.structs import replace

from dohyo.core.contest import Entrant, Fixture, Result
from dohyo.core.errors import OperatorError
from dohyo.core.game import Game
from dohyo.core.rulings_in_force import InForce, in_force_at, known_at
from dohyo.executors.messages import Executor, MatchOrder
from dohyo.series import formats
from dohyo.series.formats import Format
from dohyo.series.replaced import annul_replaced
from dohyo.series.results import ContestListener, Orders, ResultWriter, Silent
from dohyo.series.roster import BuiltBot, Roster
from dohyo.series.spec import Spec, reporting_damage
from dohyo.series.store.records import MAX_ATTEMPTS, Aside, Contest, Progress, StaleError

if TYPE_CHECKING:
    from dohyo.series.store import Store

UNKNOWN = -1  # rulings: the format has to be made anew
BRACKET = "bracket"  # of `FormatInfo.draws`
LOOK = 1.0  # seconds: how often a running batch looks who has left
IN_VAIN = "after the decision"  # why a match that nobody needed any more is annulled


class _Heard(Silent):
    """A listener that lets the format hear what is stored, too."""

    def __init__(self, format_: Format, listener: ContestListener) -> None:
        self._format, self._listener = format_, listener

    def on_result(self, result: Result) -> None:
        """A result was stored."""
        self._format.hear(result)
        self._listener.on_result(result)

    def on_aside(self, fixture: Fixture, error: str) -> None:
        """A match is left open."""
        self._format.hear(Result(fixture, ()), error)
        self._listener.on_aside(fixture, error)


class Loop:
    """One contest that this process runs; it holds the contest's lease."""

    def __init__(
        self, store: Store, contest: Contest, make: Callable[[Roster], Format], roster: Roster, orders: Orders
    ) -> None:
        """`make` gives the contest's format before its first batch."""
        self.store = store
        self.contest = contest
        self._make = make
        self._ruled = 0  # rulings that the format knows of
        self._heeded = UNKNOWN  # rulings after which all that was to be played again has been
        self._unable: list[int] = []  # the matches among these that failed each time
        self._failed: list[tuple[int, Fixture]] = []  # matches that could not be played again, by their rulings
        self.format = make(roster)
        self.roster = roster
        # Who cannot play at this moment, by number, although they take part: they are given no matches meanwhile.
        self.missing: Callable[[], Collection[int]] = frozenset
        self._orders = orders
        self._reopened: set[int] = set()

    def order(self, fixture: Fixture) -> MatchOrder:
        """The order for a match beside the series, by its terms: nothing of it is kept in the store.

        Raises `OperatorError` if one of its bots no longer exists.
        """
        self.roster.read()
        return self._orders.order(fixture)

    def reopen(self) -> None:
        """Let matches that were left open be tried again, unless a later draw was made without their results."""
        if self.format.info.streams:
            return  # what was left out once stays so: it was found out without looking at the match
        progress = self.store.progress(self.contest.id)
        since = len(progress) - 1 if self.format.info.waits else 0
        self._reopened = {each.batch for each in progress if each.set_aside and each.batch >= since}
        if self._reopened:
            self.store.reopen(self.contest.id, since)

    def take_up(self) -> None:
        """Give the format the batches that are over. Raises `OperatorError` if they do not belong to this format."""
        with reporting_damage(self.store):
            self._ruled = self.store.count_rulings(self.contest.id)
            self.format.enter(self.roster.read())
            self.format.has_gaps = bool(self.store.voided(self.contest.id))
            progress = self.store.progress(self.contest.id)
            for batch in progress:
                if not batch.complete or (self._is_open(batch) and batch is progress[-1]):
                    return
                may_cut = self.format.info.streams and batch is progress[-1]
                self._take(self._cut_after_all(batch) if may_cut else batch)

    def _cut_after_all(self, batch: Progress) -> Progress:
        """End a batch at the decision, if the process that played all of it ended before it did so; the batch then.

        What the operator has undone stays so.
        """
        self._hear_stored(batch.batch)
        for _ in self._advance():
            """Up to the decision."""
        if any(each.because == IN_VAIN for each in self.store.rulings(self.contest.id)):
            return batch
        self._cut(batch.batch)
        return self.store.progress(self.contest.id)[-1]

    def _is_open(self, batch: Progress) -> bool:
        """Whether the format waits for a match of the batch that was left open; nobody waits for an annulled one."""
        if not batch.set_aside or not self.format.info.waits:
            return False
        return any(each.fixture.batch == batch.batch for each in self._left_open())

    def _left_open(self) -> list[Aside]:
        """The matches that are set aside and may still be played."""
        voided = set(self.store.voided(self.contest.id))
        return [each for each in self.store.set_aside(self.contest.id) if each.fixture.number not in voided]

    def run(self, executor: Executor, listener: ContestListener, most: int | None = None) -> bool:
        """Go on until the format has no more matches, or `most` batches are over; returns whether it was the former.

        It returns false also if matches are left open at the end. A batch that is resumed only for matches that had
        been left open does not count for `most`.

        Raises `OperatorError` for what the operator has to repair; results so far are kept. They are kept also after
        a `KeyboardInterrupt`, and nothing is left running.
        """
        steps = self.steps(executor, listener, most)
        while True:
            try:
                next(steps)
            except StopIteration as end:
                return bool(end.value)

    def steps(
        self, executor: Executor, listener: ContestListener, most: int | None = None
    ) -> Generator[None, None, bool]:
        """Play as `run` does, stopping wherever the format `advance`s. Close it to end it before its end."""
        over = 0
        while True:
            self.play_again(executor, listener)
            annul_replaced(self.store, self.contest)
            self._heed_rulings()
            batch = self._scheduled()
            counts = batch is None or not (batch.complete or batch.batch in self._reopened)
            if counts and over == most:
                return False
            batch = batch or self._draw()
            if batch is None:
                return not self._has_open()
            if not batch.complete:  # otherwise it was played before; an earlier batch had been left open
                listener.on_batch(batch)
                yield from self._play(batch, executor, listener)
                over += counts
                batch = self._scheduled()
                if batch is None or self._is_open(batch):
                    return False
            with reporting_damage(self.store):
                self._take(batch)
            listener.on_batch_over(batch.batch)

    def _has_open(self) -> bool:
        """Whether a match is open that may still be played: one without a bot that has left or is disqualified."""
        if self.format.info.streams or not any(each.set_aside for each in self.store.progress(self.contest.id)):
            return False
        entrants = self.roster.read()
        out = InForce(self.store.rulings_of_bots(self.contest.id)).disqualified
        gone = [each for each in entrants if each.until is not None or each.name in out]
        left = {each.number for each in gone if self.format.info.passes_over}
        return any(left.isdisjoint(each.fixture.seats) for each in self._left_open())

    def _scheduled(self) -> Progress | None:
        """The next batch for the format, from the store; none if it is not drawn yet."""
        return self.store.batch(self.contest.id, self.format.batch)

    def _draw(self) -> Progress | None:
        """Draw the next batch; none when there is none."""
        while (batch := self._scheduled()) is None:
            self._heed_rulings()
            fixtures = self.format.next(self._present())
            if not fixtures:
                return None
            try:
                self.store.schedule(self.contest.id, fixtures, drawn_from=self.roster.stored, ruled=self._ruled)
            except StaleError:  # somebody joined or left in between, or results changed: draw again
                continue
        return batch

    def _present(self) -> list[Entrant]:
        """The entrants as the next batch is drawn: who cannot play at this moment pauses, and nothing of that is
        stored."""
        entrants, missing = self.roster.read(), self.missing()
        gone = ((self.format.batch, None),)
        return [replace(each, absences=each.absences + gone) if each.number in missing else each for each in entrants]

    def _heed_rulings(self) -> None:
        """Give the format everything once more if somebody has ruled about results that it knows."""
        if self.store.count_rulings(self.contest.id) != self._ruled:
            self.format = self._make(self.roster)
            self.take_up()

    def _take(self, batch: Progress) -> None:
        """Give the format the whole batch, in order."""
        played = self.store.played(self.contest.id, batch.batch)
        kept = self._as_known(batch.batch) if self.format.info.draws == BRACKET else {}
        if batch.played == batch.size and not kept:  # the schedule need not be read: each result has its match
            self.format.take(list(played))
            return
        results = {result.fixture.number: result for result in played} | kept
        fixtures = list(self.store.scheduled(self.contest.id, batch.batch))
        if self.format.info.streams:
            for aside in self._left_open():
                self.format.hear(Result(aside.fixture, ()), aside.error)
        self.format.take([results.get(fixture.number) or Result(fixture, ()) for fixture in fixtures])

    def _as_known(self, batch: int) -> dict[int, Result]:
        """The results of a round, of matches about which somebody ruled, as they stood when the next one was drawn.

        A bracket stays as it was played: who went on has met others since.
        """
        earlier = in_force_at(batch + 1, self.store.rulings(self.contest.id))
        names, found = [each.name for each in self.roster.stored], {}
        for number, own in self.store.attempts(self.contest.id).items():
            fixture = own[0].result.fixture
            if fixture.batch == batch:
                result = known_at(batch + 1, earlier, own, {names[seat] for seat in fixture.seats})
                found[number] = result or Result(fixture, ())
        return found

    # --- playing

    def play_again(self, executor: Executor, listener: ContestListener) -> list[int]:
        """Play the matches again that rulings ask for; the numbers of those that failed each time.

        What is there stays until the new result is, and counts until then. If the process ends, those that are left
        are played when it is called again. Nothing is read as long as nobody has ruled since.
        """
        while (ruled := self.store.count_rulings(self.contest.id)) != self._heeded:
            for batch in sorted({fixture.batch for _, fixture in self.store.pending(self.contest.id)}):
                self._play_batch_again(batch, executor, listener)
            self._unable = [fixture.number for _, fixture in self.store.pending(self.contest.id)]
            self._heeded = ruled
        self._heed_rulings()
        return self._unable

    def _play_batch_again(self, batch: int, executor: Executor, listener: ContestListener) -> None:
        """Play those of a batch again for which somebody asks."""
        self._begin(batch)
        for _ in range(MAX_ATTEMPTS):
            asked = [each for each in self._asked(batch) if each not in self._failed]
            if asked:
                numbers = {fixture.number: ruling for ruling, fixture in asked}
                fixtures = [fixture for _, fixture in asked]
                self._ruled = UNKNOWN
                writer = ResultWriter(self.store, self.contest.id, self._orders, listener, numbers)
                for _ in self._play_once(fixtures, map(self._orders.order, fixtures), executor, writer):
                    """A match that is played again decides nothing before its batch is given to the format."""
        self._failed += self._asked(batch)

    def _asked(self, batch: int) -> list[tuple[int, Fixture]]:
        """The matches of a batch that have to be played again, each with the ruling that asks for it."""
        return [each for each in self.store.pending(self.contest.id) if each[1].batch == batch]

    def _play(self, batch: Progress, executor: Executor, listener: ContestListener) -> Iterator[None]:
        """Play the matches of the batch that have no result yet, until the format needs no more."""
        self._begin(batch.batch)
        streams = self.format.info.streams
        if streams:
            self._hear_stored(batch.batch)
            yield from self._advance()
        while not self.format.is_decided and (unplayed := self._to_play(batch.batch)):
            told = _Heard(self.format, listener) if streams else listener
            writer = ResultWriter(self.store, self.contest.id, self._orders, told, strict=streams)
            yield from self._play_once(unplayed, self._ordered(unplayed), executor, writer)
            yield from self._advance()  # by what the writer stored at its end
        self._cut(batch.batch)

    def _cut(self, batch: int) -> None:
        """Let the matches of a batch that come after the decision count for nobody, if there was one."""
        if (enough := self.format.enough) is not None:
            self.store.cut(self.contest.id, batch, enough, IN_VAIN, time())

    def _hear_stored(self, batch: int) -> None:
        """Let the format hear what was played of a batch before."""
        with reporting_damage(self.store):
            for result in self.store.played(self.contest.id, batch):
                self.format.hear(result)
            for aside in self.store.set_aside(self.contest.id):
                if aside.fixture.batch == batch:
                    self.format.hear(Result(aside.fixture, ()), aside.error)

    def _advance(self) -> Iterator[None]:
        """A step for each that the format advances by what it has heard."""
        while self.format.advance():
            yield

    def _begin(self, batch: int) -> None:
        """Make the next orders for this batch."""
        first = next(iter(self.store.scheduled(self.contest.id, batch)), None)
        if first is None:
            raise OperatorError("store-damaged", store=self.store.shown, reason=f"batch {batch} has no matches")
        self._orders.begin_batch(first.number)

    def _play_once(
        self, fixtures: list[Fixture], orders: Iterable[MatchOrder], executor: Executor, writer: ResultWriter
    ) -> Iterator[None]:
        """Play these matches, each once, and write what comes of them, until the format needs no more."""
        by_key = {str(fixture.number): fixture for fixture in fixtures}
        with writer as appender:
            reports = executor.play(orders)
            try:
                for report in reports:
                    appender.add(by_key[report.key], report)
                    yield from self._advance()
                    if self.format.is_decided:
                        break
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
        """Who cannot play at this moment; in a format that passes over their matches, also who has left or pauses."""
        missing = {*self.missing()}
        if not self.format.info.passes_over:
            return missing
        return missing | {each.number for each in self.roster.read() if each.is_away}

    def _ordered(self, fixtures: list[Fixture]) -> Iterator[MatchOrder]:
        """Orders, one after the other, without matches of bots that went away in the meantime."""
        away, looked = self._away(), monotonic()
        for fixture in fixtures:
            if monotonic() - looked >= LOOK:
                away, looked = self._away(), monotonic()
            if away.isdisjoint(fixture.seats):
                yield self._orders.order(fixture)


def begun(
    store: Store,
    contest: Contest,
    game: Game,
    spec: Spec,
    built: Sequence[BuiltBot],
    make: Callable[[Roster], Format] | None = None,
    *,
    plays_on: bool = False,
) -> Loop:
    """The loop of a series whose terms and bots are in the store, before its first batch.

    `make` gives its format, if not simply that of its terms; `plays_on` as in `Orders`.
    """
    roster = Roster(store, contest, game, spec, built)
    orders = Orders(store, contest, game, spec, roster, plays_on=plays_on)
    return Loop(store, contest, make or partial(format_of, game, spec), roster, orders)


def format_of(game: Game, spec: Spec, roster: Roster) -> Format:
    """The series' format, before its first batch."""
    return made_format(game, spec, sum(entrant.since == 0 for entrant in roster.entrants))


def made_format(game: Game, spec: Spec, entrants: int) -> Format:
    """The format of these terms, before its first batch, for so many bots at the beginning."""
    return formats.make(
        spec.format,
        seats=game.seats,
        rounds=spec.rounds,
        seed=spec.seed,
        entrants=entrants,
        options=spec.options,
    )
