"""What is looked up in one go: tallies, ratings, matches set aside, kept folders."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import Connection, Select, Table, func, select, type_coerce

from dohyo.store import tables
from dohyo.store.columns import Whole, Words
from dohyo.store.contests import count as count_entrants
from dohyo.store.database import insert_rows
from dohyo.store.matches import seats_of
from dohyo.store.records import KINDS, Aside, Match, Pair, Progress, Rating, Tally
from dohyo.store.troubles import DamagedError


def progress(connection: Connection, contest: int) -> list[Progress]:
    """How far each batch is, ascending."""
    of = tables.batches.c
    asked = select(of.number, of.size, of.played, of.set_aside).where(of.contest == contest).order_by(of.number)
    found = [Progress(*row) for row in connection.execute(asked)]
    for at, batch in enumerate(found):
        if batch.batch != at or not batch.size > 0 or batch.played + batch.set_aside > batch.size:
            raise DamagedError(f"batch {batch.batch}")
    return found


def tallies(connection: Connection, contest: int) -> list[Tally]:
    """What each entrant did on each seat, ascending."""
    found = [Tally(*row) for row in connection.execute(_of(tables.tallies, contest, Tally.__struct_fields__))]
    _check_entrants(connection, contest, (tally.entrant for tally in found))
    return found


def pairs(connection: Connection, contest: int) -> list[Pair]:
    """How each pair of entrants that met fared, ascending."""
    found = [Pair(*row) for row in connection.execute(_of(tables.pair_tallies, contest, Pair.__struct_fields__))]
    _check_entrants(connection, contest, (number for pair in found for number in (pair.entrant, pair.other)))
    return found


def faults(connection: Connection, contest: int) -> dict[int, dict[str, int]]:
    """How often each entrant misbehaved, by kind; without those that never did."""
    found: dict[int, dict[str, int]] = {}
    for entrant, kind, count in connection.execute(_of(tables.fault_tallies, contest, ("entrant", "kind", "count"))):
        if kind not in KINDS:
            raise DamagedError(f"the fault {kind[:40]!r}")
        found.setdefault(entrant, {})[kind] = count
    _check_entrants(connection, contest, found)
    return found


def _check_entrants(connection: Connection, contest: int, numbers: Iterable[int]) -> None:
    """Raise `DamagedError` where something is told of an entrant that there is not."""
    most = max(numbers, default=-1)
    if most >= 0 and most >= count_entrants(connection, contest):
        raise DamagedError(f"entrant {most}, who never entered")


def _of(table: Table, contest: int, names: tuple[str, ...]) -> Select[Any]:
    columns = [table.c[name] for name in names]
    return select(*columns).where(table.c.contest == contest).order_by(*columns[:2])


def set_aside(connection: Connection, contest: int) -> list[Aside]:
    """The matches that are not tried any more, ascending by number."""
    match, aside, failure = tables.matches.c, tables.set_aside.c, tables.failures
    asked = (
        select(match.batch, match.number, match.seats, match.seed, type_coerce(failure.c.error, Words(True)))
        .join_from(tables.set_aside, tables.matches)
        .outerjoin(failure, (failure.c.contest == aside.contest) & (failure.c.match == aside.match))
        .where(aside.contest == contest)
        .order_by(match.number, failure.c.at, failure.c.name)
    )
    found: dict[int, Aside] = {}
    entrants = count_entrants(connection, contest)
    for batch, number, seats, seed, error in connection.execute(asked):
        attempts = found[number].attempts if number in found else 0
        found[number] = Aside(
            Match(batch, number, seats_of(seats, entrants), seed), attempts + (error is not None), error or ""
        )
    return list(found.values())


def keepsake(connection: Connection, contest: int, entrant: int, before: int | None = None) -> str | None:
    """The digest of the folder that an entrant kept last, or last before a match; none if it never kept one."""
    of = tables.keepsakes.c
    asked = select(of.archive).where(of.contest == contest, of.entrant == entrant).order_by(of.match.desc()).limit(1)
    if before is not None:
        asked = asked.where(of.match < before)
    found = connection.execute(asked).scalar_one_or_none()
    return None if found is None else str(found)


def rate(connection: Connection, contest: int, batch: int, published: list[Rating]) -> None:
    """Publish the ratings after a batch, in place of those that were there."""
    of = tables.ratings
    connection.execute(of.delete().where(of.c.contest == contest, of.c.batch == batch))
    names = Rating.__struct_fields__
    rows = [{"contest": contest, "batch": batch, **{n: getattr(rating, n) for n in names}} for rating in published]
    if rows:
        insert_rows(connection, of, rows)


def ratings(connection: Connection, contest: int, batch: int | None = None) -> dict[int, list[Rating]]:
    """The ratings published after each batch, or after one; by batch ascending, then by entrant."""
    columns = [tables.ratings.c[name] for name in Rating.__struct_fields__]
    asked = select(tables.ratings.c.batch, *columns).where(tables.ratings.c.contest == contest)
    if batch is not None:
        asked = asked.where(tables.ratings.c.batch == batch)
    found: dict[int, list[Rating]] = {}
    for number, *row in connection.execute(asked.order_by(tables.ratings.c.batch, tables.ratings.c.entrant)):
        found.setdefault(number, []).append(Rating(*row))
    _check_entrants(connection, contest, (rating.entrant for of_batch in found.values() for rating in of_batch))
    return found


def last_rated(connection: Connection, contest: int) -> int | None:
    """The last batch after which ratings were published."""
    asked = select(func.max(tables.ratings.c.batch, type_=Whole(True))).where(tables.ratings.c.contest == contest)
    found = connection.execute(asked).scalar_one()
    return None if found is None else int(found)
