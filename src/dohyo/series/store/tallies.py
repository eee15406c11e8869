"""Running tallies: the counts that standings need, updated in the transaction that inserts results.

Whole numbers are exact whatever the order; a sum of scores that are no whole numbers may differ in its last bits.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Table, delete, func, select, tuple_

from dohyo.core.contest import Fixture, Result, level
from dohyo.series.store import tables
from dohyo.series.store.columns import COLUMN, Real, read, whole
from dohyo.series.store.database import insert_rows

KEYS_AT_ONCE = 3000  # in one query, of three numbers each: SQLite takes 32,766 in all
NOT_SUMS = {"first": min, "last": max, "longest": max}  # columns, and how two values become one
Row = Mapping[str, Any]
Counts = dict[str, float]  # what is counted, by the names of the columns


def add_scheduled(connection: Connection, contest: int, matches: Sequence[Fixture]) -> None:
    """Add matches that have just been scheduled."""
    numbers: defaultdict[int, list[int]] = defaultdict(list)
    for match in matches:
        numbers[match.batch].append(match.number)
    counts: dict[tuple[int], Counts] = {
        (batch,): {"first": min(own), "last": max(own), "size": len(own), "played": 0, "set_aside": 0}
        for batch, own in numbers.items()
    }
    _add(connection, tables.batches, _rows(tables.batches, contest, counts))


def change_batch(
    connection: Connection,
    contest: int,
    batch: int,
    *,
    size: int = 0,
    played: int = 0,
    set_aside: int = 0,
    last: int | None = None,
) -> None:
    """Add so many matches to what is known of a batch, or take so many from it; `last` is its last match then."""
    (row,) = _known(connection, tables.batches, [{"contest": contest, "number": batch}])
    more = {"size": size, "played": played, "set_aside": set_aside}
    new = {**row, **{name: row[name] + count for name, count in more.items()}}
    _put(connection, tables.batches, [new if last is None else {**new, "last": last}])


def add_results(connection: Connection, contest: int, results: Sequence[Result]) -> None:
    """Add results that have just been inserted."""
    for batch, count in sorted(Counter(result.fixture.batch for result in results).items()):
        change_batch(connection, contest, batch, played=count)
    for table, rows in counted(contest, results).items():
        _add(connection, table, rows)


def take_results(connection: Connection, contest: int, results: Sequence[Result]) -> None:
    """The other way round, for results whose rows have just been removed; no row stays that counts nothing."""
    for batch, count in sorted(Counter(result.fixture.batch for result in results).items()):
        change_batch(connection, contest, batch, played=-count)
    for table, rows in counted(contest, results).items():
        _add(connection, table, [_negated(table, row) for row in rows])
        occasions = table.c["count"] if table is tables.fault_tallies else table.c.matches
        connection.execute(delete(table).where(table.c.contest == contest, occasions == 0))
        if table is tables.tallies:
            _measure(connection, rows)


def _measure(connection: Connection, rows: Sequence[Row]) -> None:
    """Set what is no whole number again, of those who still have results: the longest time may be gone, and a sum of
    scores that was much larger has lost the last digits of the others."""
    of, left = tables.seatings.c, []
    for row in _known(connection, tables.tallies, rows):
        own = (of.contest == row["contest"]) & (of.entrant == row["entrant"]) & (of.seat == row["seat"])
        longest = connection.execute(select(func.max(of.longest)).where(own)).scalar()
        scores = connection.execute(select(of.score).where(own, of.score.is_not(None))).scalars()
        left.append({**row, "longest": longest or 0.0, "score": math.fsum(scores)})
    _put(connection, tables.tallies, left)


def counted(contest: int, results: Iterable[Result]) -> dict[Table, list[dict[str, Any]]]:
    """The rows that these results make of each table of tallies, ascending by their keys."""
    seats: defaultdict[tuple[int, int], Counts] = defaultdict(_zeros(tables.tallies))
    pairs: defaultdict[tuple[int, int], Counts] = defaultdict(_zeros(tables.pair_tallies))
    faults: Counter[tuple[int, str]] = Counter()
    faulty: Counter[int] = Counter()
    for result in results:
        _count_seats(result, seats)
        _count_pairs(result, pairs)
        by_seat = list(zip(result.fixture.seats, result.faults, strict=False))
        faults.update((entrant, kind) for entrant, kinds in by_seat for kind in kinds)
        faulty.update({entrant for entrant, kinds in by_seat if kinds})
    counts: dict[Table, Mapping[tuple[Any, ...], Counts]] = {
        tables.tallies: seats,
        tables.pair_tallies: pairs,
        tables.fault_tallies: {key: {"count": count} for key, count in faults.items()},
        tables.faulty_tallies: {(entrant,): {"matches": count} for entrant, count in faulty.items()},
    }
    return {table: _rows(table, contest, own) for table, own in counts.items()}


def _zeros(table: Table) -> Callable[[], Counts]:
    """Makes the counts of a row of which nothing was counted yet."""
    zeros: Counts = {name: 0.0 if isinstance(table.c[name].type, Real) else 0 for name in _counts(table)}
    return zeros.copy


def _count_seats(result: Result, into: Mapping[tuple[int, int], Counts]) -> None:
    """Add a result by entrant and seat."""
    places = result.places
    for seat, (entrant, tied) in enumerate(zip(result.fixture.seats, level(places), strict=True)):
        place = places[seat]
        counts = into[entrant, seat]
        counts["matches"] += 1
        counts["firsts"] += place == 1
        counts["beaten"] += sum(place < other for other in places)
        counts["tied"] += tied
        counts["lost"] += sum(other < place for other in places)
        counts["score"] += result.scores[seat] if result.scores else 0.0
        counts["longest"] = max(counts["longest"], (result.longest[seat] or 0.0) if result.longest else 0.0)


def _count_pairs(result: Result, into: Mapping[tuple[int, int], Counts]) -> None:
    """Add a result by pairs of different entrants, the lower number first."""
    seated = sorted(zip(result.fixture.seats, result.places, level(result.places), strict=True))
    for number, (one, place, tied) in enumerate(seated):
        for other, other_place, _ in seated[number + 1 :]:
            if one != other:
                counts = into[one, other]
                counts["matches"] += 1
                if place != other_place:
                    counts["beaten" if place < other_place else "lost"] += 1
                elif tied:
                    counts["tied"] += 1


def key_of(table: Table) -> list[str]:
    """The columns by which a row of the table is known, the contest first."""
    return [column.name for column in table.primary_key]


def _counts(table: Table) -> list[str]:
    """The columns that hold what is counted."""
    return [column.name for column in table.c if not column.primary_key and column.name != COLUMN]


def _rows(table: Table, contest: int, counts: Mapping[tuple[Any, ...], Counts]) -> list[dict[str, Any]]:
    """Rows of what was counted by the rest of the table's key, ascending by it."""
    rest = key_of(table)[1:]
    return [{"contest": contest, **dict(zip(rest, key, strict=True)), **counts[key]} for key in sorted(counts)]


