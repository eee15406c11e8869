"""Reads schedule and results in pieces, however many there are.

Each table is read in the order of its key, over a range of numbers, and they are put together here: a join would do
the same, but its duration, a second or an hour, would depend on the database's query planner.

Each query is closed where it was opened, even after an error: otherwise the exception would hold half-read rows until
after their connection is closed.
"""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Generator, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from itertools import groupby, islice
from operator import itemgetter
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Table, func, select

from dohyo.core.contest import Fixture, Result
from dohyo.core.faults import KINDS
from dohyo.series.store import tables
from dohyo.series.store.columns import COLUMN, read, whole
from dohyo.series.store.contests import count
from dohyo.series.store.errors import DamagedError
from dohyo.series.store.matches import MAX_SEATS, seats_of
from dohyo.series.store.records import Block, Meeting

Rows = Callable[[Table, str, str], Iterator[Any]]
Range = tuple[int, int]  # the first and the last number of matches

NOTHING: Range = (0, -1)


class _Extent(NamedTuple):
    """Some batches: the numbers between which their matches are, how many these are, how many were played."""

    within: Range
    size: int
    played: int


def extent_of(connection: Connection, contest: int, batch: int | None = None) -> _Extent:
    """What is known of a batch, or of all."""
    of = tables.batches
    query = whole(of).where(of.c.contest == contest)
    if batch is not None:
        query = query.where(of.c.number == batch)
    rows = list(read(connection, query, of))
    if not rows:
        return _Extent(NOTHING, 0, 0)
    within = min(row.first for row in rows), max(row.last for row in rows)
    return _Extent(within, sum(row.size for row in rows), sum(row.played for row in rows))


def _rows(
    connection: Connection, contest: int, table: Table, key: str, names: str, within: Range
) -> Generator[Any, None, None]:
    """Rows of a table, `key` before the columns `names`, ascending by key (and by seat, where there are seats)."""
    yield from _picked(connection, contest, table, key, names, table.c[key].between(*within))


def _picked(
    connection: Connection, contest: int, table: Table, key: str, names: str, where: ColumnElement[bool]
) -> Generator[Any, None, None]:
    """The same of those rows that the condition chooses."""
    columns = [table.c[name] for name in (key, *names.split())]
    query = select(*table.c).where(table.c.contest == contest, where).order_by(columns[0])
    if "seat" in table.c:
        query = query.order_by(table.c.seat)
    if COLUMN not in table.c:
        query = query.with_only_columns(*columns)
        with connection.execute(query) as rows:
            yield from rows
        return
    known = list(table.c.keys())
    pick = itemgetter(*(known.index(each.name) for each in columns))
    with closing(read(connection, query, table)) as rows:
        for row in rows:
            yield pick(row)


def _complete(count: int, of: int, what: str) -> None:
    """Raise `DamagedError` if rows are missing: a damaged page of the database may lose some without an error."""
    if count != of:
        raise DamagedError(f"{count} of {of} {what}")


class _Follower:
    """Rows of a second table, read together with those of another table, by the same key."""

    def __init__(self, rows: Iterator[Any]) -> None:
        self._rows = rows
        self._next = next(rows, None)

    def take(self, key: int) -> list[Any]:
        """The rows of this key; rows of lower keys are skipped."""
        taken = []
        while self._next is not None and self._next[0] <= key:
            if self._next[0] == key:
                taken.append(self._next)
            self._next = next(self._rows, None)
        return taken


def unplayed(connection: Connection, contest: int, batch: int | None = None) -> list[Fixture]:
    """The matches that have no result and are not set aside, of one batch or of all, ascending by number."""
    within = extent_of(connection, contest, batch).within
    with _rows_of(connection, contest, within) as rows, closing(scheduled(connection, contest, batch)) as schedule:
        played, aside = _Follower(rows(tables.results, "match", "at")), _Follower(rows(tables.set_aside, "match", ""))
        return [each for each in schedule if not played.take(each.number) and not aside.take(each.number)]


def scheduled(connection: Connection, contest: int, batch: int | None = None) -> Generator[Fixture, None, None]:
    """The schedule, or that of a batch, ascending by number."""
    extent, entrants, found = extent_of(connection, contest, batch), count(connection, contest), 0
    with _rows_of(connection, contest, extent.within) as rows:
        for number, its, seats, seed in rows(tables.matches, "number", "batch seats seed"):
            if batch is None or its == batch:
                found += 1
                yield Fixture(its, number, seats_of(seats, entrants), seed)
    _complete(found, extent.size, "matches")


def played(
    connection: Connection, contest: int, batch: int | None = None, number: int | None = None
) -> Iterator[Result]:
    """Results, ascending by number: of one batch, or one match, or all.

    The kept folders of a result are not looked up; `keepsake` does that.
    """
    extent = extent_of(connection, contest, batch) if number is None else _Extent((number, number), 1, 1)
    entrants, found = count(connection, contest), 0
    with _rows_of(connection, contest, extent.within) as rows:
        schedule = _Follower(rows(tables.matches, "number", "batch seats seed"))
        seats = _Follower(rows(tables.seatings, "match", "place score faults longest"))
        for result in rows(tables.results, "match", "replay at seconds host worker"):
            fixture = _fixture(schedule.take(result[0]), result[0], entrants)
            if batch is None or fixture.batch == batch:
                found += 1
                yield _result(result, fixture, seats.take(result[0]))
    if number is None:
        _complete(found, extent.played, "results")


