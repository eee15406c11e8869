"""Bots that make one mistake each, and how they are checked: what the tests of `dohyo check` share.

No test here waits for time to pass, unless silence is what it is about; what must come has a minute.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from dohyo import games
from dohyo.bench.check import protocol_check
from dohyo.bench.check.check import check_bot
from dohyo.bench.check.findings import CheckReport, Finding
from dohyo.core.clock import Clock
from dohyo.i18n import LANGUAGES, Speaker

DROP_BLOCK = games.find("drop-block")
LONG = 60.0  # seconds: for whatever must come on any machine
SHORT = 0.05  # seconds: for what never comes
PATIENT = Clock(turn=LONG, ready=LONG)
SILENT = Clock(turn=SHORT, ready=LONG)  # for bots that are ready and then say nothing

BEGIN = """
import sys
lines = sys.stdin.readline
def say(text):
    sys.stdout.buffer.write(text.encode())
    sys.stdout.flush()
def turn(count=13):
    read = [lines() for _ in range(count)]
    if not read[-1]:
        raise SystemExit
    return read
sizes = []
def wondev(again=False, actions=True):
    global sizes
    sizes = sizes if sizes and not again else [int(lines()), int(lines())]
    rest = [lines() for _ in range(sizes[0] + 2 * sizes[1])]
    if not rest[-1]:
        raise SystemExit
    count = int(lines())
    return [lines().strip() for _ in range(count)] if actions else ["MOVE&BUILD 0 N S"]
"""

Make = Callable[[str], str]


@pytest.fixture(autouse=True)
def waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait long for what must come, and not at all for what never does; each test says which of them it needs."""
    for name, seconds in {"LATE": SHORT, "NEXT": SHORT, "LONGER": SHORT, "SHORT": SHORT, "LATEST": LONG}.items():
        monkeypatch.setattr(protocol_check, name, seconds)


@pytest.fixture
def made(tmp_path: Path, nobody_left: None) -> Make:
    """Make a bot in Python: the command line that runs `body`."""

    def make(body: str) -> str:
        path = tmp_path / "bot.py"
        path.write_text(BEGIN + body)
        return f"{sys.executable} -I -S {path}"

    return make


def wrong(report: CheckReport) -> list[str]:
    """The keys of what is wrong, without their beginning; every sentence and remedy can be said."""
    for finding in report.findings:
        for language in LANGUAGES:
            assert "{" not in finding.say(Speaker(language)) + finding.advice(Speaker(language)) + finding.where(
                Speaker(language)
            )
    return [finding.key.removeprefix("check.") for finding in report.wrong]


def only(report: CheckReport) -> Finding:
    """The one thing that is wrong."""
    assert len(report.wrong) == 1, report.wrong
    return report.wrong[0]


def checked_alone(bot: str, clock: Clock = PATIENT) -> CheckReport:
    """The report on a bot of Drop-Block after the protocol check alone."""
    return check_bot(DROP_BLOCK, bot, clock=clock, matches=0)
