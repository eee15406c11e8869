"""Who is the best, and how sure that is, in a sentence: below a table and at the head of a page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from dohyo.i18n import Speaker
from dohyo.series.formats.brackets import Bracket
from dohyo.series.standings import GONE, Row

MAX_NAMES = 8  # in a sentence


def present(rows: Sequence[Row]) -> list[Row]:
    """The lines of those who still play, or pause: only one of them can be the best."""
    return [row for row in rows if row.state not in GONE]


def how_many(states: Sequence[str], speaker: Speaker) -> str:
    """How many bots there are, by the states of all entrants; apart from them those who no longer play."""
    counts = Counter(states)
    gone = [speaker.say(f"report.gone.{state}", count=counts[state]) for state in sorted(GONE) if counts[state]]
    playing = str(sum(count for state, count in counts.items() if state not in GONE))
    if not gone:
        return speaker.say("report.bots", count=playing)
    return speaker.say("report.bots-gone", count=playing, gone=speaker.listed(gone))


def who_is_best(rows: Sequence[Row], names: Mapping[int, str], speaker: Speaker) -> list[str]:
    """Whether one of those who still play is surely the best, and otherwise who may be it; nothing without ratings.

    `rows` are all lines of a table, `names` the bots' names by entrant.
    """
    here = present(rows)
    gone = [row.low for row in rows if row.state in GONE and row.holds_place and row.low is not None]
    maybe = [row for row in here if _may_be_first(row, gone)]
    called = [names[row.entrant] for row in maybe]
    of_those = "" if len(here) == len(rows) else "-here"
    if len(maybe) == 1 and len(here) > 1:
        return [speaker.say(f"report.sure.first{of_those}", bot=called[0])]
    if len(maybe) > 1 and len(maybe) == len(here):
        return [speaker.say(f"report.sure.nobody{of_those}")]
    if len(maybe) > 1:
        return [speaker.say(f"report.sure.open{of_those}", bots=few_names(called, speaker))]
    return []


def who_won(bracket: Bracket | None, names: Mapping[int, str], speaker: Speaker) -> list[str]:
    """Who has won a knock-out, and how little that proves; nothing if it is none, or not over."""
    if bracket is None or bracket.champion is None:
        return []
    return [speaker.say("report.sure.champion", bot=names[bracket.champion])]


def few_names(names: Sequence[str], speaker: Speaker) -> str:
    """Names in a sentence; if there are many, the first ones and the number of the others."""
    most = MAX_NAMES if len(names) > MAX_NAMES + 1 else len(names)  # never one alone is left out
    shown = speaker.say("fact.and").join(names[:most])
    left = len(names) - most
    return speaker.say("report.and-more", names=shown, count=left) if left else shown


def _may_be_first(row: Row, gone: Sequence[float]) -> bool:
    """Whether nobody who still plays is surely better; those who have left do not count, however good they were.

    `gone` are the lower ends of their intervals.
    """
    if row.first is None or row.high is None:
        return False
    return row.first - sum(low > row.high for low in gone) <= 1
