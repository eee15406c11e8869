"""Reads small results with one query: tallies, ratings, matches set aside, folders of bots' files."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from operator import itemgetter
from typing import Any

from sqlalchemy import BigInteger, Cast, Column, Connection, Table, case, cast, func, select

from dohyo.core.faults import KINDS
from dohyo.series.store import tables
from dohyo.series.store.columns import read, whole
from dohyo.series.store.contests import count as count_entrants
from dohyo.series.store.database import insert_rows
from dohyo.series.store.errors import DamagedError
from dohyo.series.store.matches import by_number
from dohyo.series.store.records import Aside, Marks, PairTally, Progress, PublishedRating, Tally

BATCH = ("number", "size", "played", "set_aside")


def progress(connection: Connection, contest: int) -> list[Progress]:
    """How far each batch is, ascending."""
    found = [Progress(*row) for row in _of(connection, tables.batches, contest, BATCH)]
    for at, batch in enumerate(found):
        if batch.batch != at or not batch.size > 0 or batch.played + batch.set_aside > batch.size:
            raise DamagedError(f"batch {batch.batch}")
    return found


def batch(connection: Connection, contest: int, number: int) -> Progress | None:
    """How far one batch is; none if it is not drawn yet."""
    of = tables.batches
    found = next(read(connection, whole(of).where(of.c.contest == contest, of.c.number == number), of), None)
    if found is None:
        return None
    told = Progress(*(getattr(found, name) for name in BATCH))
    if not told.size > 0 or told.played + told.set_aside > told.size:
        raise DamagedError(f"batch {number}")
    return told


def count_batches(connection: Connection, contest: int) -> int:
    """How many batches are drawn."""
    last = select(_last(tables.batches.c.number)).where(tables.batches.c.contest == contest)
    return int(connection.execute(last).scalar_one()) + 1


def count_set_aside(connection: Connection, contest: int) -> int:
    """How many matches are not tried any more for now, those too whose results count for nobody."""
    asked = select(func.count()).where(tables.set_aside.c.contest == contest)
    return int(connection.execute(asked).scalar_one())


def count_played(connection: Connection, contest: int) -> int:
    """How many matches have a result that counts."""
    of = tables.batches.c
    return int(connection.execute(select(_sum(of.played)).where(of.contest == contest)).scalar_one())


def marks(connection: Connection, contest: int) -> Marks:
    """What changes whenever the entrants or the last published ratings of a contest do: quick to read."""
    rated = tables.ratings.c
    batch = connection.execute(select(_last(rated.batch)).where(rated.contest == contest)).scalar_one()
    own = (rated.contest == contest) & (rated.batch == batch)
    published = connection.execute(select(func.count(), _sum(rated.checksum)).where(own)).one()
    return Marks(entrants_mark(connection, contest), batch if batch >= 0 else None, (*published,))


def entrants_mark(connection: Connection, contest: int) -> tuple[int, ...]:
    """What changes whenever the entrants of a contest do: how many there are, and the sum of their checksums."""
    of = tables.entrants.c
    return (*connection.execute(select(func.count(), _sum(of.checksum)).where(of.contest == contest)).one(),)


def _sum(of: Column[int]) -> Cast[int]:
    """The sum of a column: of any size, and of the same type in every database."""
    return cast(func.coalesce(func.sum(of), 0), BigInteger)


def _last(of: Column[int]) -> Cast[int]:
    """The highest number in a column; -1 where there is none."""
    return cast(func.coalesce(func.max(of), -1), BigInteger)


def tallies(connection: Connection, contest: int, entrants: Collection[int] | None = None) -> list[Tally]:
    """What each entrant did on each seat, or some of them, ascending."""
    names = Tally.__struct_fields__
    found = [Tally(*row) for row in _of(connection, tables.tallies, contest, names, entrants)]
    _check_entrants(connection, contest, (tally.entrant for tally in found))
    return found


def count_matches(connection: Connection, contest: int) -> dict[int, int]:
    """In how many matches that count each entrant took part, once for each of its seats; without those in none."""
    of = tables.tallies.c
    query = select(of.entrant, _sum(of.matches)).where(of.contest == contest).group_by(of.entrant)
    return {entrant: int(matches) for entrant, matches in connection.execute(query)}


def pairs(connection: Connection, contest: int) -> list[PairTally]:
    """The results of each pair of entrants that met, ascending."""
    found = [PairTally(*row) for row in _of(connection, tables.pair_tallies, contest, PairTally.__struct_fields__)]
    _check_entrants(connection, contest, (number for pair in found for number in (pair.entrant, pair.other)))
    return found


def faults(
    connection: Connection, contest: int, entrants: Collection[int] | None = None
) -> dict[int, dict[str, int]]:
    """How often each entrant, or each of some, misbehaved, by kind; without those that never did."""
    found: dict[int, dict[str, int]] = {}
    names = ("entrant", "kind", "count")
    for entrant, kind, count in _of(connection, tables.fault_tallies, contest, names, entrants):
        if kind not in KINDS:
            raise DamagedError(f"the fault {kind[:40]!r}")
        found.setdefault(entrant, {})[kind] = count
    _check_entrants(connection, contest, found)
    return found


def faulty(connection: Connection, contest: int, entrants: Collection[int] | None = None) -> dict[int, int]:
    """In how many matches each entrant, or each of some, had a fault; without those that never did."""
    found = dict(_of(connection, tables.faulty_tallies, contest, ("entrant", "matches"), entrants))
    _check_entrants(connection, contest, found)
    return found


def _check_entrants(connection: Connection, contest: int, numbers: Iterable[int]) -> None:
    """Raise `DamagedError` if rows name an entrant that does not exist."""
    most = max(numbers, default=-1)
    if most >= 0 and most >= count_entrants(connection, contest):
        raise DamagedError(f"entrant {most}, who never entered")


def _of(
    connection: Connection, table: Table, contest: int, names: Sequence[str], entrants: Collection[int] | None = None
) -> Iterator[Any]:
    """These columns of a contest's rows, or of those of some entrants, in the order of the first two.

    Raises `DamagedError`.
    """
    columns = [table.c[name] for name in names]
    query = whole(table).where(table.c.contest == contest).order_by(*columns[:2])
    if entrants is not None:
        query = query.where(table.c.entrant.in_(entrants))
    pick = itemgetter(*(list(table.c.keys()).index(name) for name in names))
    return map(pick, read(connection, query, table))


def set_aside(connection: Connection, contest: int) -> list[Aside]:
    """The matches that are not tried any more, ascending by number."""
    aside, failure = tables.set_aside.c, tables.failures
    numbers = list(connection.execute(select(aside.match).where(aside.contest == contest)).scalars())
    errors: dict[int, list[str]] = {}
    query = whole(failure).where(failure.c.contest == contest).order_by(failure.c.at, failure.c.name)
    for row in read(connection, query, failure) if numbers else ():
        errors.setdefault(row.match, []).append(row.error)
    found = []
    for number, match in sorted(by_number(connection, contest, numbers).items()):
        own = errors.get(number, [])
        found.append(Aside(match, len(own), own[-1] if own else ""))
    return found


def keepsake(connection: Connection, contest: int, entrant: int, before: int | None = None) -> str | None:
    """The digest of the folder that an entrant kept last, or last before a match; None if it never kept one."""
    of = tables.keepsakes
    query = whole(of).where(of.c.contest == contest, of.c.entrant == entrant).order_by(of.c.match.desc()).limit(1)
    if before is not None:
        query = query.where(of.c.match < before)
    found = next(read(connection, query, of), None)
    return None if found is None else str(found.archive)


def rate(connection: Connection, contest: int, batch: int, published: Sequence[PublishedRating]) -> None:
    """Publish the ratings after a batch, replacing earlier ones."""
    of = tables.ratings
    connection.execute(of.delete().where(of.c.contest == contest, of.c.batch == batch))
    names = PublishedRating.__struct_fields__
    rows = [{"contest": contest, "batch": batch, **{n: getattr(rating, n) for n in names}} for rating in published]
    if rows:
        insert_rows(connection, of, rows)


def ratings(connection: Connection, contest: int, batch: int | None = None) -> dict[int, list[PublishedRating]]:
    """The ratings published after each batch, or after one; by batch ascending, then by entrant."""
    of = tables.ratings
    query = whole(of).where(of.c.contest == contest).order_by(of.c.batch, of.c.entrant)
    if batch is not None:
        query = query.where(of.c.batch == batch)
    found: dict[int, list[PublishedRating]] = {}
    for row in read(connection, query, of):
        found.setdefault(row.batch, []).append(
            PublishedRating(*(getattr(row, name) for name in PublishedRating.__struct_fields__))
        )
    _check_entrants(connection, contest, (rating.entrant for of_batch in found.values() for rating in of_batch))
    return found


def rated(
    connection: Connection, contest: int, entrants: Collection[int], batches: Collection[int]
) -> dict[int, list[PublishedRating]]:
    """The ratings of some entrants that were published after these batches; by batch, then by entrant."""
    of = tables.ratings
    query = whole(of).where(of.c.contest == contest, of.c.batch.in_(batches), of.c.entrant.in_(entrants))
    found: dict[int, list[PublishedRating]] = {}
    for row in read(connection, query.order_by(of.c.batch, of.c.entrant), of):
        rating = PublishedRating(*(getattr(row, name) for name in PublishedRating.__struct_fields__))
        found.setdefault(row.batch, []).append(rating)
    return found


def leaders(connection: Connection, contest: int, batch: int, most: int, floor: float) -> list[int]:
    """The entrants with the best lower ends of their intervals after a batch, the best first.

    An end counts as at most `floor` below the rating.
    """
    of = tables.ratings.c
    least = of.rating - floor
    low = case((of.low.is_(None), least), (of.low < least, least), else_=of.low)
    query = select(of.entrant).where(of.contest == contest, of.batch == batch)
    query = query.order_by(low.desc(), of.rating.desc(), of.entrant).limit(most)
    return list(connection.execute(query).scalars())


def reached(connection: Connection, contest: int, batch: int) -> float | None:
    """When the last result of a batch was reached; none if it has none."""
    of, result = tables.batches.c, tables.results.c
    query = select(result.at).where(
        of.contest == contest,
        of.number == batch,
        result.contest == contest,
        result.match.between(of.first, of.last),
    )
    return connection.execute(query.order_by(result.at.desc()).limit(1)).scalar()
