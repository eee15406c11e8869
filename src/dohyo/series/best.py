"""Who is the best, and how sure that is, in a sentence: below a table and at the head of a page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from dohyo.i18n import say
from dohyo.series.formats.brackets import Bracket
from dohyo.series.standings import GONE, Row

MAX_NAMES = 8  # in a sentence


def present(rows: Sequence[Row]) -> list[Row]:
    """The lines of those who still play, or pause: only one of them can be the best."""
    return [row for row in rows if row.state not in GONE]


def how_many(states: Sequence[str], language: str) -> str:
    """How many bots there are, by the states of all entrants; apart from them those who no longer play."""
    counts = Counter(states)
    gone = [say(f"report.gone.{state}", language, count=counts[state]) for state in sorted(GONE) if counts[state]]
    playing = str(sum(count for state, count in counts.items() if state not in GONE))
    return say("report.bots-gone", language, count=playing, gone=", ".join(gone)) if gone else playing


def who_is_best(rows: Sequence[Row], names: Mapping[int, str], language: str) -> list[str]:
    """Whether one of those who still play is surely the best, and otherwise who may be it; nothing without ratings.

    `rows` are all lines of a table, `names` the bots' names by entrant.
    """
    here = present(rows)
    maybe = [row for row in here if _may_be_first(row, rows)]
    called = [names[row.entrant] for row in maybe]
    of_those = "" if len(here) == len(rows) else "-here"
    if len(maybe) == 1 and len(here) > 1:
        return [say(f"report.sure.first{of_those}", language, bot=called[0])]
    if len(maybe) > 1 and len(maybe) == len(here):
        return [say(f"report.sure.nobody{of_those}", language)]
    if len(maybe) > 1:
        return [say(f"report.sure.open{of_those}", language, bots=few_names(called, language))]
    return []


def who_won(bracket: Bracket | None, names: Mapping[int, str], language: str) -> list[str]:
    """Who has won a knock-out, and how little that proves; nothing if it is none, or not over."""
    if bracket is None or bracket.champion is None:
        return []
    return [say("report.sure.champion", language, bot=names[bracket.champion])]


def few_names(names: Sequence[str], language: str) -> str:
    """Names in a sentence; if there are many, the first ones and the number of the others."""
    most = MAX_NAMES if len(names) > MAX_NAMES + 1 else len(names)  # never one alone is left out
    shown = say("fact.and", language).join(names[:most])
    left = len(names) - most
    return say("report.and-more", language, names=shown, count=left) if left else shown


def _may_be_first(row: Row, rows: Sequence[Row]) -> bool:
    """Whether nobody who still plays is surely better; those who have left do not count, however good they were."""
    if row.first is None or row.high is None:
        return False
    gone = [other for other in rows if other.state in GONE and other.holds_place and other.low is not None]
    return row.first - sum(other.low > row.high for other in gone if other.low is not None) <= 1
