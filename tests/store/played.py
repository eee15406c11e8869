"""Small contests to put into stores: bots, a schedule, results that follow from the match's number."""

from __future__ import annotations

from itertools import permutations

from dohyo.store import Store
from dohyo.store.records import Contest, Entry, Match, Result, Version

NAMES = ("hunter", "random", "狼", "it's")
AT = 1_800_000_000.0


def entries(count: int = len(NAMES)) -> list[Entry]:
    """Bots in their first versions."""
    return [Entry(n, Version(name, f"{n:064x}", "python")) for n, name in enumerate(NAMES[:count])]


def begun(store: Store, name: str = "spring") -> Contest:
    """A contest with four bots."""
    contest = store.begin(name, "drop-block", {"rounds": 3, "名": [1.5]}, AT)
    store.enter(contest.id, entries(), AT)
    return contest


def duels(batches: int = 2, first: int = 0) -> list[Match]:
    """Everybody against everybody, each seating, once a batch; numbered from `first` on."""
    pairs = list(permutations(range(len(NAMES)), 2))
    return [
        Match(batch, first + batch * len(pairs) + number, seats, 100 + batch)
        for batch in range(batches)
        for number, seats in enumerate(pairs)
    ]


def table(number: int, batch: int = 0) -> Match:
    """A match of all four."""
    return Match(batch, number, (3, 1, 2, 0), number)


def result(match: Match, **more: object) -> Result:
    """What came of a match: always the same for the same match. Every third is a tie."""
    width = len(match.seats)
    places = (1,) * width if match.number % 3 == 0 else tuple(1 + (s + match.number) % width for s in range(width))
    faults = (("timeout", "illegal"), *[()] * (width - 1)) if match.number % 4 == 0 else ()
    usual = {
        "places": places,
        "scores": tuple(float(width - place) for place in places),
        "longest": tuple(0.25 * (seat + 1) for seat in range(width)),
        "faults": faults,
        "at": AT + match.number,
        "seconds": 0.5,
        "host": "here",
        "worker": "1",
    }
    return Result(match=match.number, **{**usual, **more})  # type: ignore[arg-type]
