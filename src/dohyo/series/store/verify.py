"""Whether a store holds what was written into it: pages, rows, counts, and tallies against the rows they count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from sqlalchemy import Connection, func, select

from dohyo.core.rulings import InForce
from dohyo.i18n import Message
from dohyo.series.store import lookups, rulings, streams, tables
from dohyo.series.store.checksums import COLUMN, read, whole
from dohyo.series.store.contests import entrants
from dohyo.series.store.database import Database
from dohyo.series.store.errors import DamagedError
from dohyo.series.store.tallies import count_pairs, count_seats, with_faults

MOST = 100  # findings of SQLite's own
CLOSE = 1e-9  # of a sum of scores, by which their order may change it


def verify_pages(database: Database) -> Iterator[Message]:
    """What SQLite itself finds in its file; PostgreSQL checks its pages when it reads them."""
    if not database.is_sqlite:
        return
    with database.reading() as connection:
        for (found,) in connection.exec_driver_sql(f"PRAGMA integrity_check({MOST})"):
            if found != "ok":
                yield Message("verify.page", {"reason": found})
        for row in connection.exec_driver_sql("PRAGMA foreign_key_check"):
            yield Message("verify.page", {"reason": f"{row[0]} refers to a row of {row[2]} that is not there"})


def verify_rows(database: Database) -> Iterator[Message]:
    """The rows that are not what was written, one finding for each table."""
    for table in tables.METADATA.sorted_tables:
        if COLUMN not in table.c or table is tables.entrants:  # which are read with their versions, below
            continue
        with database.reading() as connection:
            try:
                for _ in read(connection, whole(table), table):
                    pass
            except DamagedError as error:
                yield Message("verify.row", {"reason": error})


def verify_contest(database: Database, contest: int) -> Iterator[Message]:
    """What is inconsistent in a contest."""
    with database.reading() as connection:
        for look in (_entrants, _rows, _batches, _seats, _pairs, _faults, _faulty, _rulings):
            try:
                yield from look(connection, contest)
            except DamagedError as error:
                yield Message("verify.row", {"reason": error})


def _entrants(connection: Connection, contest: int) -> Iterator[Message]:
    entrants(connection, contest)
    yield from ()


def _rows(connection: Connection, contest: int) -> Iterator[Message]:
    """Checks that every match and every result is there, and nothing else."""
    counts = dict.fromkeys(("matches", "results"), 0)
    for _ in streams.scheduled(connection, contest):
        counts["matches"] += 1
    seats = 0
    for result in streams.played(connection, contest):
        counts["results"] += 1
        seats += len(result.fixture.seats)
    for name, table, count in (
        ("matches", tables.matches, counts["matches"]),
        ("results", tables.results, counts["results"]),
        ("seatings", tables.seatings, seats),
    ):
        there = connection.execute(
            select(func.count()).select_from(table).where(table.c.contest == contest)
        ).scalar_one()
        if there != count:
            yield Message("verify.count", {"table": name, "stored": there, "counted": count})


def _batches(connection: Connection, contest: int) -> Iterator[Message]:
    """Compares the progress of batches with schedule and results."""
    size: Counter[int] = Counter()
    played: Counter[int] = Counter()
    size.update(match.batch for match in streams.scheduled(connection, contest))
    played.update(result.fixture.batch for result in streams.played(connection, contest))
    aside = Counter(each.fixture.batch for each in lookups.set_aside(connection, contest))
    stored = {each.batch: (each.size, each.played, each.set_aside) for each in lookups.progress(connection, contest)}
    counted = {batch: (size[batch], played[batch], aside[batch]) for batch in size}
    yield from _compared("batches", stored, counted)


def _seats(connection: Connection, contest: int) -> Iterator[Message]:
    counted: dict[tuple[int, int], list[float]] = {}
    for result in streams.played(connection, contest):
        count_seats(result, counted)
    stored = {
        (each.entrant, each.seat): [
            *(each.matches, each.firsts, each.beaten, each.tied, each.lost, each.score, each.longest)
        ]
        for each in lookups.tallies(connection, contest)
    }
    yield from _compared("tallies", stored, counted)


def _pairs(connection: Connection, contest: int) -> Iterator[Message]:
    counted: dict[tuple[int, int], list[int]] = {}
    for result in streams.played(connection, contest):
        count_pairs(result, counted)
    stored = {
        (each.entrant, each.other): [each.matches, each.beaten, each.tied, each.lost]
        for each in lookups.pairs(connection, contest)
    }
    yield from _compared("pair_tallies", stored, counted)


def _faults(connection: Connection, contest: int) -> Iterator[Message]:
    counted: Counter[tuple[int, str]] = Counter()
    for result in streams.played(connection, contest):
        for entrant, kinds in zip(result.fixture.seats, result.faults, strict=False):
            counted.update((entrant, kind) for kind in kinds)
    stored = {
        (entrant, kind): count
        for entrant, kinds in lookups.faults(connection, contest).items()
        for kind, count in kinds.items()
    }
    yield from _compared("fault_tallies", stored, dict(counted))


def _faulty(connection: Connection, contest: int) -> Iterator[Message]:
    counted: Counter[int] = Counter()
    for result in streams.played(connection, contest):
        counted.update(with_faults(result))
    yield from _compared("faulty_tallies", lookups.faulty(connection, contest), dict(counted))


def _rulings(connection: Connection, contest: int) -> Iterator[Message]:
    """Compares the results that count with what the rulings say."""
    wanted = rulings.counting(connection, contest)
    told = rulings.rulings(connection, contest)
    known = {number for each in told for number in each.matches}
    for number in sorted(known - wanted.keys()):
        yield Message("verify.ruling", {"number": number})
    in_force = InForce(told)
    gone = {each.number for each in entrants(connection, contest)
            if (ruling := in_force.disqualified.get(each.name)) is not None and ruling.drops}  # fmt: skip
    if not wanted and not gone:
        return
    for played in streams.played(connection, contest):
        number = played.fixture.number
        if wanted.pop(number, played) != played or not gone.isdisjoint(played.fixture.seats):
            yield Message("verify.ruling", {"number": number})
    for number, result in wanted.items():  # those without a result that counts
        if result is not None:
            yield Message("verify.ruling", {"number": number})


def _compared(table: str, stored: dict[Any, Any], counted: dict[Any, Any]) -> Iterator[Message]:
    """The rows of tallies that differ from the results."""
    for key in sorted({*stored, *counted}):
        if not _same(stored.get(key), counted.get(key)):
            yield Message("verify.tally", {"table": table, "row": key})


def _same(stored: Any, counted: Any) -> bool:
    if isinstance(stored, list) and isinstance(counted, list):
        return all(
            one == other or abs(one - other) <= CLOSE * max(1.0, abs(one), abs(other))
            for one, other in zip(stored, counted, strict=True)
        )
    return bool(stored == counted)
