"""All matches of a contest as text: CSV, JSON, or headers as chess programs write them (PGN)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime

import msgspec

from dohyo import clean
from dohyo.app.contest.session import ContestView
from dohyo.app.contest.spec import reporting_damage
from dohyo.core.contest import Result
from dohyo.core.errors import OperatorError
from dohyo.core.options import nearest

COLUMNS = "contest game match batch seed seat bot version place score longest faults ended seconds replay"


class Line(msgspec.Struct, frozen=True):
    """A match that was played. `bots`, `places`, `scores`, `longest` (seconds) and `faults` (by kind) are by seat.

    `ended` is UTC, `replay` the replay's digest, and `versions` those of the bots.
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


def lines(view: ContestView, bot: str | None = None, faulty: bool = False, last: int = 0) -> Iterator[Line]:
    """The matches that were played, ascending: all, or the `last` ones; or only those of one bot, or with faults.

    Raises `OperatorError` when there is no such bot.
    """
    names = [entrant.version.name for entrant in view.entrants]
    if bot is not None and bot not in names:
        known = ", ".join(dict.fromkeys(names))
        raise OperatorError(
            "contest-no-entrant", bot=bot, name=view.contest.name, nearest=nearest(bot, names), known=known
        )
    with reporting_damage(view.store):
        yield from _lines(view, names, bot, faulty, last)


def _lines(view: ContestView, names: list[str], bot: str | None, faulty: bool, last: int) -> Iterator[Line]:
    for result in _found(view, names, bot, faulty, last):
        fixture = result.fixture
        if (bot is not None and bot not in (names[number] for number in fixture.seats)) or (
            faulty and not any(result.faults)
        ):
            continue
        kinds = result.faults or ((),) * len(fixture.seats)
        yield Line(
            view.contest.name,
            view.game.name,
            fixture.number,
            fixture.batch,
            fixture.seed,
            tuple(names[number] for number in fixture.seats),
            tuple(view.entrants[number].version.digest for number in fixture.seats),
            result.places,
            result.scores,
            result.longest or (None,) * len(fixture.seats),
            tuple(dict(Counter(each)) for each in kinds),
            datetime.fromtimestamp(result.at, UTC).isoformat(timespec="seconds"),
            round(result.seconds, 6),
            result.replay,
        )


def _found(view: ContestView, names: Sequence[str], bot: str | None, faulty: bool, last: int) -> Iterable[Result]:
    """The matches to choose from: if only some are wanted, only those are read."""
    if not last:
        return view.store.played(view.contest.id)
    own = None if bot is None else [number for number, name in enumerate(names) if name == bot]
    return view.store.last_played(view.contest.id, last, own, faulty)


def as_json(found: Sequence[Line]) -> str:
    """One JSON list with an object for each match."""
    return clean.document(msgspec.to_builtins(found), indent=1)


def as_csv(found: Sequence[Line]) -> str:
    """One line for each match and seat, under a line of headings."""
    rows = [clean.csv_row(COLUMNS.split())]
    for line in found:
        for seat, bot in enumerate(line.bots):
            score = line.scores[seat] if line.scores else ""
            faults = " ".join(f"{kind}:{count}" for kind, count in line.faults[seat].items())
            played = [line.contest, line.game, line.match, line.batch, line.seed]
            own = [seat, bot, line.versions[seat], line.places[seat], score, line.longest[seat], faults]
            rows.append(clean.csv_row([*played, *own, line.ended, line.seconds, line.replay]))
    return "".join(rows)


def as_headers(found: Sequence[Line]) -> str:
    """A block of headers for each match, then an empty line; for two players as in chess, otherwise by seat."""
    return "".join(_headers(line) + "\n" for line in found)


def _headers(line: Line) -> str:
    tags = {"Event": line.contest, "Site": line.game, "Date": line.ended[:10].replace("-", ".")}
    tags["Round"] = f"{line.batch}.{line.match}"
    if len(line.bots) == 2:
        tags |= {"White": line.bots[0], "Black": line.bots[1], "Result": _result(line.places)}
    else:
        tags |= {f"Seat{seat}": bot for seat, bot in enumerate(line.bots)}
        tags["Places"] = " ".join(map(str, line.places))
    if line.scores:
        tags["Scores"] = " ".join(f"{score:g}" for score in line.scores)
    for seat, kinds in enumerate(line.faults):
        if kinds:
            tags[f"Faults{seat}"] = " ".join(f"{kind}:{count}" for kind, count in kinds.items())
    tags |= {"Seed": str(line.seed), "Replay": line.replay or "-"}
    return "".join(f'[{key} "{_quoted(value)}"]\n' for key, value in tags.items())


def _result(places: Sequence[int]) -> str:
    """A duel's result, as chess programs write it."""
    first, second = places
    return "1/2-1/2" if first == second else "1-0" if first < second else "0-1"


def _quoted(value: str) -> str:
    return clean.line(value).replace("\\", "\\\\").replace('"', '\\"')


FORMATS: Mapping[str, Callable[[Sequence[Line]], str]] = {"csv": as_csv, "json": as_json, "headers": as_headers}
