"""Whether a store holds what was written into it: pages, rows, counts, and tallies against the rows they count."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from sqlalchemy import Connection, Table, func, select

from dohyo.core.rulings_in_force import InForce
from dohyo.i18n import Message
from dohyo.series.store import kept_rulings, lookups, streams, tables
from dohyo.series.store.columns import COLUMN, read, whole
from dohyo.series.store.contests import entrants
from dohyo.series.store.database import Database
from dohyo.series.store.errors import DamagedError
from dohyo.series.store.tallies import Row, counted, key_of

MOST = 100  # findings of SQLite's own
CLOSE = 1e-9  # of a sum of scores, by which their order may change it
LOOKS: Mapping[Table, Callable[[Connection, int], object]] = {  # who reads which table of tallies
    tables.tallies: lookups.tallies,
    tables.pair_tallies: lookups.pairs,
    tables.fault_tallies: lookups.faults,
    tables.faulty_tallies: lookups.faulty,
}


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
        for look in (_entrants, _rows, _batches, _tallies, _rulings):
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
    for batch in sorted({*stored, *counted}):
        if stored.get(batch) != counted.get(batch):
            yield Message("verify.tally", {"table": "batches", "row": batch})


def _tallies(connection: Connection, contest: int) -> Iterator[Message]:
    """Compares everything that is counted of results with these; damage in one table does not hide the others'."""
    sound = []
    for table, look in LOOKS.items():
        try:
            look(connection, contest)  # whether what is there can be at all
        except DamagedError as error:
            yield Message("verify.row", {"reason": error})
        else:
            sound.append(table)
    wanted = counted(contest, streams.played(connection, contest))
    for table in sound:
        yield from _compared(connection, contest, table, wanted[table])


def _compared(connection: Connection, contest: int, of: Table, counts: Sequence[Row]) -> Iterator[Message]:
    """Compares the rows of a table of tallies with those that were counted again."""
    key = key_of(of)[1:]
    rows = read(connection, whole(of).where(of.c.contest == contest), of)
    stored = {tuple(getattr(row, name) for name in key): row._mapping for row in rows}
    expected = {tuple(row[name] for name in key): row for row in counts}
    for which in sorted({*stored, *expected}):
        there, wanted = stored.get(which), expected.get(which)
        if there is None or wanted is None or not all(_close(there[name], wanted[name]) for name in wanted):
            yield Message("verify.tally", {"table": of.name, "row": which if len(which) > 1 else which[0]})


def _close(stored: object, counted: object) -> bool:
    if isinstance(stored, float) and isinstance(counted, float):
        return math.isclose(stored, counted, rel_tol=CLOSE, abs_tol=CLOSE)
    return stored == counted


def _rulings(connection: Connection, contest: int) -> Iterator[Message]:
    """Compares the results that count with what the rulings say."""
    wanted = kept_rulings.counting(connection, contest)
    told = kept_rulings.rulings(connection, contest)
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
