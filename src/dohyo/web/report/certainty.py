"""How sure the standing is, in sentences for somebody who does not read intervals."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from dohyo.core.words import say
from dohyo.run.contest.table import Row
from dohyo.web.report.content import Content

MOST_NAMES = 4  # in a sentence


def sentences(content: Content, language: str) -> list[str]:
    """What may be concluded, the most important first."""
    told = []
    rows = content.rows
    if not content.played:
        return [say("report.sure.nothing", language)]
    if content.table.rated:
        told += _ratings(content, language)
    else:
        told.append(say("report.sure.unrated", language))
    if content.table.groups:
        groups = "; ".join(_names(group, language) for group in content.table.groups)
        told.append(say("report.sure.groups", language, groups=groups))
    if content.seen.contest.state != "over":
        key = "report.sure.so-far" if content.played == content.scheduled else "report.sure.not-over"
        told.append(say(key, language, played=content.played, scheduled=content.scheduled))
    if content.aside:
        told.append(say("report.sure.aside", language, count=len(content.aside)))
    worst = max(rows, key=lambda row: sum(row.faults.values()))
    if worst.faults:
        count, bot = sum(worst.faults.values()), content.names[worst.entrant]
        told.append(say("report.sure.faults", language, bot=bot, count=count, matches=worst.matches))
    return told


def _ratings(content: Content, language: str) -> list[str]:
    told = []
    maybe = [row for row in content.rows if row.first == 1]
    names = [content.names[row.entrant] for row in maybe]
    if len(maybe) == 1:
        told.append(say("report.sure.first", language, bot=names[0]))
    elif len(maybe) == len(content.rows):
        told.append(say("report.sure.nobody", language))
    elif maybe:
        told.append(say("report.sure.open", language, bots=_names(names, language)))
    count = len(content.rows)
    apart, pairs = told_apart(content.rows), count * (count - 1) // 2
    if pairs:
        told.append(say("report.sure.apart", language, apart=apart, pairs=pairs))
    halves = [(row.high - row.low) / 2 for row in content.rows if row.low is not None and row.high is not None]
    if halves and apart < pairs:
        told.append(say("report.sure.wide", language, wide=f"{median(halves):.0f}"))
    return told


def told_apart(rows: Sequence[Row]) -> int:
    """How many pairs have intervals that do not overlap."""
    ends = [(row.low, row.high) for row in rows if row.low is not None and row.high is not None]
    return sum(one[0] > other[1] or other[0] > one[1] for at, one in enumerate(ends) for other in ends[at + 1 :])


def _names(names: Sequence[str], language: str) -> str:
    """Names in a sentence; of many the first, and how many more."""
    shown = say("fact.and", language).join(names[:MOST_NAMES])
    left = len(names) - MOST_NAMES
    return say("report.and-more", language, names=shown, count=left) if left > 0 else shown
