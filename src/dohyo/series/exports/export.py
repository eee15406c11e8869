"""All matches of a contest as text: CSV, JSON, headers as chess programs write them. Standings as CSV.

Each form is made piece by piece from the matches as they are read, so memory stays flat however many there are. Names
may be strangers': each is made safe for where it goes, by `dohyo.clean`. More forms: `dohyo.guests.exports`.
"""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from heapq import merge
from typing import Any

import msgspec
from msgspec.structs import replace

from dohyo import clean
from dohyo.core.contest import Result, level
from dohyo.core.errors import OperatorError
from dohyo.core.options import nearest, some_of
from dohyo.i18n import ENGLISH
from dohyo.series.dataframes import Cell, rows_to_columns
from dohyo.series.rulings import Book, RuledResult
from dohyo.series.session import ContestView
from dohyo.series.spec import reporting_damage
from dohyo.series.standings import Standings, remarks

NUMBERS = ("score", "longest", "seconds")  # of these columns
TIME = "ended"
OLD_COLUMNS = "contest game match batch seed seat bot version place score longest faults ended seconds replay"
COLUMNS = f"{OLD_COLUMNS} ruling counts because why by"
STANDING_COLUMNS = (
    "place bot points elo low high matches firsts faulty faults reason reason_match "
    "won drawn lost first last longest fails state remark entrant digest"
)


class ResultLine(msgspec.Struct, frozen=True):
    """A match that was played. `bots`, `places`, `scores`, `longest` (seconds) and `faults` (by kind) are by seat.

    `ended` is UTC, `replay` the replay's digest, and `versions` those of the bots. `ruling` is the number of the
    operator's ruling that asked for this result, 0 for a match's first one; `counts` says whether it counts. `why`,
    `by` and `because` say why, where somebody has ruled about it, as in a `RuledResult`; otherwise the texts are
    empty, and `by` is none.
    """

    contest: str
    game: str
    match: int
    batch: int
    seed: int
    bots: tuple[str, ...]
    versions: tuple[str, ...]
    places: tuple[int, ...]
    scores: tuple[float, ...]
    longest: tuple[float | None, ...]
    faults: tuple[dict[str, int], ...]
    ended: str
    seconds: float
    replay: str | None
    ruling: int = 0
    counts: bool = True
    because: str = ""
    why: str = ""
    by: int | None = None


def lines(
    view: ContestView, bot: str | None = None, faulty: bool = False, last: int = 0, everything: bool = False
) -> Iterator[ResultLine]:
    """The matches that were played, ascending: all, or the `last` ones; or only those of one bot, or with faults.

    Those whose results count; with `everything`, the results that do not count are lines of their own. All results of
    the `last` matches are among them. Raises `OperatorError` when there is no such bot.
    """
    names = [entrant.version.name for entrant in view.entrants]
    if bot is not None and bot not in names:
        known = some_of(list(dict.fromkeys(names)))
        raise OperatorError(
            "contest-no-entrant", bot=bot, name=view.contest.name, nearest=nearest(bot, names), known=known
        )
    with reporting_damage(view.store):
        yield from _lines(view, names, bot, faulty, last, everything)


def _lines(
    view: ContestView, names: list[str], bot: str | None, faulty: bool, last: int, everything: bool
) -> Iterator[ResultLine]:
    def is_wanted(result: Result) -> bool:
        is_its = bot is None or bot in (names[number] for number in result.fixture.seats)
        return is_its and (not faulty or any(result.faults))

    book = Book(view)
    if last:
        own = None if bot is None else [number for number, name in enumerate(names) if name == bot]
        results: Iterable[Result] = view.store.last_played(view.contest.id, last, own, faulty)  # only those are read
    else:
        results = view.store.played(view.contest.id)
    found: Iterable[RuledResult] = map(book.counting, results)
    if everything and book.rulings:
        found = merge(book.others(), found, key=lambda each: (each.result.fixture.number, each.ruling))
    found = (each for each in found if is_wanted(each.result))
    for known in _last_of(list(found), last) if last else found:
        yield line_of(view, known)


def _last_of(found: Sequence[RuledResult], last: int) -> Iterator[RuledResult]:
    """The results of the last matches of these, which ascend."""
    numbers = sorted({each.result.fixture.number for each in found})[-last:]
    return (each for each in found if each.result.fixture.number >= numbers[0])


def line_of(view: ContestView, known: RuledResult) -> ResultLine:
    """A result of a match as a line."""
    versions = [view.entrants[number].version for number in known.result.fixture.seats]
    named = [(version.name, version.digest) for version in versions]
    return replace(
        as_played(view.contest.name, view.game.name, named, known.result),
        ruling=known.ruling,
        counts=known.counts,
        because=known.because,
        why=known.why,
        by=known.by or None,
    )


def as_played(contest: str, game: str, bots: Sequence[tuple[str, str]], result: Result) -> ResultLine:
    """A result about which nobody has ruled as a line; `bots` are names and versions by seat."""
    fixture, seats = result.fixture, len(bots)
    return ResultLine(
        contest,
        game,
        fixture.number,
        fixture.batch,
        fixture.seed,
        tuple(name for name, _ in bots),
        tuple(version for _, version in bots),
        result.places,
        result.scores,
        result.longest or (None,) * seats,
        tuple(dict(Counter(each)) for each in result.faults or ((),) * seats),
        datetime.fromtimestamp(result.at, UTC).isoformat(timespec="seconds"),
        round(result.seconds, 6),
        result.replay,
    )


