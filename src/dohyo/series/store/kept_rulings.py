"""What operators decided about results, and every result of the matches concerned: kept, and made to count or not.

`results`, and all that is counted from them, hold for each match at most the one result that counts. `settle` makes
them so, in the transaction of whatever changed it: of the rulings and the attempts it follows which one that is
(`dohyo.core.rulings_in_force`), and it is compared with the one that is there. It can be repeated, and nothing counts
twice.

A match of which no result counts is set aside, like one that is not tried any more; but it is never reopened.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import chain, islice
from typing import Annotated, Any

import msgspec
from msgspec.structs import replace
from sqlalchemy import ColumnElement, Connection, Table, delete, func, select, update

from dohyo.core.contest import Fixture, Result
from dohyo.core.faults import KINDS as KINDS_OF_FAULTS
from dohyo.core.rulings_in_force import DISQUALIFY, KINDS, ORIGINAL, Attempt, InForce, Ruling
from dohyo.series.store import lookups, matches, streams, tables
from dohyo.series.store.columns import MAX_REAL, read, sealed, whole
from dohyo.series.store.contests import entrants
from dohyo.series.store.database import insert_rows
from dohyo.series.store.errors import DamagedError
from dohyo.series.store.tallies import change_batch, take_results

Number = Annotated[float, msgspec.Meta(ge=-MAX_REAL, le=MAX_REAL)]
ONE_BY_ONE = 100  # matches: more are found by reading all results
AT_ONCE = 5000  # numbers in one query
PIECE = 100  # attempts that are looked at together: a stranger's row may be long


def rulings(connection: Connection, contest: int) -> list[Ruling]:
    """All rulings, oldest first."""
    parts = tables.ruled.c
    found: dict[int, list[int]] = {}
    for number, match in connection.execute(
        select(parts.ruling, parts.match).where(parts.contest == contest).order_by(parts.ruling, parts.match)
    ):
        found.setdefault(number, []).append(match)
    told: list[Ruling] = []
    for row in _rows(connection, contest):
        own = tuple(found.pop(row.number, ()))
        if row.number != len(told) + 1 or len(own) != row.matches:
            raise DamagedError(f"ruling {row.number}")
        told.append(_ruling(row, own))
    if found:
        raise DamagedError(f"ruling {min(found)}, which is not there")
    return told


def of_bots(connection: Connection, contest: int) -> list[Ruling]:
    """The rulings about bots alone, oldest first: quick to read, however many there are about matches."""
    return [_ruling(row, ()) for row in _rows(connection, contest, tables.rulings.c.kind == DISQUALIFY)]


def _about(connection: Connection, contest: int, numbers: Collection[int]) -> list[Ruling]:
    """The rulings about bots, and what those about matches say of these, oldest first."""
    of, found = tables.ruled.c, dict[int, list[int]]()
    for part in _parts(numbers):
        query = select(of.ruling, of.match).where(of.contest == contest, of.match.in_(part))
        for ruling, match in connection.execute(query):
            found.setdefault(ruling, []).append(match)
    told = of_bots(connection, contest)
    for part in _parts(found):
        told += [_ruling(row, tuple(sorted(found[row.number])))
                 for row in _rows(connection, contest, tables.rulings.c.number.in_(part))]  # fmt: skip
    return sorted(told, key=lambda each: each.number)


def _rows(connection: Connection, contest: int, *where: ColumnElement[bool]) -> Iterator[Any]:
    of = tables.rulings
    for row in read(connection, whole(of).where(of.c.contest == contest, *where).order_by(of.c.number), of):
        if row.kind not in KINDS:
            raise DamagedError(f"ruling {row.number}")
        yield row


def _ruling(row: Any, of: tuple[int, ...]) -> Ruling:
    return Ruling(
        row.number, row.kind, row.at, row.batches, row.because, bool(row.undoes), of, row.bot, bool(row.drops)
    )


def count(connection: Connection, contest: int) -> int:
    """How many rulings there are."""
    of = tables.rulings.c
    return int(connection.execute(select(func.count()).where(of.contest == contest)).scalar_one())


def add(connection: Connection, contest: int, ruling: Ruling) -> Ruling:
    """Store a ruling, which gets its number and that of the drawn batches, and let it take effect.

    The contest's row is locked. Raises `ValueError` for a match that has no result.
    """
    drawn = lookups.count_batches(connection, contest)
    ruling = replace(ruling, number=count(connection, contest) + 1, batches=drawn)
    concerned = list(ruling.matches)
    if ruling.kind == DISQUALIFY:
        concerned = sorted(_of_bot(connection, contest, ruling.bot)) if ruling.drops or ruling.undoes else []
    lacking = set(ruling.matches) - set(_keep(connection, contest, concerned))
    if lacking:
        raise ValueError(f"no result of match {min(lacking)}")
    store(connection, contest, [ruling])
    settle(connection, contest, concerned)
    return ruling


def store(connection: Connection, contest: int, new: Sequence[Ruling]) -> None:
    """Insert the rows of rulings."""
    rows = [
        {
            "contest": contest,
            "number": each.number,
            "kind": each.kind,
            "undoes": int(each.undoes),
            "bot": each.bot,
            "drops": int(each.drops),
            "because": each.because,
            "at": each.at,
            "batches": each.batches,
            "matches": len(each.matches),
        }
        for each in new
    ]
    if rows:
        insert_rows(connection, tables.rulings, rows)
    parts = [{"contest": contest, "ruling": each.number, "match": match} for each in new for match in each.matches]
    if parts:
        insert_rows(connection, tables.ruled, parts)


def rename(connection: Connection, contest: int, names: Mapping[str, str]) -> None:
    """Let the rulings about bots name them as they are called now, by the names that they had."""
    of = tables.rulings
    for row in list(_rows(connection, contest, of.c.bot.in_(list(names)))):
        changed = sealed(of, {**row._mapping, "bot": names[row.bot]})
        connection.execute(update(of).where(of.c.contest == contest, of.c.number == row.number).values(changed))


def _of_bot(connection: Connection, contest: int, bot: str) -> set[int]:
    """The matches of a bot, all its versions, that have a result, counting or not."""
    numbers = {each.number for each in entrants(connection, contest) if each.name == bot}
    kept = matches.by_number(connection, contest, _numbers(connection, contest))
    return {
        *streams.played_by(connection, contest, numbers),
        *(n for n, each in kept.items() if not numbers.isdisjoint(each.seats)),
    }


def _numbers(connection: Connection, contest: int) -> list[int]:
    """The numbers of the matches whose attempts are kept."""
    of = tables.attempts.c
    return list(connection.execute(select(of.match).where(of.contest == contest).distinct()).scalars())


def _kept_of(connection: Connection, contest: int, numbers: Sequence[int]) -> set[int]:
    """Those of these matches whose attempts are kept."""
    of, found = tables.attempts, set()
    for part in _parts(numbers):
        found |= set(connection.execute(select(of.c.match).where(_own(of, contest, part)).distinct()).scalars())
    return found


def _keep(connection: Connection, contest: int, numbers: Sequence[int]) -> list[int]:
    """Keep the first results of these matches beside those that count; the matches that have one."""
    there = _kept_of(connection, contest, numbers)
    new = [Attempt(ORIGINAL, result) for result in _played(connection, contest, set(numbers) - there)]
    _insert(connection, contest, new)
    return [*there, *(each.result.fixture.number for each in new)]


def record_again(connection: Connection, contest: int, results: Sequence[tuple[int, Result]]) -> list[int]:
    """Store results that rulings asked for, each with its ruling's number; the matches that had none of it yet.

    The contest's row is locked. Raises `ValueError` for a match that is not in the schedule, or was not asked for.
    """
    numbers = [result.fixture.number for _, result in results]
    known, kept = InForce(_about(connection, contest, numbers)), attempts(connection, contest, numbers)
    drawn = lookups.count_batches(connection, contest)
    new = {}
    for ruling, result in results:
        number, own = result.fixture.number, kept.get(result.fixture.number, [])
        if not own or own[0].result.fixture != result.fixture or len(result.places) != len(result.fixture.seats):
            raise ValueError(f"{result.fixture} cannot have {result}")
        if ruling in known.rejudged.get(number, []) and ruling not in {each.ruling for each in own}:
            new[number] = Attempt(ruling, replace(result, kept=()), drawn)
    _insert(connection, contest, list(new.values()))
    settle(connection, contest, list(new))
    return sorted(new)


def take_in(connection: Connection, contest: int, told: Sequence[Ruling], kept: Sequence[Attempt]) -> None:
    """Store rulings and attempts as they are, of a contest that has the first results of these matches and no others.

    For copies of a contest that are made of what somebody has published.
    """
    store(connection, contest, told)
    _insert(connection, contest, kept)
    dropped = [bot for bot, each in InForce(told).disqualified.items() if each.drops]
    _keep(connection, contest, sorted({number for bot in dropped for number in _of_bot(connection, contest, bot)}))
    settle(connection, contest, _numbers(connection, contest))


def settle_new(connection: Connection, contest: int, numbers: Collection[int]) -> None:
    """Let the rulings take effect on results that were just stored: a bot may have been disqualified meanwhile."""
    dropped = {bot for bot, each in InForce(of_bots(connection, contest)).disqualified.items() if each.drops}
    if not dropped or not numbers:
        return
    gone = {each.number for each in entrants(connection, contest) if each.name in dropped}
    known = matches.by_number(connection, contest, list(numbers))
    concerned = [number for number, each in known.items() if not gone.isdisjoint(each.seats)]
    _keep(connection, contest, concerned)
    settle(connection, contest, concerned)


def settle(connection: Connection, contest: int, numbers: Sequence[int]) -> None:
    """Make `results`, and what is counted from them, what the rulings say of these matches."""
    if not numbers:
        return
    now = {each.fixture.number: each for each in _played(connection, contest, set(numbers))}
    wanted = counting(connection, contest, numbers)
    going = [now[number] for number in wanted if number in now and now[number] != wanted[number]]
    coming = [each for number, each in wanted.items() if each is not None and now.get(number) != each]
    _take(connection, contest, going)
    batches = {number: each.batch for number, each in matches.by_number(connection, contest, list(wanted)).items()}
    idle = [number for number, each in wanted.items() if each is None and number in now]
    back = [each.fixture.number for each in coming if each.fixture.number not in now]
    _put_aside(connection, contest, idle, back, batches)
    matches.insert_results(connection, contest, coming)


def counting(connection: Connection, contest: int, numbers: Sequence[int] | None = None) -> dict[int, Result | None]:
    """The result that counts of each of these matches whose attempts are kept, or of all; none where none counts."""
    told = rulings(connection, contest) if numbers is None else _about(connection, contest, numbers)
    known, names = InForce(told), [each.name for each in entrants(connection, contest)]
    found: dict[int, Result | None] = {}
    for number, own in attempts(connection, contest, numbers).items():
        there = {each.ruling: each.result for each in own}
        if ORIGINAL not in there:
            raise DamagedError(f"the attempts at match {number}")
        chosen = known.counting(number, {names[at] for at in own[0].result.fixture.seats}, there)
        found[number] = None if chosen is None else there[chosen]
    return found


def pending(connection: Connection, contest: int) -> list[tuple[int, Fixture]]:
    """The matches that have to be played again, each with the ruling that asks for it, ascending by number."""
    known = InForce(rulings(connection, contest))
    asked = [number for number, of in sorted(known.rejudged.items()) if of]
    found = []
    for number, own in attempts(connection, contest, asked).items():
        ruling = known.pending(number, {each.ruling for each in own})
        if ruling is not None:
            found.append((ruling, own[0].result.fixture))
    return sorted(found, key=lambda each: each[1].number)


# --- rows


def attempts(connection: Connection, contest: int, numbers: Sequence[int] | None = None) -> dict[int, list[Attempt]]:
    """What is kept of these matches, or of all: every attempt, the first one first."""
    of, found = tables.attempts, dict[int, list[Attempt]]()
    query = whole(of).where(of.c.contest == contest).order_by(of.c.match, of.c.ruling)
    for part in [None] if numbers is None else _parts(numbers):
        with closing(read(connection, query if part is None else query.where(of.c.match.in_(part)), of)) as rows:
            for some in _pieces(rows):
                for attempt in _attempts(connection, contest, some):
                    found.setdefault(attempt.result.fixture.number, []).append(attempt)
    return found


def _pieces(rows: Iterator[Any]) -> Iterator[list[Any]]:
    """Rows in pieces: what a row holds is checked before many more are read."""
    while some := list(islice(rows, PIECE)):
        yield some


def _attempts(connection: Connection, contest: int, rows: Sequence[Any]) -> Iterator[Attempt]:
    fixtures = matches.by_number(connection, contest, sorted({row.match for row in rows}))
    for row in rows:
        if row.match not in fixtures:
            raise DamagedError(f"an attempt at match {row.match}, which is not there")
        yield Attempt(row.ruling, _result(row, fixtures[row.match]), row.batches)


def _parts(numbers: Iterable[int]) -> Iterator[list[int]]:
    ordered = sorted(set(numbers))
    for start in range(0, len(ordered), AT_ONCE):
        yield ordered[start : start + AT_ONCE]


def _insert(connection: Connection, contest: int, kept: Sequence[Attempt]) -> None:
    rows = [_row(contest, each) for each in kept]
    if rows:
        insert_rows(connection, tables.attempts, rows, lambda put: put.on_conflict_do_nothing())


class _BySeat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a result has by seat, as an attempt's row keeps it."""

    places: tuple[Annotated[int, msgspec.Meta(ge=1)], ...]
    scores: tuple[Number, ...]
    faults: tuple[tuple[str, ...], ...]
    longest: tuple[Number | None, ...]


