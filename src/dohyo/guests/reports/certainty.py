"""How sure the standings are, in sentences for readers who do not know intervals."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from statistics import NormalDist, median

from dohyo.guests.reports.content import Content, Share
from dohyo.i18n import Speaker
from dohyo.series.best import few_names, who_is_best, who_won
from dohyo.series.standings import TOLD, Row
from dohyo.series.telling.words import not_played

CHANCE = 0.05  # how often a difference may be reported that does not exist


def sentences(content: Content, speaker: Speaker) -> list[str]:
    """What may be concluded, the most important first."""
    told = []
    rows = content.rows
    if not content.counting:
        return [speaker.say("report.sure.nothing")]
    told += who_won(content.bracket, content.names, speaker)
    if content.standings.rated:
        told += _ratings(content, speaker)
    else:
        told.append(speaker.say("report.sure.unrated"))
    if content.standings.groups:
        groups = "; ".join(few_names(group, speaker) for group in content.standings.groups)
        told.append(speaker.say("report.sure.groups", groups=groups))
    if content.view.contest.state != "over":
        played = content.view.played
        key = "report.sure.so-far" if played == content.scheduled else "report.sure.not-over"
        told.append(speaker.say(key, played=played, scheduled=content.scheduled))
    if content.aside:
        refereed = content.view.spec.referee is not None
        key = "report.sure.aside-refereed" if refereed else "report.sure.aside"
        told.append(speaker.say(key, count=len(content.aside)))
    if content.missed:
        told += not_played(content.view, content.missed, speaker)
    worst = max(rows, key=lambda row: sum(row.faults.values()))
    if worst.faults:
        count, bot = sum(worst.faults.values()), content.names[worst.entrant]
        told.append(speaker.say("report.sure.faults", bot=bot, count=count, matches=worst.matches))
    return told


def _ratings(content: Content, speaker: Speaker) -> list[str]:
    told = []
    present = content.present
    told += who_is_best(content.rows, content.names, speaker)
    count = len(present)
    apart, pairs = told_apart(present), count * (count - 1) // 2
    if pairs:
        told.append(speaker.say("report.sure.apart", apart=apart, pairs=pairs))
    halves = [(row.high - row.low) / 2 for row in present if row.low is not None and row.high is not None]
    if halves and apart < pairs:
        wide = median(halves)
        key = "report.sure.wide" if wide <= TOLD else "report.sure.few"
        told.append(speaker.say(key, wide=f"{wide:.0f}", far=TOLD))
    return told


def clearly_apart(best: Share, worst: Share, seats: int) -> bool:
    """Whether it is unlikely that chance alone makes the best of equal seats this much better than the worst.

    If seats are equal, a seat's share of a match is that of a random place. Its variance, reduced by ties, gives the
    variance of the difference. For two seats this is the sign test. Any pair of seats could have shown the largest
    difference, so the level is divided by the number of pairs (Bonferroni).
    """
    matches = min(best.all, worst.all) / (seats - 1)
    if best.value is None or worst.value is None:
        return False
    decided = 1 - (best.tied + worst.tied) / (best.all + worst.all)
    if not decided:
        return False
    variance = decided * (seats + 1) * seats / (6 * (seats - 1) ** 2)
    difference = best.value - worst.value - 1 / matches  # corrected, since matches are counted one by one
    pairs = seats * (seats - 1) / 2
    return difference * sqrt(matches / variance) > NormalDist().inv_cdf(1 - CHANCE / 2 / pairs)


def told_apart(rows: Sequence[Row]) -> int:
    """How many pairs have intervals that do not overlap."""
    ends = [(row.low, row.high) for row in rows if row.low is not None and row.high is not None]
    return sum(one[0] > other[1] or other[0] > one[1] for at, one in enumerate(ends) for other in ends[at + 1 :])
