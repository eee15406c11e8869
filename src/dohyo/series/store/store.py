"""A store: what a contest stores while it runs, and what can be looked up."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar
from uuid import uuid4

from sqlalchemy import Connection

from dohyo.core.contest import Entrant, Fixture, Result
from dohyo.core.errors import OperatorError
from dohyo.core.rulings import ANNUL, Attempt, Ruling
from dohyo.i18n import Message
from dohyo.series.store import contests, lookups, matches, rulings, streams, verify
from dohyo.series.store.address import read_address
from dohyo.series.store.database import PATIENCE, Database
from dohyo.series.store.files import Files, Folder
from dohyo.series.store.files_folder import folder_of
from dohyo.series.store.lease import Lease, lock
from dohyo.series.store.opening import open_database
from dohyo.series.store.records import (
    MAX_ATTEMPTS,
    Aside,
    Block,
    Contest,
    PairTally,
    Progress,
    PublishedRating,
    StaleError,
    Tally,
)

Outcome = TypeVar("Outcome")


def open_store(where: str, *, create: bool = False, files: Path | None = None, patience: float = PATIENCE) -> Store:
    """Open the store at a path (`results.db`) or URL (`sqlite:///results.db`, `postgresql://user@host/name`).

    `create` makes one if there is none; `files` is the folder for files, if it is not the usual one next to the
    database (or, for PostgreSQL, the one that this machine remembers; see `files_folder`). `patience` is for how many
    seconds to wait for a lock or a lost server. Raises `OperatorError`:
    missing, not a store, of a newer version, locked, cannot be reached or written, unknown folder for files.
    """
    address = read_address(where)
    database = open_database(address, create=create, patience=patience)
    try:
        folder = Folder(folder_of(database, files))
    except BaseException:
        database.close()
        raise
    folder.sweep()
    return Store(database, folder, folder.folder)


class Store:
    """An open store. Only one thread at a time may write; many may read.

    A method that names a contest takes its `id`. All raise `OperatorError` when the database is locked, full, or
    lost; what was stored stays, and calling again continues where it was. `hold` is for how many seconds a result may
    wait for others: a transaction takes as long as writing some hundred. `lasts`: what is in it stays.
    """

    hold = 0.2
    lasts = True

    def __init__(self, database: Database, files: Files, folder: Path) -> None:
        self.database = database
        self.files = files
        self._folder = folder
        self._leases: dict[int, Lease] = {}

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Release leases, and close the database."""
        for lease in self._leases.values():
            lease.close()
        self._leases.clear()
        self.database.close()

    @property
    def shown(self) -> str:
        """Its name in sentences, without passwords."""
        return self.database.address.shown

    # --- contests and who takes part

    def begin(self, name: str, game: str, spec: dict[str, Any], at: float) -> Contest:
        """The contest of this name, new if there is none; the caller checks that game and spec are the same."""
        return self.database.write(partial(contests.begin, name=name, game=game, spec=spec, at=at))

    def contest(self, name: str | None = None) -> Contest:
        """The contest of this name, or the only one. Raises `OperatorError` if there is none, or several."""
        return self.database.read(partial(contests.find, name=name, shown=self.database.address.shown))

    def contests(self) -> list[Contest]:
        """Every contest, in the order of their beginnings."""
        return self.database.read(contests.all_of)

    def lease(self, contest: int) -> Lease:
        """Become the only writer of the contest, until the lease or the store is closed.

        Raises `OperatorError` while another process has the lease.
        """
        self.database.check_writable()
        name = next((found.name for found in self.contests() if found.id == contest), str(contest))
        self._leases[contest] = lease = Lease(self.database, contest, name, self._folder / "leases")
        return lease

    def set_state(self, contest: int, state: str) -> None:
        """Store that the contest is `running`, `stopped` or `over`."""
        self._write(contest, lambda connection: contests.set_state(connection, contest, state))

    def amend_spec(self, contest: int, change: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
        """Change entries of the spec that do not affect matches; needs no lease, even while the contest runs."""

        def act(connection: Connection) -> None:
            (found,) = (each for each in contests.all_of(connection) if each.id == contest)
            contests.set_spec(connection, contest, change(found.spec))

        self._write(contest, act, leased=False)

    def enter(self, contest: int, entries: Sequence[Entrant], at: float, batches: int | None = None) -> None:
        """Store entrants; for a known entrant, `since`, `until` and `absences` may change.

        Needs no lease: bots join, pause and leave while the contest runs. If the caller's decision depends on how
        many batches are scheduled, `batches` is that number. Raises `StaleError` when there are more by now,
        `ValueError` for an entrant that is known as another version.
        """

        def act(connection: Connection) -> None:
            if batches is not None and len(lookups.progress(connection, contest)) != batches:
                raise StaleError
            contests.enter(connection, contest, entries, at)

        self._write(contest, act, leased=False)

    def delete(self, contest: int) -> None:
        """Delete a contest whose lease this store has, with its matches, and those replays that no other one names.

        What it has of bots stays: other contests may have the same.
        """
        replays = self._write(contest, lambda connection: contests.delete(connection, contest))
        self._leases.pop(contest).close()
        for digest in replays:
            self.files.remove(digest)

    def entrants(self, contest: int) -> list[Entrant]:
        """Who takes part, ascending by number."""
        return self.database.read(lambda connection: contests.entrants(connection, contest))

    # --- the schedule, and what was played

    def schedule(
        self,
        contest: int,
        batch: Iterable[Fixture],
        drawn_from: Sequence[Entrant] | None = None,
        ruled: int | None = None,
    ) -> int:
        """Store matches to be played; returns how many were new. Known ones stay.

        Raises `StaleError` if the entrants have changed since the batch was drawn, or there are not `ruled` rulings
        any more, `ValueError` when a number or a key is known with another match.
        """
        wanted = list(batch)

        def act(connection: Connection) -> int:
            if drawn_from is not None and contests.entrants(connection, contest) != list(drawn_from):
                raise StaleError
            if ruled is not None and rulings.count(connection, contest) != ruled:
                raise StaleError
            return matches.schedule(connection, contest, wanted)

        return self._write(contest, act)

    def scheduled(self, contest: int, batch: int | None = None) -> Iterator[Fixture]:
        """The schedule, or that of a batch, ascending by number, in pieces: memory stays flat."""
        with self.database.reading() as connection:
            yield from streams.scheduled(connection, contest, batch)

    def unplayed(self, contest: int, batch: int | None = None) -> list[Fixture]:
        """The scheduled matches without a result that are not set aside, ascending by number."""
        return self.database.read(lambda connection: list(streams.unplayed(connection, contest, batch)))

    def record(self, contest: int, results: Sequence[Result]) -> list[int]:
        """Insert results in one transaction, each once or not at all; returns the numbers of new ones, ascending.

        Put their files into `files` first. Raises `ValueError` for a match that is not in the schedule.
        """

        def act(connection: Connection) -> list[int]:
            new = matches.record(connection, contest, results)
            rulings.settle_new(connection, contest, new)
            return new

        return self._write(contest, act)

    def fail(self, contest: int, match: int, error: str, at: float, most: int = MAX_ATTEMPTS) -> tuple[int, bool]:
        """Store that an attempt at a match crashed its worker.

        Returns the attempts under this lease so far, and whether the match is set aside: not tried any more, until it
        is reopened.
        """
        name = uuid4().hex  # the same one however often the connection breaks
        return self._write(contest, lambda c: matches.fail(c, contest, match, name, error, at, most))

    def put_aside(self, contest: int, batch: int, numbers: Sequence[int]) -> int:
        """Set matches of a batch aside that nobody tried, since a bot in them is away; returns how many were new."""
        return self._write(contest, lambda connection: matches.put_aside(connection, contest, batch, numbers))

    def reopen(self, contest: int, since: int = 0) -> int:
        """Let the matches that were set aside, of the batches from `since` on, be played after all; returns how many.

        The caller knows whether their results can still count when later batches were drawn.
        """
        return self._write(contest, lambda connection: matches.reopen(connection, contest, since))

    def cut(self, contest: int, batch: int, enough: int, because: str, at: float) -> int:
        """End a batch before its end: from match `enough` on those without a result leave the schedule, the others
        are annulled, as it says `because`. Returns how many these are.
        """

        def act(connection: Connection) -> int:
            vain = matches.cut(connection, contest, batch, enough)
            if vain:
                rulings.add(connection, contest, Ruling(0, ANNUL, at, 0, because, matches=tuple(vain)))
            return len(vain)

        return self._write(contest, act)

    def played(self, contest: int, batch: int | None = None) -> Iterator[Result]:
        """Results, ascending by number, in pieces: memory stays flat."""
        with self.database.reading() as connection:
            yield from streams.played(connection, contest, batch)

    def played_by(self, contest: int, entrants: Collection[int]) -> set[int]:
        """The numbers of the matches of these entrants whose results count."""
        return self.database.read(lambda connection: streams.played_by(connection, contest, entrants))

    def last_played(
        self, contest: int, most: int, entrants: Sequence[int] | None = None, faulty: bool = False
    ) -> list[Result]:
        """The last results, ascending: of all matches, of those of some entrants, or of those with faults.

        Found by indices: the time does not grow with the contest, except for `faulty`, which reads every seat.
        """
        with self.database.reading() as connection:
            find = streams.last_faulty if faulty else streams.last_played
            found: list[Result] = []
            for number in find(connection, contest, most, entrants):
                found += streams.played(connection, contest, number=number)
            return found

    def last_with_fault(self, contest: int, entrant: int, kind: str, among: int) -> int | None:
        """The number of the last match in which an entrant had a fault of this kind; none if it had none.

        Only its last matches are looked at, so many as `among` says: the time does not grow with the contest.
        """
        return self.database.read(
            lambda connection: streams.last_with_fault(connection, contest, entrant, kind, among)
        )

    def result(self, contest: Contest, match: int) -> Result:
        """The result of one match. Raises `OperatorError` where it has none."""
        found = self.database.read(lambda connection: list(streams.played(connection, contest.id, number=match)))
        if not found:
            raise OperatorError("store-no-match", name=contest.name, number=match)
        return found[0]

    def blocks(self, contest: int, size: int = 10_000, upto: int | None = None) -> Iterator[Block]:
        """All results, or those of batches up to `upto`, as flat arrays of `size` matches: memory stays flat."""
        with self.database.reading() as connection:
            yield from streams.blocks(connection, contest, size, upto)

    def set_aside(self, contest: int) -> list[Aside]:
        """The matches that are not tried any more for now, ascending by number."""
        return self.database.read(lambda connection: lookups.set_aside(connection, contest))

    def keepsake(self, contest: int, entrant: int, before: int | None = None) -> str | None:
        """The digest of the folder that an entrant kept last, or last before match `before`; None if it never did."""
        return self.database.read(lambda connection: lookups.keepsake(connection, contest, entrant, before))

    # --- what is decided about results later

    def rule(self, contest: int, ruling: Ruling) -> Ruling:
        """Store a ruling, and let it take effect in the same transaction; it gets its number.

        Needs no lease: it may be made while the contest runs. Raises `ValueError` for a match without any result.
        """
        return self._write(contest, lambda connection: rulings.add(connection, contest, ruling), leased=False)

    def rulings(self, contest: int) -> list[Ruling]:
        """Everything that was decided, oldest first: the audit trail."""
        return self.database.read(lambda connection: rulings.rulings(connection, contest))

    def rulings_of_bots(self, contest: int) -> list[Ruling]:
        """The rulings that are about bots, oldest first: quick to read, however many others there are."""
        return self.database.read(lambda connection: rulings.of_bots(connection, contest))

    def count_rulings(self, contest: int) -> int:
        """How many rulings there are: none is ever removed, so a new number means that there is something new."""
        return self.database.read(lambda connection: rulings.count(connection, contest))

    def attempts(self, contest: int, match: int | None = None) -> dict[int, list[Attempt]]:
        """Every result of the matches about which somebody ruled, or of one of them: those that do not count, too."""
        numbers = None if match is None else [match]
        return self.database.read(lambda connection: rulings.attempts(connection, contest, numbers))

    def record_again(self, contest: int, results: Sequence[tuple[int, Result]]) -> list[int]:
        """Store results that rulings asked for, each with its ruling's number, in one transaction.

        From then on they stand for their matches. Returns the numbers of those that are new. Put their files into
        `files` first. Raises `ValueError` for a match that is not as it was, or about which nobody ruled.
        """
        return self._write(contest, lambda connection: rulings.record_again(connection, contest, results))

    def pending(self, contest: int) -> list[tuple[int, Fixture]]:
        """The matches that have to be played again, each with the ruling that asks for it, ascending by number."""
        return self.database.read(lambda connection: rulings.pending(connection, contest))

    def voided(self, contest: int) -> list[int]:
        """The matches that were played and whose results count for nobody, ascending."""
        return self.database.read(lambda connection: rulings.voided(connection, contest))

    def take_in(self, contest: int, told: Sequence[Ruling], kept: Sequence[Attempt]) -> None:
        """Store the rulings and attempts of a copy of a contest that has the first results of these matches."""
        self._write(contest, lambda connection: rulings.take_in(connection, contest, told, kept))

    # --- tallies and ratings: what a table shows

    def progress(self, contest: int) -> list[Progress]:
        """How far each batch is, ascending."""
        return self.database.read(lambda connection: lookups.progress(connection, contest))

    def tallies(self, contest: int) -> list[Tally]:
        """What each entrant did on each seat, ascending by entrant and seat."""
        return self.database.read(lambda connection: lookups.tallies(connection, contest))

    def pairs(self, contest: int) -> list[PairTally]:
        """The results of each pair of entrants that met, ascending."""
        return self.database.read(lambda connection: lookups.pairs(connection, contest))

    def faults(self, contest: int) -> dict[int, dict[str, int]]:
        """How often each entrant misbehaved, by kind; without those that never did."""
        return self.database.read(lambda connection: lookups.faults(connection, contest))

    def faulty(self, contest: int) -> dict[int, int]:
        """In how many matches each entrant had a fault; without those that never did."""
        return self.database.read(lambda connection: lookups.faulty(connection, contest))

    def rate(self, contest: int, batch: int, ratings: Sequence[PublishedRating]) -> None:
        """Publish the ratings after a batch, replacing earlier ones."""
        self._write(contest, lambda connection: lookups.rate(connection, contest, batch, list(ratings)))

    def ratings(self, contest: int, batch: int | None = None) -> dict[int, list[PublishedRating]]:
        """The ratings published after each batch, or after one; by batch ascending, then by entrant."""
        return self.database.read(lambda connection: lookups.ratings(connection, contest, batch))

    # --- whether it is whole

    def verify(self) -> Iterator[Message]:
        """What is not as it was written: pages, rows, counts, tallies. Files are not checked."""
        yield from verify.verify_pages(self.database)
        yield from verify.verify_rows(self.database)
        for contest in self.contests():
            yield from verify.verify_contest(self.database, contest.id)

    def _write(self, contest: int, act: Callable[[Connection], Outcome], leased: bool = True) -> Outcome:
        """Do `act` in a transaction that locks the contest's row and checks the lease, if there is one."""
        lease = self._leases.get(contest) if leased else None

        def whole(connection: Connection) -> Outcome:
            if lease is None or lease.closed:
                lock(connection, contest)
            else:
                lease.check(connection)
            return act(connection)

        return self.database.write(whole)
