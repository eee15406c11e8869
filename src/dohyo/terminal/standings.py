"""How a contest's tables look: the standings, and facts about the contest."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from dohyo import clean
from dohyo.core.errors import OperatorError
from dohyo.i18n import Speaker, say
from dohyo.series.spans import MAX_SPANS, numbers
from dohyo.terminal.screen import table
from dohyo.terminal.summary import counted

if TYPE_CHECKING:
    from rich.table import Table as RichTable

    from dohyo.core.contest import Entrant
    from dohyo.core.game import Game
    from dohyo.series.fault_reasons import FaultReason
    from dohyo.series.rulings import Book
    from dohyo.series.session import ContestView
    from dohyo.series.spec import Spec
    from dohyo.series.standings import Row, Standings
    from dohyo.series.store import Store
    from dohyo.series.store.records import Aside, Contest

GAP = 2  # cells between columns
NARROW = 12  # cells for what may need several lines
LEAST = (
    "firsts",
    "record",
    "range",
    "remark",
    "faults",
    "faulty",
    "interval",
    "matches",
    "elo",
)  # in the order in which they are omitted
FAILS = "!"  # before the place of a bot with a fault in most of its matches
MAX_REASONS = 12  # bots of whom it is told why they fail
NAME = 24  # letters of a bot's name in a table


def standing_table(
    standings: Standings, language: str, most: int | None = None, width: int | None = None
) -> RichTable:
    """The standings as a table: with `most`, only its first lines, each of which takes one line of the terminal.

    Columns are omitted until the others fit into `width` cells.
    """
    rows = standings.rows[:most]
    columns = columns_of(standings, most)
    cells = cells_of(columns, rows, table_names(standings, language), language)
    if width is not None:
        headings = [say(f"contest.column.{column}", language) for column in columns]
        kept = _with_room(columns, [headings, *cells], width, wraps=most is None)
        cells = [[cell for cell, keep in zip(line, kept, strict=True) if keep] for line in cells]
        columns = [column for column, keep in zip(columns, kept, strict=True) if keep]
    right = [at for at, column in enumerate(columns) if is_right(column)]
    made = table([say(f"contest.column.{column}", language) for column in columns], cells, right)
    for column, shown in zip(columns, made.columns, strict=True):
        if most is not None or column not in ("faults", "remark"):
            shown.no_wrap, shown.overflow = True, "ellipsis"
    return made


def columns_of(standings: Standings, most: int | None = None) -> list[str]:
    """The columns that these standings have, or their first `most` rows."""
    from dohyo.series.formats import BY_SHARE

    rows = standings.rows[:most]
    are_duels = all(row.won + row.drawn + row.lost == row.matches for row in standings.rows)
    columns = ["place", "bot"]
    columns += ["elo", "interval", "range"] if standings.rated else []
    columns += ["share"] if standings.placed_by == BY_SHARE else []
    columns += ["points", "matches", "record" if are_duels else "firsts"]
    if any(row.faults for row in rows):
        columns += ["faulty", "faults"]
    if any(row.remark or row.state != "playing" for row in rows):
        columns.append("remark")
    return columns


def table_names(standings: Standings, language: str) -> dict[int, str]:
    """The names of bots as a table shows them, by entrant; versions have their numbers."""
    from dohyo.series.versions import shown_names

    return shown_names(((row.entrant, row.bot) for row in standings.rows), language, shortened)


def cells_of(columns: Sequence[str], rows: Sequence[Row], names: Mapping[int, str], language: str) -> list[list[str]]:
    """What stands in these columns, row by row; `names` are the bots' names, by entrant."""
    return [
        [names[row.entrant] if column == "bot" else _cell(column, row, language) for column in columns]
        for row in rows
    ]


def is_right(column: str) -> bool:
    """Whether a column has its cells at the right."""
    return column not in ("bot", "interval", "range", "faults", "remark")


def _with_room(columns: Sequence[str], lines: Sequence[Sequence[str]], width: int, wraps: bool) -> list[bool]:
    """Which columns are kept, so that all of them fit; faults and remarks may take several lines."""
    from rich.cells import cell_len

    need = {
        column: max(map(cell_len, cells)) for column, cells in zip(columns, zip(*lines, strict=True), strict=True)
    }
    if wraps:
        need |= {column: min(need[column], NARROW) for column in ("faults", "remark") if column in need}
    for column in LEAST:
        if sum(need.values()) + GAP * (len(need) - 1) <= width:
            break
        need.pop(column, None)
    return [column in need for column in columns]