def _row(contest: int, attempt: Attempt) -> dict[str, Any]:
    result = attempt.result
    faults = result.faults if any(result.faults) else ()
    own = _BySeat(result.places, tuple(map(float, result.scores)), faults, result.longest)
    return {
        "contest": contest,
        "match": result.fixture.number,
        "ruling": attempt.ruling,
        "replay": result.replay,
        "at": result.at,
        "seconds": result.seconds,
        "host": result.host,
        "worker": result.worker,
        "batches": attempt.batches,
        "by_seat": msgspec.json.encode(own).decode(),
    }


def _result(row: Any, fixture: Fixture) -> Result:
    shown, seats = f"attempt {row.ruling} at match {fixture.number}", len(fixture.seats)
    try:
        own = msgspec.json.decode(row.by_seat, type=_BySeat)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise DamagedError(shown) from error
    if len(own.places) != seats or max(own.places) > seats or not KINDS_OF_FAULTS.issuperset(chain(*own.faults)):
        raise DamagedError(shown)
    if any(len(each) not in (0, seats) for each in (own.scores, own.longest, own.faults)):
        raise DamagedError(shown)
    return Result(
        fixture=fixture,
        places=own.places,
        scores=own.scores,
        faults=own.faults,
        longest=own.longest if any(time is not None for time in own.longest) else (),  # as `streams` reads them
        replay=row.replay,
        at=row.at,
        seconds=row.seconds,
        host=row.host,
        worker=row.worker,
    )