def _merged(table: Table, before: Row, more: Row) -> dict[str, Any]:
    """The row that counts what two rows of the same key count."""
    row = dict(more)
    for name in _counts(table):
        choose = NOT_SUMS.get(name)
        row[name] = before[name] + more[name] if choose is None else choose(before[name], more[name])
    return row


def _negated(table: Table, row: Row) -> dict[str, Any]:
    """The row that takes away what this one adds. What is no sum stays: nothing can be taken from a maximum."""
    sums = set(_counts(table)) - NOT_SUMS.keys()
    return {name: -value if name in sums else value for name, value in row.items()}


def _add(connection: Connection, table: Table, rows: Sequence[Row]) -> None:
    """Add the counts of rows to those of the same keys."""
    key = key_of(table)
    known = {tuple(row[name] for name in key): row for row in _known(connection, table, rows)}
    sums = []
    for row in rows:
        before = known.get(tuple(row[name] for name in key))
        sums.append(row if before is None else _merged(table, before, row))
    _put(connection, table, sums)


def _known(connection: Connection, table: Table, rows: Sequence[Row]) -> list[dict[str, Any]]:
    """The rows that are there under the keys of `rows`. Their checksums are checked before they are increased."""
    key, found = key_of(table), []
    columns = tuple_(*(table.c[name] for name in key))
    for start in range(0, len(rows), KEYS_AT_ONCE):
        keys = [tuple(row[name] for name in key) for row in rows[start : start + KEYS_AT_ONCE]]
        query = whole(table).where(columns.in_(keys))
        found += [dict(row._mapping) for row in read(connection, query, table)]
    return found


def _put(connection: Connection, table: Table, rows: Sequence[Row]) -> None:
    """Store rows, replacing those with the same keys."""

    def replace(put: Any) -> Any:
        new = {name: put.excluded[name] for name in (*_counts(table), COLUMN)}
        return put.on_conflict_do_update(index_elements=key_of(table), set_=new)

    if rows:
        insert_rows(connection, table, rows, replace)
