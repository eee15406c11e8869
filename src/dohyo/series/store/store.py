"""A store: what a contest stores while it runs, and what can be looked up."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial, wraps
from pathlib import Path
from types import TracebackType
from typing import Any, Concatenate, ParamSpec, TypeVar
from uuid import uuid4

from sqlalchemy import Connection

from dohyo.core.contest import Entrant, Fixture, Result
from dohyo.core.errors import OperatorError
from dohyo.core.rulings_in_force import ANNUL, Ruling
from dohyo.i18n import Message
from dohyo.series.store import contests as of_contests
from dohyo.series.store import kept_rulings, lookups, matches, removals, seated, streams, verify
from dohyo.series.store.address import read_address
from dohyo.series.store.database import PATIENCE, Database
from dohyo.series.store.files import AnyFiles, Files
from dohyo.series.store.files_folder import folder_of
from dohyo.series.store.lease import Lease, lock
from dohyo.series.store.opening import open_database
from dohyo.series.store.records import MAX_ATTEMPTS, Contest, StaleError

Given = ParamSpec("Given")
Outcome = TypeVar("Outcome")


def open_store(
    where: str, *, create: bool = False, files: Path | AnyFiles | None = None, patience: float = PATIENCE
) -> Store:
    """Open the store at a path (`results.db`) or URL (`sqlite:///results.db`, `postgresql://user@host/name`).

    `create` makes one if there is none. `files` is the folder for files, or another place for them, if it is not the
    usual one next to the database (or, for PostgreSQL, the one that this machine remembers; see `files_folder`).
    `patience` is for how many seconds to wait for a lock or a lost server. Raises `OperatorError`: missing, not a
    store, of another version, locked, cannot be reached or written, unknown folder for files.
    """
    address = read_address(where)
    database = open_database(address, create=create, patience=patience)
    try:
        place = Files(folder_of(database, files)) if files is None or isinstance(files, Path) else files
    except BaseException:
        database.close()
        raise
    place.sweep()
    return Store(database, place)


def _reads(
    ask: Callable[Concatenate[Connection, Given], Outcome],
) -> Callable[Concatenate[Store, Given], Outcome]:
    """A method of a store that does this in a transaction which reads."""

    @wraps(ask)
    def method(self: Store, /, *given: Given.args, **named: Given.kwargs) -> Outcome:
        return self.database.read(lambda connection: ask(connection, *given, **named))

    return method


def _reads_in_pieces(
    ask: Callable[Concatenate[Connection, Given], Iterator[Outcome]],
) -> Callable[Concatenate[Store, Given], Iterator[Outcome]]:
    """The same for what is read while somebody takes one after the other, so that memory stays flat."""

    @wraps(ask)
    def method(self: Store, /, *given: Given.args, **named: Given.kwargs) -> Iterator[Outcome]:
        with self.database.reading() as connection:
            yield from ask(connection, *given, **named)

    return method


def _writes(
    act: Callable[Concatenate[Connection, int, Given], Outcome],
) -> Callable[Concatenate[Store, int, Given], Outcome]:
    """A method of a store that does this to a contest, in a transaction that locks it and checks the lease.

    Where this store has no lease of it, the contest is only locked. What needs none even while another process has
    one (`amend_spec`, `enter`, `rule`) is a method of its own.
    """

    @wraps(act)
    def method(self: Store, contest: int, /, *given: Given.args, **named: Given.kwargs) -> Outcome:
        return self._write(contest, lambda connection: act(connection, contest, *given, **named))

    return method


class Store:
    """An open store. Only one thread at a time may write; many may read.

    A method that names a contest takes its `id`. All raise `OperatorError` when the database is locked, full, or
    lost; what was stored stays, and calling again continues where it was. `hold` is for how many seconds a result may
    wait for others: a transaction takes as long as writing some hundred. `lasts`: what is in it stays.
    """

    hold = 0.2
    lasts = True

    def __init__(self, database: Database, files: AnyFiles) -> None:
        self.database = database
        self.files = files
        self._leases: dict[int, Lease] = {}
        self._known: dict[int, tuple[tuple[int, ...], list[Entrant]]] = {}  # entrants by contest, with their mark

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

    @property
    def beside(self) -> Path:
        """The folder of this machine for what belongs to the store: leases, matches that are watched."""
        return self.files.folder if isinstance(self.files, Files) else self.database.address.beside

    # --- contests and who takes part

    contests = _reads(of_contests.all_of)
    """Every contest, in the order of their beginnings."""
    set_state = _writes(of_contests.set_state)
    """Store that the contest is `running`, `stopped` or `over`."""

    def entrants(self, contest: int) -> list[Entrant]:
        """Who takes part, ascending by number, from 0 on; read anew only where their rows have changed."""
        return self.database.read(lambda connection: self._entrants(connection, contest))

    def _entrants(self, connection: Connection, contest: int) -> list[Entrant]:
        mark = lookups.entrants_mark(connection, contest)
        known = self._known.get(contest)
        if known is None or known[0] != mark:
            known = self._known[contest] = mark, of_contests.entrants(connection, contest)
        return [*known[1]]

    def begin(self, name: str, game: str, spec: dict[str, Any], at: float) -> Contest:
        """The contest of this name, new if there is none; the caller checks that game and spec are the same."""
        return self.database.write(partial(of_contests.begin, name=name, game=game, spec=spec, at=at))

    def contest(self, name: str | None = None) -> Contest:
        """The contest of this name, or the only one. Raises `OperatorError` if there is none, or several."""
        return self.database.read(partial(of_contests.find, name=name, shown=self.database.address.shown))

    def lease(self, contest: int) -> Lease:
        """Become the only writer of the contest, until the lease or the store is closed.

        Raises `OperatorError` while another process has the lease.
        """
        self.database.check_writable()
        name = next((found.name for found in self.contests() if found.id == contest), str(contest))
        self._leases[contest] = lease = Lease(self.database, contest, name, self.beside / "leases")
        return lease

    def amend_spec(self, contest: int, change: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
        """Change entries of the spec that do not affect matches; needs no lease, even while the contest runs."""

        def act(connection: Connection) -> None:
            (found,) = (each for each in of_contests.all_of(connection) if each.id == contest)
            of_contests.set_spec(connection, contest, change(found.spec))

        self._write(contest, act, leased=False)

    def enter(self, contest: int, entries: Sequence[Entrant], at: float, batches: int | None = None) -> None:
        """Store entrants; for a known entrant, `since`, `until` and `absences` may change.

        Needs no lease: bots join, pause and leave while the contest runs. If the caller's decision depends on how
        many batches are scheduled, `batches` is that number. Raises `StaleError` when there are more by now,
        `ValueError` for an entrant that is known as another version.
        """

        def act(connection: Connection) -> None:
            if batches is not None and lookups.count_batches(connection, contest) != batches:
                raise StaleError
            of_contests.enter(connection, contest, entries, at)

        self._write(contest, act, leased=False)

    def rename(
        self,
        contest: int,
        check: Callable[[list[Entrant], dict[str, Any]], Mapping[str, str]],
        change: Callable[[dict[str, Any], Mapping[str, str]], dict[str, Any]],
        at: float,
    ) -> dict[str, str]:
        """Give bots of a contest other names, in its entrants, its rulings and its spec; the new ones by the old.

        `check` tells them from the entrants and the spec, `change` makes the spec that has them. Needs no lease.
        Replays stay as they are: they are called by what they hold.
        """

        def act(connection: Connection) -> dict[str, str]:
            (found,) = (each for each in of_contests.all_of(connection) if each.id == contest)
            names = dict(check(of_contests.entrants(connection, contest), found.spec))
            if names:
                of_contests.rename(connection, contest, names, at)
                kept_rulings.rename(connection, contest, names)
                of_contests.set_spec(connection, contest, change(found.spec, names))
            return names

        return self._write(contest, act, leased=False)

    def delete(self, contest: int) -> None:
        """Delete a contest whose lease this store has, with its matches, and those replays that no other one names.

        What it has of bots stays: other contests may have the same.
        """
        replays = self._write(contest, lambda connection: of_contests.delete(connection, contest))
        self._leases.pop(contest).close()
        for digest in replays:
            self.files.remove(digest)

    # --- the schedule, and what was played

    scheduled = _reads_in_pieces(streams.scheduled)
    """The schedule, or that of a batch, ascending by number; memory stays flat."""
    unplayed = _reads(streams.unplayed)
    """The matches, of one batch or of all, without a result that are not set aside, ascending by number."""
    put_aside = _writes(matches.put_aside)
    """Set matches of a batch aside that nobody tried, since a bot in them is away; returns how many were new."""
    reopen = _writes(matches.reopen)
    """Let the matches that were set aside, of the batches from `since` on, be played after all; returns how many.

    The caller knows whether their results can still count when later batches were drawn.
    """
    set_aside = _reads(lookups.set_aside)
    """The matches that are not tried any more for now, ascending by number."""
    played = _reads_in_pieces(streams.played)
    """Results, ascending by number: of one batch, or one match, or all; memory stays flat."""
    played_by = _reads(streams.played_by)
    """The numbers of the matches of these entrants whose results count."""
    last_played = _reads(streams.last_played)
    """The last results, ascending: of all matches, of those of some entrants, or of those with faults.

    Found by indices: the time does not grow with the contest, except for `faulty`, which reads every seat.
    """
    results_of = _reads(streams.of_numbers)
    """The results of these few matches, ascending by number; those that have none are left out."""
    met = _reads(streams.met)
    """The last matches in which two entrants met, the newest first; found by indices."""
    met_lately = _reads(streams.met_lately)
    """The last meetings of an entrant with others, by these, the newest first: so many in all."""
    opponents = _reads(streams.opponents)
    """Whom an entrant met in its last matches, those first whom it met most often; found by indices."""
    last_with_fault = _reads(streams.last_with_fault)
    """The number of the last match in which an entrant had a fault of this kind; none if it had none.

    Only its last matches are looked at, so many as `among` says: the time does not grow with the contest.
    """
    seated = _reads(seated.seated)
    """Every seat of the last matches of some entrants, ascending by match and seat; found by indices."""
    blocks = _reads_in_pieces(streams.blocks)
    """All results, as flat arrays of `size` matches; memory stays flat."""
    keepsake = _reads(lookups.keepsake)
    """The digest of the folder that an entrant kept last, or last before match `before`; None if it never did."""

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
            if drawn_from is not None and self._entrants(connection, contest) != list(drawn_from):
                raise StaleError
            if ruled is not None and kept_rulings.count(connection, contest) != ruled:
                raise StaleError
            return matches.schedule(connection, contest, wanted)

        return self._write(contest, act)

    def record(self, contest: int, results: Sequence[Result]) -> list[int]:
        """Insert results in one transaction, each once or not at all; returns the numbers of new ones, ascending.

        Put their files into `files` first. Raises `ValueError` for a match that is not in the schedule.
        """

        def act(connection: Connection) -> list[int]:
            new = matches.record(connection, contest, results)
            kept_rulings.settle_new(connection, contest, new)
            return new

        return self._write(contest, act)

    def fail(self, contest: int, match: int, error: str, at: float, most: int = MAX_ATTEMPTS) -> tuple[int, bool]:
        """Store that an attempt at a match crashed its worker.

        Returns the attempts under this lease so far, and whether the match is set aside: not tried any more, until it
        is reopened.
        """
        name = uuid4().hex  # the same one however often the connection breaks
        return self._write(contest, lambda c: matches.fail(c, contest, match, name, error, at, most))

    def cut(self, contest: int, batch: int, enough: int, because: str, at: float) -> int:
        """End a batch before its end: from match `enough` on those without a result leave the schedule, the others
        are annulled, as it says `because`. Returns how many these are.
        """

        def act(connection: Connection) -> int:
            vain = matches.cut(connection, contest, batch, enough)
            if vain:
                kept_rulings.add(connection, contest, Ruling(0, ANNUL, at, 0, because, matches=tuple(vain)))
            return len(vain)

        return self._write(contest, act)

    def result(self, contest: Contest, match: int) -> Result:
        """The result of one match. Raises `OperatorError` where it has none."""
        found = self.database.read(lambda connection: list(streams.played(connection, contest.id, number=match)))
        if not found:
            raise OperatorError("store-no-match", name=contest.name, number=match)
        return found[0]

    # --- what is decided about results later

    rulings = _reads(kept_rulings.rulings)
    """Everything that was decided, oldest first: the audit trail."""
    rulings_of_bots = _reads(kept_rulings.of_bots)
    """The rulings that are about bots, oldest first: quick to read, however many others there are."""
    count_rulings = _reads(kept_rulings.count)
    """How many rulings there are: none is ever removed, so a new number means that there is something new."""
    attempts = _reads(kept_rulings.attempts)
    """Every result of the matches about which somebody ruled, or of some of them: those that do not count, too."""
    pending = _reads(kept_rulings.pending)
    """The matches that have to be played again, each with the ruling that asks for it, ascending by number."""
    voided = _reads(kept_rulings.voided)
    """The matches that were played and whose results count for nobody, ascending."""
    record_again = _writes(kept_rulings.record_again)
    """Store results that rulings asked for, each with its ruling's number, in one transaction.

    From then on they stand for their matches. Returns the numbers of those that are new. Put their files into
    `files` first. Raises `ValueError` for a match that is not as it was, or about which nobody ruled.
    """
    take_in = _writes(kept_rulings.take_in)
    """Store the rulings and attempts of a copy of a contest that has the first results of these matches."""

    def rule(self, contest: int, ruling: Ruling) -> Ruling:
        """Store a ruling, and let it take effect in the same transaction; it gets its number.

        Needs no lease: it may be made while the contest runs. Raises `ValueError` for a match without any result.
        """
        return self._write(contest, lambda connection: kept_rulings.add(connection, contest, ruling), leased=False)

    # --- tallies and ratings: what a table shows

    progress = _reads(lookups.progress)
    """How far each batch is, ascending."""
    batch = _reads(lookups.batch)
    """How far one batch is; none if it is not drawn yet."""
    count_batches = _reads(lookups.count_batches)
    """How many batches are drawn."""
    count_set_aside = _reads(lookups.count_set_aside)
    """How many matches are not tried any more for now, or were played and count for nobody."""
    count_played = _reads(lookups.count_played)
    """How many matches have a result that counts."""
    marks = _reads(lookups.marks)
    """What changes whenever the entrants or the last published ratings do: quick to read."""
    tallies = _reads(lookups.tallies)
    """What each entrant did on each seat, or some of them, ascending by entrant and seat."""
    count_matches = _reads(lookups.count_matches)
    """In how many matches that count each entrant took part, once for each of its seats: added up by the database."""
    pairs = _reads(lookups.pairs)
    """The results of each pair of entrants that met, ascending."""
    faults = _reads(lookups.faults)
    """How often each entrant, or each of some, misbehaved, by kind; without those that never did."""
    faulty = _reads(lookups.faulty)
    """In how many matches each entrant, or each of some, had a fault; without those that never did."""
    rate = _writes(lookups.rate)
    """Publish the ratings after a batch, replacing earlier ones."""
    ratings = _reads(lookups.ratings)
    """The ratings published after each batch, or after one; by batch ascending, then by entrant."""
    leaders = _reads(lookups.leaders)
    """The entrants with the best lower ends of their intervals after a batch, the best first."""
    reached = _reads(lookups.reached)
    """When the last result of a batch was reached; none if it has none."""
    rated = _reads(lookups.rated)
    """The ratings of some entrants published after some batches; by batch ascending, then by entrant."""

    # --- whether it is whole

    removed = _reads(removals.removed)
    """The digests of the files that were removed on purpose."""

    def remove_code(self, archive: str, why: str) -> None:
        """Remove the archive of a bot on purpose, for a reason in a word: then it is not missing, but removed."""
        self.database.write(lambda connection: removals.note(connection, archive, why))
        self.files.remove(archive)

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
