"""Matches of a store that were played again, and what came of it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from dohyo import clean
from dohyo.i18n import Speaker
from dohyo.terminal.findings import tell

if TYPE_CHECKING:
    from dohyo.series.again import MatchAgain, Report

MOST = 50  # matches that differ, that are printed
VERDICTS = ("same", "rules", "bot", "unplayable")


def tell_report(report: Report, speaker: Speaker) -> None:
    """The verdicts, counted; each match that is not the same; what the sample says of all."""
    drawn = sum(report.verdicts.values())
    tell("verify.again", speaker, count=drawn, total=report.population, seed=report.seed)
    for verdict in VERDICTS:
        if count := report.verdicts.get(verdict, 0):
            sys.stdout.write(f"  {count:>6}  {speaker.say(f'verify.verdict.{verdict}')}\n")
    tell_others([each for each in report.matches if each.verdict != "same"], speaker)
    if report.most is not None:
        _tell_bound(report, drawn, speaker)
    if any(each.verdict == "bot" for each in report.matches):
        tell("verify.meaning", speaker)


def tell_others(others: list[MatchAgain], speaker: Speaker) -> None:
    """The matches that are not the same."""
    sentences = _of_matches(others, speaker)
    for sentence in sentences[:MOST]:
        sys.stdout.write(clean.line(sentence) + "\n")
    if len(sentences) > MOST:
        tell("verify.more", speaker, count=len(sentences) - MOST)


def _tell_bound(report: Report, drawn: int, speaker: Speaker) -> None:
    """What the sample says of all matches."""
    differing, missing = report.compared - report.verdicts.get("same", 0), drawn - report.compared
    kind = "sure" if drawn == report.population else "bound"
    ending = "-missing" if missing else "" if differing else "-none"
    part = 100 * (report.share or 0)
    share = f"{part:.0f}" if part >= 10 else f"{part:.2g}"
    details = {"differing": differing, "compared": report.compared, "total": report.population, "share": share}
    tell(f"verify.{kind}{ending}", speaker, **details, missing=missing)


def _of_matches(others: Sequence[MatchAgain], speaker: Speaker) -> list[str]:
    """The sentences about matches that are not the same; one for all of a contest that a reason kept from playing."""
    from dohyo.series.spans import numbers

    alike: dict[tuple[str, str], list[MatchAgain]] = {}
    for each in others:
        if each.verdict == "unplayable":
            alike.setdefault((each.contest, each.reason), []).append(each)
    told = []
    for (name, reason), found in alike.items():
        if len(found) == 1:
            told.append(_of_match(found[0], speaker))
        else:
            shown = numbers(sorted(each.match for each in found), speaker)
            details = {"name": name, "count": len(found), "numbers": shown, "reason": reason}
            told.append(speaker.say("verify.match.unplayable-many", **details))
    return told + [_of_match(each, speaker) for each in others if each.verdict != "unplayable"]


def _of_match(each: MatchAgain, speaker: Speaker) -> str:
    """The sentence about a match that is not the same."""
    details: dict[str, object] = {"name": each.contest, "number": each.match}
    if each.verdict == "unplayable":
        return speaker.say("verify.match.unplayable", **details, reason=each.reason)
    if each.verdict == "rules" and each.reason:
        return speaker.say("verify.match.not-by-rules", **details, reason=each.reason)
    details |= {"before": each.before, "now": each.now, "turn": "-" if each.turn is None else each.turn}
    if each.verdict == "rules":
        return speaker.say("verify.match.rules", **details)
    sentence = speaker.say("verify.match.bot", **details, bot=each.bot, seat=each.seat)
    if each.steady is not None:
        sentence += " " + speaker.say(f"verify.match.{'steady' if each.steady else 'unsteady'}")
    return sentence