def played_by(connection: Connection, contest: int, entrants: Collection[int]) -> set[int]:
    """The numbers of the matches of these entrants whose results count, found by an index."""
    of = tables.seatings.c
    query = select(of.match).where(of.contest == contest, of.entrant.in_(entrants)).distinct()
    return set(connection.execute(query).scalars())


def last_played(
    connection: Connection,
    contest: int,
    most: int,
    entrants: Sequence[int] | None = None,
    faulty: bool = False,
    before: int | None = None,
) -> list[Result]:
    """The last results, ascending: of all matches, of those of some entrants, or of those with faults.

    With `before`, those of lower numbers alone. Found by indices: the time does not grow with the contest, except for
    `faulty`, which reads every seat.
    """
    if faulty:
        return of_numbers(connection, contest, _last_faulty(connection, contest, most, entrants))
    return of_numbers(connection, contest, _last_played(connection, contest, most, entrants, before))


def of_numbers(connection: Connection, contest: int, numbers: Sequence[int]) -> list[Result]:
    """The results of these few matches, ascending by number; those that have none are left out."""
    entrants = count(connection, contest)
    rows: dict[str, dict[int, list[Any]]] = {}
    for table, key, names in (
        (tables.matches, "number", "batch seats seed"),
        (tables.seatings, "match", "place score faults longest"),
        (tables.results, "match", "replay at seconds host worker"),
    ):
        own = rows[table.name] = defaultdict(list)
        for row in _picked(connection, contest, table, key, names, table.c[key].in_(numbers)):
            own[row[0]].append(row)
    found = []
    for number, (result,) in sorted(rows["results"].items()):
        fixture = _fixture(rows["matches"][number], number, entrants)
        found.append(_result(result, fixture, rows["seatings"][number]))
    return found


def _last_played(
    connection: Connection, contest: int, most: int, entrants: Sequence[int] | None, before: int | None
) -> list[int]:
    """The numbers of the last matches that have a result, ascending: of all, or of those of some entrants."""
    if entrants is None:
        of = tables.results.c
        query = select(of.match).where(of.contest == contest).order_by(of.match.desc()).limit(most)
        query = query if before is None else query.where(of.match < before)
        return sorted(connection.execute(query).scalars())
    seated = tables.seatings.c
    numbers: set[int] = set()
    for entrant in entrants:  # each by the index
        query = select(seated.match).where(seated.contest == contest, seated.entrant == entrant).distinct()
        query = query if before is None else query.where(seated.match < before)
        numbers.update(connection.execute(query.order_by(seated.match.desc()).limit(most)).scalars())
        _complete(_count_of(connection, contest, entrant), _tallied(connection, contest, entrant), "seats")
    return sorted(numbers)[-most:]


def _last_faulty(connection: Connection, contest: int, most: int, entrants: Sequence[int] | None) -> list[int]:
    """The numbers of the last matches in which a bot had a fault, ascending: of all, or of those of some entrants."""
    of = tables.seatings.c
    query = select(of.match).where(of.contest == contest, of.faults != "").distinct()
    if entrants is not None:
        mine = select(of.match).where(of.contest == contest, of.entrant.in_(entrants))
        query = query.where(of.match.in_(mine))
    return sorted(connection.execute(query.order_by(of.match.desc()).limit(most)).scalars())


def met(connection: Connection, contest: int, one: int, other: int, most: int) -> list[Meeting]:
    """The last matches in which two entrants met, the newest first; one for each pair of their seats."""
    mine, its, match = tables.seatings.alias().c, tables.seatings.alias().c, tables.matches.c
    query = select(mine.match, match.seed, mine.seat, mine.place, its.seat, its.place).where(
        mine.contest == contest,
        mine.entrant == one,
        its.contest == contest,
        its.match == mine.match,
        its.entrant == other,
        match.contest == contest,
        match.number == mine.match,
    )
    found = connection.execute(query.order_by(mine.match.desc(), mine.seat, its.seat).limit(most))
    return [Meeting(*row) for row in found]


def met_lately(
    connection: Connection, contest: int, one: int, others: Collection[int], most: int
) -> dict[int, list[Meeting]]:
    """The last meetings of an entrant with others, by these, the newest first: `most` in all, found by one query."""
    mine, its, match = tables.seatings.alias().c, tables.seatings.alias().c, tables.matches.c
    query = select(its.entrant, mine.match, match.seed, mine.seat, mine.place, its.seat, its.place).where(
        mine.contest == contest,
        mine.entrant == one,
        its.contest == contest,
        its.match == mine.match,
        its.entrant.in_(others),
        match.contest == contest,
        match.number == mine.match,
    )
    found: dict[int, list[Meeting]] = {other: [] for other in others}
    for other, *row in connection.execute(query.order_by(mine.match.desc(), mine.seat, its.seat).limit(most)):
        found[other].append(Meeting(*row))
    return found


