"""Small contests to put into stores: bots, a schedule, results that follow from the match's number."""

from __future__ import annotations

from itertools import permutations

from dohyo.core.contest import Entrant, Fixture, Result, Version
from dohyo.series.store import Files, Store
from dohyo.series.store.records import Contest

NAMES = ("hunter", "random", "狼", "it's")
AT = 1_800_000_000.0


def entries(count: int = len(NAMES)) -> list[Entrant]:
    """Bots in their first versions."""
    return [Entrant(n, Version(name, f"{n:064x}", "python")) for n, name in enumerate(NAMES[:count])]


def begun(store: Store, name: str = "spring") -> Contest:
    """A contest with four bots."""
    contest = store.begin(name, "drop-block", {"rounds": 3, "名": [1.5]}, AT)
    store.enter(contest.id, entries(), AT)
    return contest


def is_there(files: Files, digest: str) -> bool:
    """Whether a file of this digest is in a store's folder."""
    return (files.folder / digest[:2] / digest[2:]).is_file()


def duels(batches: int = 2, first: int = 0) -> list[Fixture]:
    """Everybody against everybody, each seating, once a batch; numbered from `first` on."""
    pairs = list(permutations(range(len(NAMES)), 2))
    return [
        Fixture(batch, first + batch * len(pairs) + number, seats, 100 + batch)
        for batch in range(batches)
        for number, seats in enumerate(pairs)
    ]


def table(number: int, batch: int = 0) -> Fixture:
    """A match of all four."""
    return Fixture(batch, number, (3, 1, 2, 0), number)


def result(fixture: Fixture, **more: object) -> Result:
    """What came of a match: always the same for the same match. Every third is a tie."""
    width = len(fixture.seats)
    number = fixture.number
    places = (1,) * width if number % 3 == 0 else tuple(1 + (s + number) % width for s in range(width))
    faults = (("timeout", "illegal"), *[()] * (width - 1)) if number % 4 == 0 else ()
    usual = {
        "places": places,
        "scores": tuple(float(width - place) for place in places),
        "longest": tuple(0.25 * (seat + 1) for seat in range(width)),
        "faults": faults,
        "at": AT + number,
        "seconds": 0.5,
        "host": "here",
        "worker": "1",
    }
    return Result(fixture, **{**usual, **more})  # type: ignore[arg-type]