def as_json(found: Iterable[ResultLine]) -> Iterator[str]:
    """One JSON list with an object for each match."""
    between = "[\n"
    for line in found:
        one = clean.document(msgspec.to_builtins(line), indent=1).rstrip("\n")
        yield between + textwrap.indent(one, " ")
        between = ",\n"
    yield "[]\n" if between == "[\n" else "\n]\n"


def seat_rows(line: ResultLine) -> Iterator[list[Any]]:
    """A row for each seat of a match, with values for `COLUMNS`; faults as text, none where nobody gave a score."""
    for seat, bot in enumerate(line.bots):
        score = line.scores[seat] if line.scores else None
        faults = " ".join(f"{kind}:{count}" for kind, count in line.faults[seat].items())
        played = [line.contest, line.game, line.match, line.batch, line.seed]
        own = [seat, bot, line.versions[seat], line.places[seat], score, line.longest[seat], faults]
        ruled = [line.ruling, "yes" if line.counts else "no", line.because, line.why, line.by]
        yield [*played, *own, line.ended, line.seconds, line.replay, *ruled]


def columns_of(found: Iterable[ResultLine]) -> dict[str, list[Cell]]:
    """Matches as columns, a row for each seat: those of the CSV file, but `ended` is a time and numbers are numbers.

    Texts are without what cannot be shown.
    """
    columns = rows_to_columns(COLUMNS.split(), (row for line in found for row in seat_rows(line)))
    columns[TIME] = [datetime.fromisoformat(str(text)) for text in columns[TIME]]
    for name in NUMBERS:
        columns[name] = [float(value) if isinstance(value, int | float) else None for value in columns[name]]
    return columns


def as_csv(found: Iterable[ResultLine], columns: str = COLUMNS) -> Iterator[str]:
    """One line for each match and seat, under a line of headings: the first of `COLUMNS`, or all."""
    names = columns.split()
    yield clean.csv_row(names)
    for line in found:
        for row in seat_rows(line):
            yield clean.csv_row(row[: len(names)])


def standings_as_csv(table: Standings, reasons: Mapping[int, tuple[str, int]] | None = None) -> Iterator[str]:
    """One line for each bot, under a line of headings. Ratings and their ends are empty where they are not known, the
    place of one that holds none, such as a disqualified bot.

    `reasons` say by entrant why a bot fails, and in which match it did; without one its cells are empty. The columns
    are in `docs/contests.md`; new ones come last.
    """
    why = reasons or {}
    yield clean.csv_row(STANDING_COLUMNS.split())
    for row in table.rows:
        rating = [None if value is None else round(value, 2) for value in (row.elo, row.told_low, row.told_high)]
        faults = " ".join(f"{kind}:{count}" for kind, count in row.faults.items())
        counts = [row.matches, row.firsts, row.faulty, faults, *why.get(row.entrant, (None, None))]
        counts += [row.won, row.drawn, row.lost, row.first, row.last, row.longest]
        told = ["yes" if row.fails else "no", row.state, remarks(row, ENGLISH), row.entrant, row.digest]
        yield clean.csv_row([row.place, row.bot, row.points, *rating, *counts, *told])


def as_headers(found: Iterable[ResultLine], site: str | None = None) -> Iterator[str]:
    """A block of headers for each match, then an empty line; for two players as in chess, otherwise by seat.

    `site` stands where the game's name would.
    """
    for line in found:
        yield _headers(line, site) + "\n"


def _headers(line: ResultLine, site: str | None) -> str:
    tags = {"Event": line.contest, "Site": line.game if site is None else site}
    tags["Date"] = line.ended[:10].replace("-", ".")
    tags["Round"] = f"{line.batch}.{line.match}"
    if len(line.bots) == 2:
        tags |= {"White": line.bots[0], "Black": line.bots[1], "Result": duel_result(line.places)}
    else:
        tags |= {f"Seat{seat}": bot for seat, bot in enumerate(line.bots)}
        tags["Places"] = " ".join(map(str, line.places))
    if line.scores:
        tags["Scores"] = " ".join(f"{score:g}" for score in line.scores)
    for seat, kinds in enumerate(line.faults):
        if kinds:
            tags[f"Faults{seat}"] = " ".join(f"{kind}:{count}" for kind, count in kinds.items())
    tags |= {"Seed": str(line.seed), "Replay": line.replay or "-"}
    if line.ruling or not line.counts:
        tags |= {"Ruling": str(line.ruling), "Counts": "yes" if line.counts else "no", "Because": line.because}
    return "".join(f'[{key} "{quoted(value)}"]\n' for key, value in tags.items())


def duel_result(places: Sequence[int]) -> str:
    """A duel's result, as chess programs write it; "*" where both had a fault, which is last, and nobody gains."""
    first, second = places
    if first == second:
        return "1/2-1/2" if level(places)[0] else "*"
    return "1-0" if first < second else "0-1"


def quoted(value: str) -> str:
    """A text as it stands in a header."""
    return clean.line(value).replace("\\", "\\\\").replace('"', '\\"')


class Counted:
    """Results that somebody reads, ascending by match; how many were read, and of how many matches."""

    def __init__(self, found: Iterable[ResultLine]) -> None:
        self._found = found
        self.count = self.matches = 0

    def __iter__(self) -> Iterator[ResultLine]:
        before = None
        for line in self._found:
            self.count += 1
            self.matches += line.match != before
            before = line.match
            yield line