def opponents(connection: Connection, contest: int, entrant: int, among: int, most: int) -> list[int]:
    """Whom an entrant met in its last matches, so many as `among` says: the `most` whom it met most often.

    Counted here: a database that groups by entrants may read all seats of the contest in their order.
    """
    of = tables.seatings.c
    mine = select(of.match).where(of.contest == contest, of.entrant == entrant).order_by(of.match.desc()).limit(among)
    numbers = {*connection.execute(mine).scalars()}
    query = select(of.entrant).where(of.contest == contest, of.match.in_(numbers))
    met = Counter(connection.execute(query).scalars())
    del met[entrant]
    return sorted(met, key=lambda other: (-met[other], other))[:most]


def last_with_fault(connection: Connection, contest: int, entrant: int, kind: str, among: int) -> int | None:
    """The number of the last match in which an entrant had a fault of this kind; none if it had none.

    Only its last matches are looked at, so many as `among` says: the time does not grow with the contest.
    """
    of = tables.seatings.c
    mine = select(of.match, of.faults).where(of.contest == contest, of.entrant == entrant)
    latest = mine.order_by(of.match.desc()).limit(among).subquery().c
    query = select(latest.match).where(latest.faults.contains(kind, autoescape=True))
    return connection.execute(query.order_by(latest.match.desc()).limit(1)).scalar()


def _count_of(connection: Connection, contest: int, entrant: int) -> int:
    of = tables.seatings.c
    query = select(func.count()).select_from(tables.seatings).where(of.contest == contest, of.entrant == entrant)
    return int(connection.execute(query).scalar_one())


def _tallied(connection: Connection, contest: int, entrant: int) -> int:
    of = tables.tallies
    query = whole(of).where(of.c.contest == contest, of.c.entrant == entrant)
    return sum(row.matches for row in read(connection, query, of))


def _fixture(rows: list[Any], number: int, entrants: int) -> Fixture:
    """The match of the schedule that has a result."""
    if len(rows) != 1:
        raise DamagedError(f"match {number} is {len(rows)} times in the schedule")
    ((_, batch, seats, seed),) = rows
    return Fixture(batch, number, seats_of(seats, entrants), seed)


@contextmanager
def _rows_of(connection: Connection, contest: int, within: Range) -> Iterator[Rows]:
    """A context with the function that reads rows of a table, as `_rows` does; at the end all queries are closed."""
    with ExitStack() as stack:
        yield lambda table, key, names: stack.enter_context(
            closing(_rows(connection, contest, table, key, names, within))
        )


def _result(row: Any, fixture: Fixture, seats: list[Any]) -> Result:
    match, replay, at, seconds, host, worker = row
    if len(seats) != len(fixture.seats):
        raise DamagedError(f"match {match} has a result for {len(seats)} of {len(fixture.seats)} seats")
    _, places, scores, faults, longest = zip(*seats, strict=True)
    if not all(1 <= place <= len(places) for place in places):
        raise DamagedError(f"the places {places} of match {match}")
    return Result(
        fixture=fixture,
        places=places,
        scores=() if None in scores else scores,
        faults=tuple(map(_kinds_of, faults)) if any(faults) else (),
        longest=longest if any(time is not None for time in longest) else (),
        replay=replay,
        at=at,
        seconds=seconds,
        host=host,
        worker=worker,
    )


def _kinds_of(text: str) -> tuple[str, ...]:
    """The kinds of faults in a column. Raises `DamagedError` for invalid ones."""
    kinds = tuple(text.split(",")) if text else ()
    if not KINDS.issuperset(kinds):
        raise DamagedError(f"the faults {text[:40]!r}")
    return kinds


def blocks(connection: Connection, contest: int, size: int = 10_000) -> Iterator[Block]:
    """All results, as flat arrays of `size` matches: memory stays flat, and no object of a match is kept."""
    extent, known, found = extent_of(connection, contest), count(connection, contest), 0
    block: Block | None = None
    with _rows_of(connection, contest, extent.within) as rows:
        schedule = _Follower(rows(tables.matches, "number", "batch seats seed"))
        seatings = rows(tables.seatings, "match", "entrant place")
        for match, own in groupby(seatings, key=itemgetter(0)):
            _, entrants, places = zip(*islice(own, MAX_SEATS + 1), strict=True)
            fixture = _fixture(schedule.take(match), match, known)
            if fixture.seats != entrants or not 1 <= min(places) <= max(places) <= len(places):
                raise DamagedError(f"the result of match {match}")
            if block is None or block.width != len(entrants) or len(block.numbers) >= size:
                if block is not None:
                    yield block
                block = Block(len(entrants), array("q"), array("q"), array("i"), array("i"))
            found += 1
            block.numbers.append(match)
            block.seeds.append(fixture.seed)
            block.entrants.extend(entrants)
            block.places.extend(places)
    if block is not None:
        yield block
    _complete(found, extent.played, "results")
