"""Running tallies: the counts that standings need, updated in the transaction that inserts results.

Whole numbers are exact whatever the order; a sum of scores that are no whole numbers may differ in its last bits.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Table, delete, func, select, tuple_

from dohyo.core.contest import Fixture, Result
from dohyo.series.store import tables
from dohyo.series.store.checksums import read, whole
from dohyo.series.store.database import insert_rows

KEYS_AT_ONCE = 3000  # in one query, of three numbers each: SQLite takes 32,766 in all
PLACES = ("beaten", "tied", "lost")
Counts = tuple[Table, tuple[str, ...], tuple[str, ...], list[dict[str, Any]]]


def add_scheduled(connection: Connection, contest: int, matches: Sequence[Fixture]) -> None:
    """Add matches that have just been scheduled."""
    numbers: dict[int, list[int]] = {}
    for match in matches:
        numbers.setdefault(match.batch, []).append(match.number)
    rows = [
        {"contest": contest, "number": batch, "first": min(of_batch), "last": max(of_batch), "size": len(of_batch)}
        for batch, of_batch in sorted(numbers.items())
    ]
    rows = [{**row, "played": 0, "set_aside": 0} for row in rows]
    _add(connection, tables.batches, ("contest", "number"), ("size",), rows, lowest="first", highest="last")


def add_finished(connection: Connection, contest: int, batch: int, played: int = 0, set_aside: int = 0) -> None:
    """Add to the progress of a batch."""
    (row,) = _known(connection, tables.batches, ("contest", "number"), [{"contest": contest, "number": batch}])
    _put(connection, tables.batches, ("contest", "number"),
         [{**row, "played": row["played"] + played, "set_aside": row["set_aside"] + set_aside}])  # fmt: skip


def shorten(connection: Connection, contest: int, batch: int, size: int, set_aside: int, last: int) -> None:
    """Take so many matches from a batch, of which so many were set aside; its last match is `last` then."""
    (row,) = _known(connection, tables.batches, ("contest", "number"), [{"contest": contest, "number": batch}])
    less = {"size": row["size"] - size, "set_aside": row["set_aside"] - set_aside, "last": last}
    _put(connection, tables.batches, ("contest", "number"), [{**row, **less}])


def add_results(connection: Connection, contest: int, results: Sequence[Result]) -> None:
    """Add results that have just been inserted."""
    for batch, count in sorted(Counter(result.fixture.batch for result in results).items()):
        add_finished(connection, contest, batch, played=count)
    for table, key, names, rows in _counted(contest, results):
        _add(connection, table, key, names, rows, highest="longest" if "longest" in table.c else None)


def take_results(connection: Connection, contest: int, results: Sequence[Result]) -> None:
    """The other way round, for results whose rows have just been removed; no row stays that counts nothing."""
    for batch, count in sorted(Counter(result.fixture.batch for result in results).items()):
        add_finished(connection, contest, batch, played=-count)
    for table, key, names, rows in _counted(contest, results):
        less = [{**row, **{name: -row[name] for name in names}} for row in rows]
        _add(connection, table, key, names, less, highest="longest" if "longest" in table.c else None)
        connection.execute(delete(table).where(table.c.contest == contest, table.c[names[0]] == 0))
        if "longest" in table.c:
            _measure(connection, table, key, rows)


def _measure(connection: Connection, table: Table, key: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> None:
    """Set what is no whole number again, of those who still have results: the longest time may be gone, and a sum of
    scores that was much larger has lost the last digits of the others."""
    of, left = tables.seatings.c, []
    for row in _known(connection, table, key, rows):
        own = (of.contest == row["contest"]) & (of.entrant == row["entrant"]) & (of.seat == row["seat"])
        longest = connection.execute(select(func.max(of.longest)).where(own)).scalar()
        scores = connection.execute(select(of.score).where(own, of.score.is_not(None))).scalars()
        left.append({**row, "longest": longest or 0.0, "score": math.fsum(scores)})
    _put(connection, table, key, left)


def _counted(contest: int, results: Sequence[Result]) -> list[Counts]:
    """What these results add to each table: the table, its key, the columns that are sums, the rows."""
    seats: dict[tuple[int, int], list[float]] = {}
    pairs: dict[tuple[int, int], list[int]] = {}
    faults: Counter[tuple[int, str]] = Counter()
    faulty: Counter[int] = Counter()
    for result in results:
        count_seats(result, seats)
        count_pairs(result, pairs)
        for entrant, kinds in zip(result.fixture.seats, result.faults, strict=False):
            faults.update((entrant, kind) for kind in kinds)
        faulty.update(with_faults(result))
    sums: tuple[str, ...] = ("matches", "firsts", *PLACES, "score")
    of_seats: list[dict[str, Any]] = [
        {"contest": contest, "entrant": entrant, "seat": seat, **dict(zip((*sums, "longest"), counted, strict=True))}
        for (entrant, seat), counted in sorted(seats.items())
    ]
    of_pairs: list[dict[str, Any]] = [
        {"contest": contest, "entrant": one, "other": other, **dict(zip(("matches", *PLACES), counted, strict=True))}
        for (one, other), counted in sorted(pairs.items())
    ]
    kinds_of = [
        {"contest": contest, "entrant": e, "kind": kind, "count": n} for (e, kind), n in sorted(faults.items())
    ]
    with_any = [{"contest": contest, "entrant": entrant, "matches": n} for entrant, n in sorted(faulty.items())]
    return [
        (tables.tallies, ("contest", "entrant", "seat"), sums, of_seats),
        (tables.pair_tallies, ("contest", "entrant", "other"), ("matches", *PLACES), of_pairs),
        (tables.fault_tallies, ("contest", "entrant", "kind"), ("count",), kinds_of),
        (tables.faulty_tallies, ("contest", "entrant"), ("matches",), with_any),
    ]


def with_faults(result: Result) -> set[int]:
    """The entrants who had a fault in a match."""
    return {entrant for entrant, kinds in zip(result.fixture.seats, result.faults, strict=False) if kinds}


def count_seats(result: Result, into: dict[tuple[int, int], list[float]]) -> None:
    """Add a result by entrant and seat: matches, firsts, beaten, tied, lost, score, longest."""
    count, places = Counter(result.places), result.places
    before = {place: sum(n for other, n in count.items() if other < place) for place in count}
    for seat, entrant in enumerate(result.fixture.seats):
        place = places[seat]
        lost, tied = before[place], count[place] - 1
        counted = into.setdefault((entrant, seat), [0, 0, 0, 0, 0, 0.0, 0.0])
        counted[0] += 1
        counted[1] += place == 1
        counted[2] += len(places) - 1 - lost - tied
        counted[3] += tied
        counted[4] += lost
        counted[5] += result.scores[seat] if result.scores else 0.0
        counted[6] = max(counted[6], (result.longest[seat] or 0.0) if result.longest else 0.0)


def count_pairs(result: Result, into: dict[tuple[int, int], list[int]]) -> None:
    """Add a result by pairs of different entrants, the lower number first: matches, beaten, tied, lost."""
    seated = sorted(zip(result.fixture.seats, result.places, strict=True))
    for number, (one, place) in enumerate(seated):
        for other, other_place in seated[number + 1 :]:
            if one != other:
                counted = into.setdefault((one, other), [0, 0, 0, 0])
                counted[0] += 1
                counted[1 if place < other_place else 2 if place == other_place else 3] += 1


def _add(
    connection: Connection,
    table: Table,
    key: Sequence[str],
    names: Sequence[str],
    rows: Sequence[Mapping[str, Any]],
    lowest: str | None = None,
    highest: str | None = None,
) -> None:
    """Add the numbers `names` of `rows` to those of the same key; of two others, store the lowest and the highest."""
    known = {tuple(row[name] for name in key): row for row in _known(connection, table, key, rows)}
    sums = []
    for row in rows:
        before, new = known.get(tuple(row[name] for name in key)), dict(row)
        if before is not None:
            new.update({name: before[name] + row[name] for name in names})
            for name, choose in ((lowest, min), (highest, max)):
                if name is not None:
                    new[name] = choose(before[name], row[name])
        sums.append(new)
    _put(connection, table, key, sums)


def _known(
    connection: Connection, table: Table, key: Sequence[str], rows: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """The rows that are there under the keys of `rows`. Their checksums are checked before they are increased."""
    columns, found = tuple_(*(table.c[name] for name in key)), []
    for start in range(0, len(rows), KEYS_AT_ONCE):
        keys = [tuple(row[name] for name in key) for row in rows[start : start + KEYS_AT_ONCE]]
        query = whole(table).where(columns.in_(keys))
        found += [dict(row._mapping) for row in read(connection, query, table)]
    return found


def _put(connection: Connection, table: Table, key: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> None:
    """Store rows, replacing those with the same keys."""
    others = [column.name for column in table.c if column.name not in key]

    def replace(put: Any) -> Any:
        new = {name: put.excluded[name] for name in others}
        return put.on_conflict_do_update(index_elements=list(key), set_=new)

    if rows:
        insert_rows(connection, table, rows, replace)
