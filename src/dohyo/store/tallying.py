"""Running tallies: what standings need, kept up in the transaction that inserts results.

Whole numbers are exact whatever the order; a sum of scores that are no whole numbers may differ in its last bits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Table, func, update

from dohyo.store import tables
from dohyo.store.database import insert_rows
from dohyo.store.records import Match, Result

PLACES = ("beaten", "tied", "lost")


def add_scheduled(connection: Connection, contest: int, matches: Sequence[Match]) -> None:
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
    """Add to how far a batch is."""
    of = tables.batches
    more = {"played": of.c.played + played, "set_aside": of.c.set_aside + set_aside}
    connection.execute(update(of).where(of.c.contest == contest, of.c.number == batch).values(more))


def add_results(connection: Connection, contest: int, played: Sequence[tuple[Match, Result]]) -> None:
    """Add results that have just been inserted."""
    for batch, count in sorted(Counter(match.batch for match, _ in played).items()):
        add_finished(connection, contest, batch, played=count)
    seats: dict[tuple[int, int], list[float]] = {}
    pairs: dict[tuple[int, int], list[int]] = {}
    faults: Counter[tuple[int, str]] = Counter()
    for match, result in played:
        _count_seats(match, result, seats)
        _count_pairs(match, result, pairs)
        for entrant, kinds in zip(match.seats, result.faults, strict=False):
            faults.update((entrant, kind) for kind in kinds)
    columns: tuple[str, ...] = ("matches", "firsts", *PLACES, "score", "longest")
    rows: list[dict[str, Any]] = [
        {"contest": contest, "entrant": entrant, "seat": seat, **dict(zip(columns, counted, strict=True))}
        for (entrant, seat), counted in sorted(seats.items())
    ]
    _add(connection, tables.tallies, ("contest", "entrant", "seat"), columns[:-1], rows, highest="longest")
    columns = ("matches", *PLACES)
    rows = [
        {"contest": contest, "entrant": entrant, "other": other, **dict(zip(columns, counted, strict=True))}
        for (entrant, other), counted in sorted(pairs.items())
    ]
    _add(connection, tables.pair_tallies, ("contest", "entrant", "other"), columns, rows)
    rows = [{"contest": contest, "entrant": e, "kind": kind, "count": n} for (e, kind), n in sorted(faults.items())]
    _add(connection, tables.fault_tallies, ("contest", "entrant", "kind"), ("count",), rows)


def _count_seats(match: Match, result: Result, into: dict[tuple[int, int], list[float]]) -> None:
    """Add a result by entrant and seat: matches, firsts, beaten, tied, lost, score, longest."""
    count, places = Counter(result.places), result.places
    before = {place: sum(n for other, n in count.items() if other < place) for place in count}
    for seat, entrant in enumerate(match.seats):
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


def _count_pairs(match: Match, result: Result, into: dict[tuple[int, int], list[int]]) -> None:
    """Add a result by pairs of different entrants, the lower number first: matches, beaten, tied, lost."""
    seated = sorted(zip(match.seats, result.places, strict=True))
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
    """Add the numbers `names` of `rows` to those of the same key; of two others the lowest and highest one stay."""
    if not rows:
        return
    least, greatest = (func.min, func.max) if connection.dialect.name == "sqlite" else (func.least, func.greatest)

    def add(put: Any) -> Any:
        sums: dict[str, Any] = {name: table.c[name] + put.excluded[name] for name in names}
        for name, choose in ((lowest, least), (highest, greatest)):
            if name is not None:
                sums[name] = choose(table.c[name], put.excluded[name])
        return put.on_conflict_do_update(index_elements=list(key), set_=sums)

    insert_rows(connection, table, rows, add)
