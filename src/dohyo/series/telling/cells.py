"""The cells of a table of standings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from dohyo import clean
from dohyo.i18n import Speaker
from dohyo.match.telling.fault_words import counted

if TYPE_CHECKING:
    from dohyo.series.standings import Row, Standings

FAILS = "!"  # before the place of a bot with a fault in most of its matches
NAME = 24  # letters of a bot's name in a table


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


def table_names(standings: Standings, speaker: Speaker) -> dict[int, str]:
    """The names of bots as a table shows them, by entrant; versions have their numbers."""
    from dohyo.series.versions import shown_names

    return shown_names(((row.entrant, row.bot) for row in standings.rows), speaker, shortened)


def cells_of(
    columns: Sequence[str], rows: Sequence[Row], names: Mapping[int, str], speaker: Speaker
) -> list[list[str]]:
    """What stands in these columns, row by row; `names` are the bots' names, by entrant."""
    return [
        [names[row.entrant] if column == "bot" else _cell(column, row, speaker) for column in columns] for row in rows
    ]


def is_right(column: str) -> bool:
    """Whether a column has its cells at the right."""
    return column not in ("bot", "interval", "range", "faults", "remark")


def _cell(column: str, row: Row, speaker: Speaker) -> str:
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
            return counted(row.faults, speaker)
    from dohyo.series.standings import remarks

    return remarks(row, speaker)


def shortened(name: str) -> str:
    """A bot's name as a table shows it."""
    return clean.line(name, NAME)


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
