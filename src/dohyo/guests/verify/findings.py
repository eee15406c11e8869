"""What is found wrong with a store or with results, for a person: findings, and matches that were played again."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import typer

from dohyo.core.errors import OperatorError
from dohyo.i18n import ENGLISH, Message, Speaker

if TYPE_CHECKING:
    from dohyo.guests.verify.again import MatchAgain, Report

MOST = 50  # findings, or matches that differ, that are printed
STEP = 1000  # matches between two reports of the progress
VERDICTS = ("same", "rules", "bot", "unplayable")


def tell_findings(findings: Sequence[Message], speaker: Speaker) -> None:
    """Print the first findings, and how many more there are."""
    _tell_first([speaker.say(finding) for finding in findings], speaker)


def refusal(findings: Sequence[Message], shown: str) -> OperatorError:
    """The error after these findings in a store: it is not whole, or only cannot be checked by what is installed."""
    is_unread = all(each.key == "verify.unread" for each in findings)
    return OperatorError("verify-unread" if is_unread else "store-not-whole", store=shown, count=len(findings))


def tell_removed(count: int, speaker: Speaker) -> None:
    """Print how many versions have no code any more, on purpose; nothing where none has lost it."""
    if count:
        typer.echo(speaker.say("verify.removed", count=count))


def as_data(findings: Sequence[Message]) -> list[dict[str, str]]:
    """The findings as JSON has them."""
    return [{"key": each.key, "finding": ENGLISH.say(each)} for each in findings]


def _tell_first(sentences: Sequence[str], speaker: Speaker) -> None:
    for sentence in sentences[:MOST]:
        typer.echo(sentence)
    if len(sentences) > MOST:
        typer.echo(speaker.say("verify.more", count=len(sentences) - MOST))


def progress(speaker: Speaker) -> Callable[[int], None]:
    """What tells a person at a terminal how many matches were looked at."""
    is_watched = sys.stderr.isatty()

    def told(so_far: int) -> None:
        if is_watched and so_far % STEP == 0:
            sys.stderr.write(speaker.say("verify.so-far", count=so_far) + "\n")

    return told


def tell_report(report: Report, speaker: Speaker) -> None:
    """The verdicts, counted; each match that is not the same; what the sample says of all."""
    drawn = sum(report.verdicts.values())
    typer.echo(speaker.say("verify.again", count=drawn, total=report.population, seed=report.seed))
    for verdict in VERDICTS:
        if count := report.verdicts.get(verdict, 0):
            sys.stdout.write(f"  {count:>6}  {speaker.say(f'verify.verdict.{verdict}')}\n")
    tell_others([each for each in report.matches if each.verdict != "same"], speaker)
    if report.most is not None:
        _tell_bound(report, drawn, speaker)
    if any(each.verdict == "bot" for each in report.matches):
        typer.echo(speaker.say("verify.meaning"))


def tell_others(others: list[MatchAgain], speaker: Speaker) -> None:
    """The matches that are not the same."""
    _tell_first(_of_matches(others, speaker), speaker)


def _tell_bound(report: Report, drawn: int, speaker: Speaker) -> None:
    """What the sample says of all matches."""
    differing, missing = report.compared - report.verdicts.get("same", 0), drawn - report.compared
    kind = "sure" if drawn == report.population else "bound"
    ending = "-missing" if missing else "" if differing else "-none"
    part = 100 * (report.share or 0)
    share = f"{part:.0f}" if part >= 10 else f"{part:.2g}"
    details = {"differing": differing, "compared": report.compared, "total": report.population, "share": share}
    typer.echo(speaker.say(f"verify.{kind}{ending}", **details, missing=missing))


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