def _played(connection: Connection, contest: int, numbers: Collection[int]) -> list[Result]:
    """The results that these matches have now, ascending."""
    if len(numbers) > ONE_BY_ONE:
        return [each for each in streams.played(connection, contest) if each.fixture.number in numbers]
    return [each for number in sorted(numbers) for each in streams.played(connection, contest, number=number)]


def _take(connection: Connection, contest: int, going: Sequence[Result]) -> None:
    """Remove results that do not count any more, and what was counted from them."""
    for part in _parts(each.fixture.number for each in going):
        for table in (tables.seatings, tables.results):
            connection.execute(delete(table).where(_own(table, contest, part)))
    if going:
        take_results(connection, contest, going)


def _own(table: Table, contest: int, numbers: Sequence[int]) -> ColumnElement[bool]:
    return (table.c.contest == contest) & table.c.match.in_(numbers)


def _put_aside(
    connection: Connection, contest: int, idle: Sequence[int], back: Sequence[int], batches: dict[int, int]
) -> None:
    """Set matches aside whose results do not count, and take those out again that have one that counts."""
    for part in _parts(back):
        connection.execute(delete(tables.set_aside).where(_own(tables.set_aside, contest, part)))
    if idle:
        insert_rows(connection, tables.set_aside, [{"contest": contest, "match": number} for number in idle])
    for numbers, by in ((idle, 1), (back, -1)):
        for batch in sorted({batches[number] for number in numbers}):
            more = by * sum(batches[number] == batch for number in numbers)
            change_batch(connection, contest, batch, set_aside=more)


def voided(connection: Connection, contest: int) -> list[int]:
    """The matches that were played and have no result that counts, ascending."""
    kept, result = tables.attempts.c, tables.results.c
    counted = select(result.match).where(result.contest == contest)
    query = select(kept.match).distinct().where(kept.contest == contest, kept.match.not_in(counted))
    return sorted(connection.execute(query).scalars())