def _cell(column: str, row: Row, language: str) -> str:
    match column:
        case "place":
            return f"{FAILS if row.fails and row.holds_place else ''}{row.place_told}"
        case "elo":
            return "-" if row.elo is None else f"{row.elo:.0f}"
        case "interval":
            return interval(row)
        case "range":
            return places(row.first, row.last)
        case "points":
            return f"{row.points:.2f}".rstrip("0").rstrip(".")
        case "share":
            return "-" if row.share is None else f"{100 * row.share:.1f} %"
        case "matches":
            return str(row.matches)
        case "record":
            return f"{row.won}-{row.drawn}-{row.lost}"
        case "firsts":
            return str(row.firsts)
        case "faulty":
            return str(row.faulty) if row.faulty else ""
        case "faults":
            return counted(row.faults, language)
    from dohyo.series.standings import remarks

    return remarks(row, language)


def shortened(name: str) -> str:
    """A bot's name as a table shows it."""
    return clean.line(name, NAME)


def entrant_names(entrants: Sequence[Entrant], language: str, out: Collection[str] = ()) -> list[str]:
    """The names of entrants as a list shows them, with their versions, and whether one pauses, has left, or is older.

    Those who are `out` are disqualified.
    """
    from dohyo.series.standings import STATES, entrant_state
    from dohyo.series.versions import version_numbers

    numbers = version_numbers((each.number, each.name) for each in entrants)
    told = []
    for each in entrants:
        state = entrant_state(each, entrants, each.name in out)
        more = [say("contest.version", language, number=numbers[each.number])] if each.number in numbers else []
        more += [say(STATES[state], language)] if state in STATES else []
        name = shortened(each.name)
        told.append(f"{name} ({', '.join(more)})" if more else name)
    return told


def interval(row: Row) -> str:
    """The ends of a rating's interval, if they are known; `?` if neither is."""
    if row.elo is None:
        return "-"
    ends = ["" if end is None else f"{end:.0f}" for end in (row.told_low, row.told_high)]
    return "..".join(ends) if any(ends) else "?"


def places(first: int | None, last: int | None) -> str:
    """The places that a bot may hold."""
    if first is None or last is None:
        return "-"
    return str(first) if first == last else f"{first}-{last}"


def how_far(view: ContestView, language: str) -> str:
    """How many matches were played, and of how many; how many of them count for nobody."""
    from dohyo.series.standings import matches_of

    progress = view.progress
    total = matches_of(view.format, progress, view.contest.state == "over")
    void, played = view.voided, view.played
    aside, missed = map(len, view.asides())
    if total is None:
        words = say("contest.done-open", language, played=played, batch=max(0, len(progress) - 1))
    else:
        words = say("contest.done", language, played=played, total=total)
    more = [say("contest.voided", language, count=void)] if void else []
    more += [say("contest.aside", language, count=aside)] if aside else []
    more += [say("contest.missed", language, count=missed)] if missed else []
    return ", ".join([words, *more])


def passed_over(view: ContestView, again: str, language: str) -> str:
    """How many matches were not played as a bot left or paused, and whether they still can be; empty without any."""
    _, missed = view.asides()
    if not missed:
        return ""
    seated = {number for each in missed for number in each.fixture.seats}
    away = [each for each in view.entrants if each.number in seated and each.is_away]
    gone = {each.number for each in away if each.until is not None}
    names = ", ".join(shortened(each.name) for each in away[:MAX_SPANS]) + (", ..." if len(away) > MAX_SPANS else "")
    told = say("contest.passed-over", language, count=len(missed), bots=names or "-")
    if all(not gone.isdisjoint(each.fixture.seats) for each in missed):
        return told
    return f"{told} {say('contest.passed-over-again', language, again=again)}"


def left_open(view: ContestView, again: str, language: str) -> str:
    """How many matches are open after errors, and the words that resume the contest; empty without any."""
    from dohyo.series import formats

    spec, progress = view.spec, view.progress
    count = len(view.asides()[0])
    if not count:
        return ""
    waits = formats.find(spec.format).info.waits and progress[-1].set_aside
    if spec.referee is not None:
        key = "contest.open-waits-refereed" if waits else "contest.open-refereed"
    else:
        key = "contest.open-waits" if waits else "contest.open"
    return say(key, language, count=count, again=again)


def asides(found: Sequence[Aside], language: str) -> list[str]:
    """Why matches are open: a sentence for each reason, with the numbers of all matches that have it."""
    alike: dict[str, list[int]] = {}
    for each in found:
        alike.setdefault(last_line(each.error), []).append(each.fixture.number)
    return [
        say("contest.aside-line", language, number=of[0], error=error)
        if len(of) == 1
        else say("contest.aside-lines", language, numbers=numbers(sorted(of), language), error=error)
        for error, of in alike.items()
    ]


def ruling_lines(view: ContestView, language: str) -> list[str]:
    """What was decided about results and is in force, a line for each ruling; nothing where nobody has ruled."""
    from dohyo.series.rulings import Book, sentences

    return [clean.line(each) for each in sentences(Book(view), language, shortened)]


