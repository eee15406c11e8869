"""The schedule, and results: each inserted once or not at all, with all that follows from it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from sqlalchemy import Column, Connection, Table, delete, func, select

from dohyo.core.contest import Fixture, Result
from dohyo.series.store import tables
from dohyo.series.store.columns import read, whole
from dohyo.series.store.contests import count
from dohyo.series.store.database import insert, insert_rows
from dohyo.series.store.errors import DamagedError
from dohyo.series.store.tallies import add_results, add_scheduled, change_batch

ROWS_AT_ONCE = 5000
MAX_SEATS = 1000
_SEATS = re.compile(rf"[0-9]{{1,9}}(,[0-9]{{1,9}}){{0,{MAX_SEATS - 1}}}")


def seats_text(seats: Sequence[int]) -> str:
    """Seats as they are stored: the entrants' numbers, separated by commas."""
    return ",".join(map(str, seats))


def seats_of(text: str, entrants: int) -> tuple[int, ...]:
    """The other way round; raises `DamagedError` for seats that are invalid for so many `entrants`."""
    if not _SEATS.fullmatch(text):
        raise DamagedError(f"the seats {text[:40]!r}")
    seats = tuple(map(int, text.split(",")))
    if max(seats) >= entrants:
        raise DamagedError(f"the seats {text[:40]!r} of {entrants} entrants")
    return seats


def schedule(connection: Connection, contest: int, matches: Iterable[Fixture]) -> int:
    """Store matches that are to be played; returns how many were new. The contest's row is locked.

    Raises `ValueError` when a number or a key is there already with another match: the schedule is not the same.
    """
    new, waiting = 0, iter(matches)
    while chunk := list(islice(waiting, ROWS_AT_ONCE)):
        rows = [
            {"contest": contest, "number": m.number, "batch": m.batch, "seats": seats_text(m.seats), "seed": m.seed}
            for m in chunk
        ]
        added = set(_insert_new(connection, tables.matches, tables.matches.c.number, rows))
        _compare(connection, contest, [match for match in chunk if match.number not in added])
        add_scheduled(connection, contest, [match for match in chunk if match.number in added])
        new += len(added)
    return new


def _compare(connection: Connection, contest: int, matches: Sequence[Fixture]) -> None:
    """Compare matches with the stored ones of the same numbers."""
    there = by_number(connection, contest, [match.number for match in matches])
    for match in matches:
        if there.get(match.number) != match:
            raise ValueError(f"the schedule has {there.get(match.number)}, not {match}")


def by_number(connection: Connection, contest: int, numbers: Sequence[int]) -> dict[int, Fixture]:
    """Matches of the schedule by their numbers; numbers that it does not contain are left out."""
    of, found, entrants = tables.matches.c, {}, count(connection, contest)
    for start in range(0, len(numbers), ROWS_AT_ONCE):
        query = whole(tables.matches)
        query = query.where(of.contest == contest, of.number.in_(numbers[start : start + ROWS_AT_ONCE]))
        for row in read(connection, query, tables.matches):
            found[row.number] = Fixture(row.batch, row.number, seats_of(row.seats, entrants), row.seed)
    return found


def record(connection: Connection, contest: int, results: Sequence[Result]) -> list[int]:
    """Insert results, with all that follows from them; returns the numbers of the matches whose results are new.

    A match that has a result already, or is set aside, stays as it is. The contest's row is locked. Raises
    `ValueError` for a match that is not in the schedule as it is.
    """
    numbers = [result.fixture.number for result in results]
    scheduled = by_number(connection, contest, numbers)
    for result in results:
        fixture = scheduled.get(result.fixture.number)
        if fixture != result.fixture or len(fixture.seats) != len(result.places):
            raise ValueError(f"{fixture} of the schedule cannot have {result}")
    aside = _set_aside(connection, contest, numbers)
    wanted = {result.fixture.number: result for result in reversed(results) if result.fixture.number not in aside}
    return insert_results(connection, contest, list(wanted.values()))


def insert_results(connection: Connection, contest: int, results: Sequence[Result]) -> list[int]:
    """Insert results of different matches, as `record` does, without looking at them; the numbers of the new ones."""
    wanted = {result.fixture.number: result for result in results}
    if not wanted:
        return []
    rows = [_row(contest, result) for result in wanted.values()]
    new = sorted(_insert_new(connection, tables.results, tables.results.c.match, rows))
    played = [wanted[number] for number in new]
    if played:
        _insert_seats(connection, contest, played)
        add_results(connection, contest, played)
    return new


def _insert_new(
    connection: Connection, table: Table, number: Column[int], rows: Sequence[Mapping[str, Any]]
) -> list[int]:
    """Insert the rows whose key is not there yet; returns their numbers."""
    done = insert_rows(connection, table, rows, lambda put: put.on_conflict_do_nothing().returning(number))
    return list(done.scalars())


def _row(contest: int, result: Result) -> dict[str, object]:
    return {
        "contest": contest,
        "match": result.fixture.number,
        "replay": result.replay,
        "at": result.at,
        "seconds": result.seconds,
        "host": result.host,
        "worker": result.worker,
    }


def _insert_seats(connection: Connection, contest: int, results: Sequence[Result]) -> None:
    """The rows of each seat, and the folders that were kept."""
    seatings, kept = [], []
    for result in results:
        number, seated = result.fixture.number, result.fixture.seats
        for seat, entrant in enumerate(seated):
            row = {"contest": contest, "match": number, "seat": seat, "entrant": entrant}
            row["place"] = result.places[seat]
            more = {
                "score": result.scores[seat] if result.scores else None,
                "longest": result.longest[seat] if result.longest else None,
                "faults": ",".join(result.faults[seat]) if result.faults else "",
            }
            seatings.append({**row, **more})
        for entrant, archive in zip(seated, result.kept, strict=False):
            if archive is not None:
                kept.append({"contest": contest, "entrant": entrant, "match": number, "archive": archive})
    insert_rows(connection, tables.seatings, seatings)
    if kept:
        insert_rows(connection, tables.keepsakes, kept, lambda put: put.on_conflict_do_nothing())


