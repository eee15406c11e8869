"""The table of a contest: the format's own standing, and beside it ratings, results and faults."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from dohyo.contest.formats import Batches
from dohyo.contest.formats.king_of_the_hill import KingOfTheHill
from dohyo.contest.formats.scheduled import Scheduled
from dohyo.core.errors import OperatorError
from dohyo.run.contest.field import as_entrants
from dohyo.run.contest.loop import as_played
from dohyo.store import Store
from dohyo.store.records import Contest, Entry, Rating, Tally

if TYPE_CHECKING:
    from dohyo.contest.ratings import Ratings

FEW_SAMPLES = 60  # of the bootstrap, for a table that is soon replaced


class Row(msgspec.Struct, kw_only=True):
    """One bot's line.

    `place`, `points` and `remark` (a key in the table of words, with `at`) are the format's. `elo` with its 95 %
    interval from `low` to `high`, and the places `first` to `last` that this leaves open, are none without ratings.
    `won`, `drawn` and `lost` count opponents that it was placed before, beside and behind; `firsts` first places,
    shared ones too. `longest` is in seconds, `faults` are by kind. `state` is playing, pauses, left or replaced.
    """

    place: int
    entrant: int
    bot: str
    digest: str
    points: float
    remark: str = ""
    at: int = 0
    elo: float | None = None
    low: float | None = None
    high: float | None = None
    first: int | None = None
    last: int | None = None
    matches: int = 0
    firsts: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    longest: float | None = None
    faults: dict[str, int] = {}
    state: str = "playing"


class Table(msgspec.Struct, kw_only=True):
    """All lines, best first. `rated` says whether there are ratings; `groups` are bots that no results connect."""

    rows: list[Row]
    rated: bool
    groups: list[list[str]] = []


def standing(
    store: Store, contest: Contest, fold: Batches, entries: Sequence[Entry], samples: int | None = None
) -> Table:
    """The table as the format has it; ratings and tallies of all results.

    A format in which results of an unfinished batch decide nothing counts them too, the others do not.
    `samples` are those of the intervals; none for as many as usual, 0 for no ratings at all.
    """
    rows = {
        each.entrant: Row(
            place=each.place,
            entrant=each.entrant,
            bot=entries[each.entrant].version.name,
            digest=entries[each.entrant].version.digest,
            points=each.points,
            remark=each.remark,
            at=each.at,
            state=_state(entries[each.entrant], entries),
        )
        for each in _with_open_batch(store, contest, fold).standing(as_entrants(entries))
    }
    _count(rows, store.tallies(contest.id), store.faults(contest.id))
    table = Table(rows=list(rows.values()), rated=False)
    if samples != 0:
        _rate(table, rows, store, contest, fold, entries, samples)
    return table


def _with_open_batch(store: Store, contest: Contest, fold: Batches) -> Batches:
    """The format, or a copy of it that also counts what was played of the batch that is not over."""
    if not isinstance(fold, Scheduled | KingOfTheHill):
        return fold
    so_far = [as_played(match, result) for match, result in store.played(contest.id, fold.batch)]
    if not so_far:
        return fold
    counting = copy.copy(fold)
    counting.tally = copy.deepcopy(fold.tally)
    counting.tally.add(so_far)
    return counting


def published(store: Store, contest: Contest, fold: Batches, entries: Sequence[Entry]) -> list[Rating]:
    """The ratings of now, to be written down; none without the libraries that they need."""
    table = standing(store, contest, fold, entries)
    if not table.rated:
        return []
    own = getattr(fold, "ratings", None)
    found = []
    for row in sorted(table.rows, key=lambda row: row.entrant):
        known = own.of(row.entrant) if own is not None else None
        mu, sigma = (known.mu, known.sigma) if known is not None else (None, None)
        if row.elo is not None:
            found.append(Rating(row.entrant, row.elo, row.low, row.high, mu, sigma))
    return found


def _state(entry: Entry, entries: Sequence[Entry]) -> str:
    if any(other.follows == entry.number for other in entries) and entry.until is not None:
        return "replaced"
    if entry.until is not None:
        return "left"
    return "pauses" if entry.absences and entry.absences[-1][1] is None else "playing"


def _count(rows: dict[int, Row], tallies: Sequence[Tally], faults: dict[int, dict[str, int]]) -> None:
    for tally in tallies:
        row = rows[tally.entrant]
        row.matches += tally.matches
        row.firsts += tally.firsts
        row.won += tally.beaten
        row.drawn += tally.tied
        row.lost += tally.lost
        row.longest = max(row.longest or 0.0, tally.longest)
    for entrant, kinds in faults.items():
        rows[entrant].faults = dict(Counter(kinds).most_common())


def _rate(
    table: Table,
    rows: dict[int, Row],
    store: Store,
    contest: Contest,
    fold: Batches,
    entries: Sequence[Entry],
    samples: int | None,
) -> None:
    """Add ratings: the format's own where it has such, else those fitted to all results."""
    own = getattr(fold, "ratings", None)
    if own is not None:
        for number, row in rows.items():
            known = own.of(number)
            row.elo, row.low, row.high = known.elo, known.low, known.high
        _add_places(rows)
        table.rated = True
        return
    if not any(row.matches for row in rows.values()):
        return
    try:
        found = fitted(store, contest, len(entries), samples)
    except OperatorError as error:
        if error.key != "needs-stats":
            raise
        return
    for rating in found.ratings:
        row = rows[rating.number]
        if not row.matches:
            continue  # nothing is known of it
        row.elo, row.low, row.high = rating.rating, rating.low, rating.high
        row.first, row.last = rating.first, rating.last
    table.rated = True
    groups = [group for group in found.groups if rows[group[0]].matches]
    if len(groups) > 1:
        table.groups = [[rows[number].bot for number in group] for group in groups]


def _add_places(rows: dict[int, Row]) -> None:
    from dohyo.contest.libraries import np
    from dohyo.contest.ratings import places

    low, high = (np.array([getattr(row, name) for row in rows.values()]) for name in ("low", "high"))
    for row, (first, last) in zip(rows.values(), places(low, high), strict=True):
        row.first, row.last = first, last


def fitted(store: Store, contest: Contest, entrants: int, samples: int | None = None) -> Ratings:
    """Ratings fitted to all results. Raises `OperatorError` where the libraries for that are not installed."""
    from dohyo.contest.bootstrap import SAMPLES
    from dohyo.contest.ratings import rate

    return rate(results(store, contest), entrants, samples=SAMPLES if samples is None else samples)


def results(store: Store, contest: Contest) -> Any:
    """All results as the arrays that ratings start from: `dohyo.contest.results.Results`."""
    from dohyo.contest.libraries import np
    from dohyo.contest.results import EMPTY, Results

    blocks = list(store.blocks(contest.id))
    width = max((block.width for block in blocks), default=0)
    matches = sum(len(block.numbers) for block in blocks)
    seats = np.full((matches, width), EMPTY, dtype=np.int64)
    places = np.zeros((matches, width), dtype=np.int64)
    seeds = np.zeros(matches, dtype=np.int64)
    at = 0
    for block in blocks:
        rows = slice(at, at + len(block.numbers))
        shape = (-1, block.width)
        seats[rows, : block.width] = np.frombuffer(block.entrants, dtype=np.int32).reshape(shape)
        places[rows, : block.width] = np.frombuffer(block.places, dtype=np.int32).reshape(shape)
        seeds[rows] = np.frombuffer(block.seeds, dtype=np.int64)
        at = rows.stop
    return Results(seats, places, seeds)