def audit_lines(book: Book, language: str) -> list[str]:
    """Every ruling that was ever made, with its day, oldest first."""
    from datetime import UTC, datetime

    lines = []
    for each in book.rulings:
        what = say(f"ruling.kind.{each.kind}{'-undo' if each.undoes else ''}", language)
        whom = shortened(each.bot) if each.bot else numbers(each.matches, language)
        day = datetime.fromtimestamp(each.at, UTC).strftime("%Y-%m-%d %H:%M")
        line = say("ruling.audit", language, number=each.number, at=day, what=what, whom=whom)
        lines.append(f"{line}: {each.because}" if each.because else line)
    return lines


def reason_lines(
    found: Sequence[FaultReason], view: ContestView, names: Mapping[int, str], language: str
) -> list[str]:
    """Why bots fail, a line for each, and the command that shows the whole of it; nothing without any."""
    if not found:
        return []
    lines = [
        say(
            "contest.reason",
            language,
            bot=names[each.entrant],
            reason=each.say(view.game, language),
            match=each.match,
        )
        for each in found[:MAX_REASONS]
    ]
    if len(found) > MAX_REASONS:
        lines.append(say("contest.more-rows", language, count=len(found) - MAX_REASONS))
    return [*lines, say("contest.reason-more", language, command=replay_command(view, found[0].match))]


def replay_command(view: ContestView, match: int) -> str:
    """The command that shows the faults of a match, as it can be typed here."""
    import shlex

    store, place = view.store, view.store.database.address.path
    where = store.database.address.shown
    if place is not None and place.is_relative_to(Path.cwd()):
        where = str(place.relative_to(Path.cwd()))
    name = ["--name", view.contest.name] if len(store.contests()) > 1 else []
    return clean.line(shlex.join(["dohyo", "contest", "replay", where, str(match), *name, "--faults"]))


def last_line(error: str) -> str:
    """What an error says, without where in our source it happened."""
    return (error.strip().splitlines()[-1:] or [""])[0]


def words_again(store: Store, where: str, contest: Contest, spec: Spec, referee: str = "FILE.toml") -> str:
    """The words after `dohyo contest run` that resume a contest in the store that the operator calls `where`.

    They name the sandbox, the interpreter and the `referee`'s file, which are never taken from a store; they never
    contain a password.
    """
    import shlex

    from dohyo.series.request import USUAL

    words = [where if store.database.is_sqlite else store.database.address.shown]
    if spec.sandbox != USUAL:
        words += ["--sandbox", spec.sandbox]
    if spec.python is not None:
        words += ["--python", spec.python]
    if spec.referee is not None:
        words += ["--referee", referee]
    if len(store.contests()) > 1:
        words += ["--name", contest.name]
    return " ".join([shlex.join(words), *_typed_again(store, contest, spec)])


def _typed_again(store: Store, contest: Contest, spec: Spec) -> list[str]:
    """The options for the bots that the store holds as words alone, or without files that their arguments name."""
    from dohyo.bots import archive
    from dohyo.series.typed_again import meant_by, option_for

    options = []
    for entrant in store.entrants(contest.id):
        with suppress(OperatorError):
            content = b"" if entrant.version.archive is None else store.files.get(entrant.version.archive)
            found = archive.read(content) if content else None
            if found is not None and (not found.name or any(map(os.path.isfile, found.words))):
                name = entrant.version.name
                options.append(option_for(name, meant_by(name, found, spec)))
    return list(dict.fromkeys(options))


def facts(game: Game, spec: Spec, language: str) -> list[tuple[str, str]]:
    """Facts about a contest, apart from its results."""
    from dohyo.match.telling.clock_words import clock_name
    from dohyo.series.spec import typed

    defaults = {option.name: option.default for option in game.options}
    changed = [f"{key}={typed(value)}" for key, value in spec.setup.items() if defaults.get(key) != value]
    options = [f"{key}={typed(value)}" for key, value in spec.options.items() if value not in ("", None, [], 0)]
    clock = clock_name(spec.clock, Speaker(language))
    if spec.clock is None:
        usual = say("contest.fact.usual", language)
        clock = usual if spec.mode is None else say("fact.and", language).join((usual, f"mode={spec.mode}"))
    last = (say("contest.fact.clock", language), clock)
    if spec.referee is not None:
        told = say("contest.fact.refereed", language, result=spec.referee.result)
        last = (say("contest.fact.referee", language), told)
    return [
        (say("contest.fact.game", language), " ".join([game.title, *changed])),
        (say("contest.fact.format", language), " ".join([spec.format, f"rounds={spec.rounds}", *options])),
        (say("contest.fact.seed", language), str(spec.seed)),
        last,
        *([(say("contest.fact.faults", language), say("contest.fault-is-last", language))] * spec.fault_is_last),
    ]


def time_left(seconds: float) -> str:
    """A remaining time, in words for people."""
    whole = int(seconds)
    if whole >= 3600:
        return f"{whole // 3600} h {whole % 3600 // 60:02} min"
    return f"{whole // 60} min {whole % 60:02} s" if whole >= 60 else f"{whole} s"


__all__ = ["facts", "how_far", "interval", "numbers", "places", "shortened", "standing_table", "time_left"]