def _set_aside(connection: Connection, contest: int, numbers: Sequence[int]) -> set[int]:
    of = tables.set_aside.c
    query = select(of.match).where(of.contest == contest, of.match.in_(numbers))
    return set(connection.execute(query).scalars())


def fail(
    connection: Connection, contest: int, number: int, name: str, error: str, at: float, most: int
) -> tuple[int, bool]:
    """Store that the attempt `name` at a match crashed the worker that ran it.

    Returns the attempts under this lease so far, and whether the match is set aside.

    From `most` attempts on it is, unless it has a result. The contest's row is locked. The stored name begins with
    the lease's number: when the contest is continued later, it is tried as often again.
    """
    leased = select(tables.contests.c.lease).where(tables.contests.c.id == contest)
    run = f"{connection.execute(leased).scalar_one()}-"
    row = {"contest": contest, "match": number, "name": run + name, "error": error, "at": at}
    insert_rows(connection, tables.failures, [row], lambda put: put.on_conflict_do_nothing())
    of = tables.failures.c
    ours = of.name.startswith(run, autoescape=True)
    counted = select(func.count()).where(of.contest == contest, of.match == number, ours)
    attempts = int(connection.execute(counted).scalar_one())
    result = tables.results.c
    played = select(result.match).where(result.contest == contest, result.match == number)
    if attempts < most or connection.execute(played).first() is not None:
        return attempts, False
    key = {"contest": contest, "match": number}
    put = insert(connection, tables.set_aside).values(key).on_conflict_do_nothing()
    if connection.execute(put.returning(tables.set_aside.c.match)).first() is not None:
        batch = by_number(connection, contest, [number])[number].batch
        change_batch(connection, contest, batch, set_aside=1)
    return attempts, True


def put_aside(connection: Connection, contest: int, batch: int, numbers: Sequence[int]) -> int:
    """Set these matches of a batch aside, those without a result, though nobody tried them; returns how many.

    The contest's row is locked.
    """
    rows = []
    for start in range(0, len(numbers), ROWS_AT_ONCE):
        some = numbers[start : start + ROWS_AT_ONCE]
        result = tables.results.c
        query = select(result.match).where(result.contest == contest, result.match.in_(some))
        done = {*connection.execute(query).scalars(), *_set_aside(connection, contest, some)}
        rows += [{"contest": contest, "match": number} for number in some if number not in done]
    if rows:
        insert_rows(connection, tables.set_aside, rows)
        change_batch(connection, contest, batch, set_aside=len(rows))
    return len(rows)


def cut(connection: Connection, contest: int, batch: int, enough: int) -> list[int]:
    """Remove the matches of a batch from number `enough` on that were not played; the numbers of those with a result.

    Those that were played, and whose results count for nobody, stay. At least one match of the batch has a number
    below. The contest's row is locked.
    """
    match, result, kept = tables.matches.c, tables.results.c, tables.attempts.c
    own = (match.contest == contest) & (match.batch == batch)
    numbers = set(connection.execute(select(match.number).where(own, match.number >= enough)).scalars())
    of_results = select(result.match).where(result.contest == contest, result.match >= enough)
    played = set(connection.execute(of_results).scalars())
    ruled = set(connection.execute(select(kept.match).where(kept.contest == contest, kept.match >= enough)).scalars())
    gone = sorted(numbers - played - ruled)
    asides = len(_set_aside_from(connection, contest, enough) & set(gone))
    for start in range(0, len(gone), ROWS_AT_ONCE):
        some = gone[start : start + ROWS_AT_ONCE]
        for of in (tables.set_aside.c, tables.failures.c):
            connection.execute(delete(of.match.table).where(of.contest == contest, of.match.in_(some)))
        connection.execute(delete(tables.matches).where(match.contest == contest, match.number.in_(some)))
    if gone:
        last = connection.execute(select(func.max(match.number)).where(own)).scalar_one()
        change_batch(connection, contest, batch, size=-len(gone), set_aside=-asides, last=last)
    return sorted(numbers & played)


def _set_aside_from(connection: Connection, contest: int, first: int) -> set[int]:
    of = tables.set_aside.c
    return set(connection.execute(select(of.match).where(of.contest == contest, of.match >= first)).scalars())


def reopen(connection: Connection, contest: int, since: int = 0) -> int:
    """Let the matches that were set aside, of the batches from `since` on, be played after all; returns how many.

    Those that were played, and whose results count for nobody, stay. The contest's row is locked.
    """
    match, aside, kept = tables.matches.c, tables.set_aside.c, tables.attempts.c
    ruled = select(kept.match).where(kept.contest == contest)
    query = select(match.number, match.batch).where(
        match.contest == contest,
        match.batch >= since,
        match.number.in_(select(aside.match).where(aside.contest == contest)),
        match.number.not_in(ruled),
    )
    wanted = Counter(batch for _, batch in connection.execute(query))
    numbers = query.with_only_columns(match.number)
    if wanted:
        connection.execute(delete(tables.set_aside).where(aside.contest == contest, aside.match.in_(numbers)))
        for batch, count in sorted(wanted.items()):
            change_batch(connection, contest, batch, set_aside=-count)
    return wanted.total()
