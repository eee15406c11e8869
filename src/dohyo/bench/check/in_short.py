"""A report on a bot in one line of a table, and as one document."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from dohyo import clean
from dohyo.i18n import Speaker

if TYPE_CHECKING:
    from dohyo.bench.check.findings import CheckReport, Finding

COMPILER_LINES = 3  # of a bot that does not build, in one line
NOTHING = "-"  # stands where nothing is wrong
LONGEST = 300  # characters of these
QUOTED = re.compile(r"\d* *\|")  # the quoted source line, and the mark below it
ERROR = re.compile(r"(?i)\berror\b|エラー")
COLUMNS = ("bot", "language", "fit", "wrong", "warnings", "turns", "median", "longest", "limit", "share")


def share(found: CheckReport) -> str:
    """The greatest part of its limit that any turn took."""
    return "-" if found.share is None else f"{found.share:.0%}" if found.share >= 0.1 else f"{found.share:.1%}"


def csv_row(found: CheckReport, speaker: Speaker) -> list[object]:
    """Times in seconds, the share as a number; empty where nothing is known. `fit` is in English, for programs."""
    times = [None if number is None else round(number, 6) for number in (found.median, found.longest)]
    share = None if found.share is None else round(found.share, 4)
    fit = "yes" if found.fit else "no"
    limit = found.limit or None
    said = [_in_short(found, severity, speaker) for severity in ("wrong", "warning")]
    return [found.name, found.language, fit, *said, found.turns, *times, limit, share]


def _in_short(found: CheckReport, severity: str, speaker: Speaker) -> str:
    """Errors and warnings in one line."""
    said = []
    for finding in found.findings:
        if finding.severity == severity:
            where = finding.where(speaker)
            sentence = finding.say(speaker) + _compiler_words(finding)
            said.append(f"{where}: {sentence}" if where else sentence)
    return " / ".join(said)


def _compiler_words(finding: Finding) -> str:
    """What the compiler says about a bot that does not build, in one line, from its first error on."""
    if finding.key != "check.unusable":
        return ""
    lines = [line.strip() for line in clean.block(finding.errors).splitlines()]
    lines = [line for line in lines if line and not QUOTED.match(line)]
    first = first_error(lines)
    said = " | ".join(lines[first : first + COMPILER_LINES])
    return f" [{clean.line(said, LONGEST)}]" if said else ""


def first_error(lines: Sequence[str]) -> int:
    """Which of a compiler's lines tells its first error: 0, the first line, where none is called so."""
    return next((at for at, line in enumerate(lines) if ERROR.search(line)), 0)


def worst(found: CheckReport, speaker: Speaker) -> str:
    """Errors; if there are none, the warnings in brackets."""
    warned = _in_short(found, "warning", speaker)
    return _in_short(found, "wrong", speaker) or (f"({warned})" if warned else NOTHING)


def document(found: CheckReport, speaker: Speaker) -> dict[str, Any]:
    import msgspec

    findings = [
        {
            **{name: value for name, value in msgspec.structs.asdict(finding).items() if value not in (None, "")},
            "says": finding.say(speaker),
            "remedy": finding.advice(speaker),
        }
        for finding in found.findings
    ]
    failed = [msgspec.structs.asdict(each) for each in found.failed]
    return {**msgspec.structs.asdict(found), "findings": findings, "failed": failed, "fit": found.fit}
