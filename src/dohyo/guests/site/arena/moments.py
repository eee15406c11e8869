"""A contest of the store as it was at a moment, copied into a store of its own.

What counted then follows from the store: results have their time, rulings too, and both are kept. So the copy is the
same whenever it is made, but for matches that nobody could play, of which no time is known.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from itertools import islice, takewhile
from pathlib import Path
from typing import TypeVar

from msgspec.structs import replace

from dohyo.core.contest import Entrant
from dohyo.core.rulings_in_force import ORIGINAL, Attempt, Ruling
from dohyo.series.store import Store
from dohyo.series.store.address import read_address
from dohyo.series.store.database import PATIENCE
from dohyo.series.store.files import AnyFiles
from dohyo.series.store.opening import open_database
from dohyo.series.store.records import Contest

AT_ONCE = 5000  # results
Row = TypeVar("Row")
# Terms that change while a contest goes on.
LATER = ("joined", "left_out", "alike", "renamed", "was_over", "is_replacing")


def make_copy(store: Store, name: str, until: float, path: Path) -> None:
    """Copy what there was of a contest at the moment `until`, to a file of SQLite: whole, or not at all."""
    half = path.with_name(f"{path.name}.{os.getpid()}")
    remove(half)
    try:
        with open_copy(store.files, half, create=True) as copy:
            _copy(store, store.contest(name), until, copy)
        os.replace(half, path)
    finally:
        remove(half)


def open_copy(files: AnyFiles, path: Path, *, create: bool = False) -> Store:
    """Such a copy, with the files of the store that it is of."""
    return Store(open_database(read_address(os.fspath(path)), create=create, patience=PATIENCE), files)


def remove(path: Path) -> None:
    """Remove a copy, with what SQLite keeps beside it."""
    for ending in ("", "-wal", "-shm", "-journal"):
        path.with_name(path.name + ending).unlink(missing_ok=True)


def _copy(store: Store, contest: Contest, until: float, copy: Store) -> None:
    spec = {key: value for key, value in contest.spec.items() if key not in LATER}
    new = copy.begin(contest.name, contest.game, spec, contest.begun).id
    told = list(takewhile(lambda each: each.at <= until, store.rulings(contest.id)))
    kept = {number: _known(own, until) for number, own in store.attempts(contest.id).items()}
    there = {own[0].result.fixture.batch for own in kept.values() if own}
    there |= {result.fixture.batch for result in store.played(contest.id) if result.at <= until}
    batches = max(there, default=-1) + 1
    copy.enter(new, _entrants(store.entrants(contest.id), batches), contest.begun)
    for fixtures in _pieces(each for each in store.scheduled(contest.id) if each.batch < batches):
        copy.schedule(new, fixtures)
    first = (own[0].result for own in kept.values() if own)
    plain = (each for each in store.played(contest.id) if each.at <= until and each.fixture.number not in kept)
    for source in (first, plain):
        for results in _pieces(source):
            copy.record(new, results)
    if told:
        copy.take_in(new, _cut(told, kept), [each for own in kept.values() for each in own])
    for batch in range(batches - 1):  # the next one was drawn: what has no result then was passed over
        numbers = [each.number for each in copy.unplayed(new, batch)]
        copy.put_aside(new, batch, numbers)
    complete = {each.batch for each in copy.progress(new) if each.complete}
    for batch, ratings in store.ratings(contest.id).items():
        if batch in complete:
            copy.rate(new, batch, ratings)
    copy.set_state(new, "stopped")


def _known(own: list[Attempt], until: float) -> list[Attempt]:
    """The results of a match about which somebody ruled, that there were then; none without a first one."""
    found = [each for each in own if each.result.at <= until]
    return found if any(each.ruling == ORIGINAL for each in found) else []


def _cut(told: list[Ruling], kept: dict[int, list[Attempt]]) -> list[Ruling]:
    """The rulings, without matches that had no result then."""
    there = {number for number, own in kept.items() if own}
    return [replace(each, matches=tuple(n for n in each.matches if n in there)) for each in told]


def _entrants(found: list[Entrant], batches: int) -> list[Entrant]:
    """Who took part when so many batches had been drawn, and as what: who came or went later had not done so."""
    return [
        replace(
            each,
            until=each.until if each.until is not None and each.until < batches else None,
            absences=tuple(
                (start, None if end is None or end >= batches else end)
                for start, end in each.absences
                if start < batches
            ),
        )
        for each in found
        if each.since < max(1, batches)
    ]


def _pieces(source: Iterable[Row]) -> Iterator[list[Row]]:
    waiting = iter(source)
    while some := list(islice(waiting, AT_ONCE)):
        yield some
