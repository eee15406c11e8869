"""How a contest's tables look: the standings with what is to be known of them, the matches."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich.cells import cell_len

from dohyo import clean
from dohyo.i18n import Speaker
from dohyo.match.telling.fault_words import counted
from dohyo.series.best import who_is_best, who_won
from dohyo.series.fault_reasons import fault_reasons
from dohyo.series.formats import BY_RATING, BY_SHARE
from dohyo.series.ratings.ratings import MAX_PLAIN
from dohyo.series.rulings import in_words
from dohyo.series.standings import GONE, TOLD, has_untold, matches_of, share_note, why_not_by_elo
from dohyo.series.telling.cells import FAILS, cells_of, columns_of, is_right, shortened, table_names
from dohyo.series.telling.words import how_far, reason_lines, ruling_lines
from dohyo.series.versions import shown_names
from dohyo.terminal.brackets import bracket_lines, hill_notes, hill_rows
from dohyo.terminal.screen import console, table
from dohyo.terminal.screen import show as show_table

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table as RichTable

    from dohyo.series.session import ContestView
    from dohyo.series.standings import Standings

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


def standing_table(
    standings: Standings, speaker: Speaker, most: int | None = None, width: int | None = None
) -> RichTable:
    """The standings as a table: with `most`, only its first lines, each of which takes one line of the terminal.

    Columns are omitted until the others fit into `width` cells.
    """
    rows = standings.rows[:most]
    columns = columns_of(standings, most)
    cells = cells_of(columns, rows, table_names(standings, speaker), speaker)
    if width is not None:
        headings = [speaker.say(f"contest.column.{column}") for column in columns]
        kept = _with_room(columns, [headings, *cells], width, wraps=most is None)
        cells = [[cell for cell, keep in zip(line, kept, strict=True) if keep] for line in cells]
        columns = [column for column, keep in zip(columns, kept, strict=True) if keep]
    right = [at for at, column in enumerate(columns) if is_right(column)]
    made = table([speaker.say(f"contest.column.{column}") for column in columns], cells, right)
    for column, shown in zip(columns, made.columns, strict=True):
        if most is not None or column not in ("faults", "remark"):
            shown.no_wrap, shown.overflow = True, "ellipsis"
    return made


def _with_room(columns: Sequence[str], lines: Sequence[Sequence[str]], width: int, wraps: bool) -> list[bool]:
    """Which columns are kept, so that all of them fit; faults and remarks may take several lines."""
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


UNSEEN_WIDTH = 100  # columns of a drawing that goes to a file


def print_standing(view: ContestView, speaker: Speaker) -> None:
    """Print the table, with notes for reading it."""
    out = console()
    table = view.standings()
    show_table(standing_table(table, speaker, width=out.width if sys.stdout.isatty() else None), out)
    if any(row.fails and row.holds_place for row in table.rows):
        how = [] if view.spec.fault_is_last else [speaker.say("contest.fails-how")]
        out.print(speaker.sentences([speaker.say("contest.fails", mark=FAILS), *how]))
    for line in ruling_lines(view, speaker):
        out.print(line, soft_wrap=True)
    names = table_names(table, speaker)
    for line in reason_lines(fault_reasons(view), view, names, speaker):
        out.print(line, soft_wrap=True)
    out.print()
    total = matches_of(view.format, view.progress, view.contest.state == "over")
    out.print(how_far(view, speaker))
    if table.placed_by == BY_SHARE:
        out.print(speaker.say(share_note(view.format)))
    played = sum(batch.played + batch.set_aside for batch in view.progress)
    uneven = len({row.matches for row in table.rows if row.state == "playing"}) > 1
    if uneven and view.format.info.evens_out and total is not None and played < total:
        out.print(speaker.say("contest.uneven"))
    if not table.rated and any(row.matches for row in table.rows):
        out.print(speaker.say("contest.points-only", most=MAX_PLAIN))
    for line in who_won(view.bracket(), names, speaker):
        out.print(line)
    _print_ratings(table, names, out, speaker)
    if order := why_not_by_elo(table, names, speaker):
        out.print(order)
    if table.groups:
        groups = "; ".join(speaker.listed(map(shortened, group)) for group in table.groups)
        out.print(speaker.say("ratings-not-connected", groups=groups))
    _print_drawing(view, names, out, speaker)


def _print_ratings(table: Standings, names: dict[int, str], out: Console, speaker: Speaker) -> None:
    """Print who may be best, and what the columns of ratings mean, where there are any."""
    if not table.rated:
        return
    for line in (*who_is_best(table.rows, names, speaker), speaker.say("contest.columns")):
        out.print(line)
    if any(row.state in GONE and row.holds_place for row in table.rows):
        out.print(speaker.say("contest.columns-gone"))
    if table.placed_by == BY_RATING:
        out.print(speaker.say("contest.points-low"))
    if has_untold(table):
        out.print(speaker.say("contest.untold", far=TOLD))


def _print_drawing(view: ContestView, names: dict[int, str], out: Console, speaker: Speaker) -> None:
    """Print the bracket of a knock-out, or who held the hill."""
    bracket, hill = view.bracket(), view.hill()
    if bracket is not None:
        out.print()
        width = out.width if sys.stdout.isatty() else UNSEEN_WIDTH
        for line in bracket_lines(bracket, names, width, speaker):
            out.print(line)
    if hill is not None and hill.reigns:
        out.print()
        out.print(speaker.say("hill"))
        show_table(table(*hill_rows(hill, names, speaker), right=(0, 1)), out)
        playing = [entrant.number for entrant in view.entrants if entrant.until is None]
        for line in hill_notes(hill, names, playing, speaker):
            out.print(line)


def match_table(found: list[Any], view: ContestView, speaker: Speaker, bot: str | None = None) -> Any:
    """The matches as a table; of each, the faults of `bot` come first.

    Where somebody ruled about one of them, each has the number that `replay --ruling` takes, and whether it counts.
    """
    called = shown_names(((each.number, each.name) for each in view.entrants), speaker, shortened)
    names = {(each.name, each.version.digest): called[each.number] for each in view.entrants}
    ruled = any(line.ruling or not line.counts for line in found)
    columns = ["match", "batch", "seed", "result", "faults", *(["ruling", "counts"] if ruled else [])]
    rows: list[tuple[str, ...]] = []
    for line in found:
        shown = [names[version] for version in zip(line.bots, line.versions, strict=True)]
        faults = sorted(
            zip(line.bots, shown, line.faults, strict=True), key=lambda each: bot is not None and each[0] != bot
        )
        rows.append(
            (
                str(line.match),
                str(line.batch),
                str(line.seed),
                speaker.listed(f"{name} {place}" for name, place in zip(shown, line.places, strict=True)),
                " / ".join(speaker.labelled(name, counted(kinds, speaker)) for _, name, kinds in faults if kinds),
            )
        )
        if ruled:
            told = in_words(line.counts, line.why, line.by, line.because, speaker)
            rows[-1] += (str(line.ruling), clean.line(told))
    right = (0, 1, 2, *((5,) if ruled else ()))
    return table([speaker.say(f"contest.column.{column}") for column in columns], rows, right=right)
