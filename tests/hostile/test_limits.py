"""A bot that starts processes until no more may be: who fails by it has that verdict, who does not is warned.

Here by the kernel's count of tasks: it refuses what is too much, and the program lives on. A watch would end it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from dohyo import games
from dohyo.bench.check.check import check_bot
from dohyo.core.clock import Clock
from dohyo.core.faults import FaultKind
from dohyo.i18n import Message
from dohyo.match.telling.summary import summarise
from tests.hostile import layers

pytestmark = pytest.mark.usefixtures("one_at_a_time", "nobody_left")

LAYER = 1
LONG, SHORT = 60.0, 0.3  # seconds: whoever answers has them, whoever is late is so for certain
BOT = """
import os, signal, sys, time
signal.alarm(60)
def asked():
    return any(line == "EOD\\n" for line in sys.stdin)
print("READY", flush=True)
while asked():
    try:
        while os.fork():
            pass
        signal.pause()
    except OSError:
        pass
    {then}
    print("N", flush=True)
"""
THEN = {"in time": "pass", "late": f"time.sleep({SHORT})", "never": "signal.pause()"}


@pytest.fixture
def bot(tmp_path: Path, request: pytest.FixtureRequest) -> str:
    """A bot that starts processes, and what it does then."""
    layers.need(LAYER)
    (tmp_path / "bot.py").write_text(BOT.format(then=THEN[request.param]))
    return str(tmp_path / "bot.py")


@pytest.mark.parametrize("bot", ["late", "never"], indirect=True)
def test_who_is_late_has_run_out_of_tasks(bot: str) -> None:
    """In a match and in `check`, whether the answer came late or not at all."""
    clock = Clock(turn=SHORT, ready=LONG)
    replay = layers.play(LAYER, "drop-block", [bot] * 4, setup={"turns": 4}, clock=clock)
    kinds = {fault.kind for seat in summarise(replay).seats for fault in seat.faults}
    assert kinds == {FaultKind.TASKS}
    found = check_bot(
        games.find("drop-block"), bot, clock=clock, matches=0, sandbox=layers.small_sandbox(LAYER) or "none"
    )
    assert [finding.key for finding in found.wrong] == ["check.tasks"]


@pytest.mark.parametrize("bot", ["in time"], indirect=True)
def test_who_answers_is_warned(bot: str) -> None:
    """No fault in a match; a warning of `check`, with the limit."""
    clock = Clock(turn=LONG, ready=LONG)
    sandbox = layers.small_sandbox(LAYER) or "none"
    found = check_bot(games.find("drop-block"), bot, clock=clock, setup={"turns": 8}, matches=1, sandbox=sandbox)
    assert found.fit
    (warned,) = [finding for finding in found.findings if finding.severity == "warning"]
    assert (warned.key, warned.details["detail"]) == (
        "check.ran-into",
        Message("detail.tasks", {"tasks": layers.TASKS}),
    )
