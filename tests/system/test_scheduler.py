"""Tests of short turns on a processor."""

from __future__ import annotations

import platform
import subprocess
import sys
from pathlib import Path

import pytest

from dohyo.system import scheduler
from tests import skips

CODE = """
import re, subprocess
from pathlib import Path
from dohyo.system import scheduler

def asked_for(text):
    return int(re.search(r"se.slice *: *(\\d+)", text)[1])

before = asked_for(Path("/proc/self/sched").read_text())
scheduler.take_short_turns()
own = asked_for(Path("/proc/self/sched").read_text())
child = asked_for(subprocess.run(["cat", "/proc/self/sched"], capture_output=True, text=True).stdout)
print(before, own, child)
"""


def test_who_waits_takes_short_turns_and_what_it_starts_does_not() -> None:
    """The thread that asks has the shortest turns that the system gives; a program that it starts has usual ones."""
    kernel = tuple(map(int, platform.release().split(".")[:2]))
    if sys.platform != "linux" or kernel < (6, 12) or not Path("/proc/self/sched").exists():
        skips.skip_for(skips.Reason.KERNEL, "this kernel lets nobody choose how long a turn is, or does not tell it")
    before, own, child = map(int, subprocess.check_output([sys.executable, "-c", CODE], text=True).split())
    assert own == scheduler.SHORTEST < before == child


def test_who_is_before_others_stays_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs that are started would lose a negative niceness: then nothing is asked for."""
    asked: list[bytes] = []
    monkeypatch.setattr(scheduler, "_call", lambda: lambda words: len(asked.append(words) or ""))
    monkeypatch.setattr(scheduler.os, "getpriority", lambda *_: -5)
    assert not scheduler.take_short_turns()
    assert asked == []
    monkeypatch.setattr(scheduler.os, "getpriority", lambda *_: 5)
    assert scheduler.take_short_turns()
    assert len(asked) == 1


def test_where_it_cannot_be_asked_nothing_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    """On other systems, and where a sandbox forbids the call, the match is played all the same."""
    monkeypatch.setattr(scheduler, "_call", lambda: None)
    assert not scheduler.take_short_turns()
    monkeypatch.setattr(scheduler, "_call", lambda: lambda words: -1)
    assert not scheduler.take_short_turns()
