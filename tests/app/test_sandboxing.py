"""What bots may do in the sandbox that they play in."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from dohyo.app.play import play_match
from dohyo.app.sandboxing import factory_for
from dohyo.bots import Bot
from dohyo.core.clock import Clock
from dohyo.core.faults import FaultKind
from dohyo.runner import system
from dohyo.sandbox import Sandbox, at_layer
from tests.skips import Reason, skip_for


@pytest.mark.parametrize(("ours", "limit"), [({1}, 1.0), ({0, 2}, 2.0), ({0, 1, 2, 3}, 0.0)])
def test_a_bot_gets_our_share_of_the_processors(
    ours: set[int], limit: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where we are kept to some of the machine's processors, the sandbox lets a bot have no more."""
    given: list[Any] = []
    monkeypatch.setattr(os, "cpu_count", lambda: 4)
    monkeypatch.setattr(system, "cores", lambda: ours)
    monkeypatch.setattr(Sandbox, "factory", lambda self, *words, **more: given.extend(words))
    factory_for(Bot("b", ("/bin/true",), "/", "", ""), {}, Sandbox(1, "sandbox"))
    assert given[-1].cores == limit


SHORT_CHILDREN = """
import os, signal, time
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
print("READY", flush=True)
while True:
    while input() != "EOD":
        pass
    for _ in range(80):
        ends = os.pipe()
        if os.fork() == 0:
            while time.process_time() < 0.005:
                pass
            os._exit(0)
        os.close(ends[1])
        os.read(ends[0], 1)
        os.close(ends[0])
    print("N", flush=True)
"""


def test_who_thinks_in_children_pays_for_them(tmp_path: Path) -> None:
    """Where there is a control group, also for those that end unseen and are collected by nobody."""
    made = at_layer(1)
    if made is None:
        skip_for(Reason.KERNEL, "this machine has no layer 1 of the sandbox")
    (tmp_path / "bot.py").write_text(SHORT_CHILDREN)
    clock = Clock(turn=0.1, ready=60, mode="cpu", wall=60)
    replay = play_match("drop-block", [str(tmp_path / "bot.py")] * 4, setup={"turns": 4}, clock=clock, sandbox=made)
    faults = [[fault.kind for fault in turn.moves[0].faults] for turn in replay.turns]
    assert faults == [[FaultKind.TIMEOUT]] * 4
    assert all((turn.moves[0].cpu or 0) >= 0.1 for turn in replay.turns)
