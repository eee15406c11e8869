"""A match whose referee was itself stopped, for real: it says nothing about its bots, and is played again."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from dohyo.core import replay_format as replays
from dohyo.executors import MatchReport
from dohyo.executors.one_match import MAX_TRIES
from dohyo.match.processes import heartbeat
from dohyo.system import proc
from tests.match.conftest import Bot
from tests.processes import PROC, every_pid
from tests.skips import Reason, skip_for

STOPPED = 2 * heartbeat.LONG / heartbeat.NANO  # seconds

# Plays one match with the bots that are named, whose clock has this mode; prints the report.
PLAYER = """
import sys
import msgspec
from dohyo import bots
from dohyo.core.clock import Clock
from dohyo.executors.in_process import InProcess
from dohyo.executors.messages import MatchOrder

mode, *specs = sys.argv[1:]
clock = Clock(turn=600.0, ready=600.0, mode=mode)
found = tuple(bots.resolve(specs))
order = MatchOrder("k", "drop-block", found, 1, setup={"turns": 12}, clock=clock, sandbox="none")
for report in InProcess().play([order]):
    sys.stdout.buffer.write(msgspec.msgpack.encode(report))
"""


def tree(root: int) -> list[int]:
    """A process and all that descend from it."""
    parents = {}
    for pid in every_pid():
        try:
            parents[pid] = int((PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
    found = [root]
    for pid in found:
        found += [child for child, parent in parents.items() if parent == pid]
    return found


@pytest.mark.parametrize(("mode", "times"), [("wall", 1), ("fair", 1), ("wall", MAX_TRIES)])
def test_stopped(bot: Bot, tmp_path: Path, mode: str, times: int) -> None:
    """A match in which the whole tree was stopped is played again; one that is disturbed every time is an error."""
    if proc.missing(mode):
        skip_for(Reason.KERNEL, "this system cannot measure such a clock")
    for name in ("asked", "go"):
        os.mkfifo(tmp_path / name)
    log = tmp_path / "log"
    waits = f"if [ $(wc -l < {log}) -le {times} ]; then echo > {tmp_path}/asked; read -r line < {tmp_path}/go; fi"
    once = bot(f'if [ -z "$began" ]; then began=yes; echo match >> {log}; {waits}; fi; echo A')
    other = bot()
    words = [sys.executable, "-c", PLAYER, mode, other, once, other, other]
    asked = os.open(tmp_path / "asked", os.O_RDWR)  # so that nothing hangs where the player ends before it is asked
    with subprocess.Popen(words, stdout=subprocess.PIPE) as player, os.fdopen(asked) as line:
        assert player.stdout is not None
        for _ in range(times):
            assert select.select([line, player.stdout], [], [])[0] == [line]
            assert line.readline() == "\n"
            stopped = tree(player.pid)
            for pid in stopped:
                os.kill(pid, signal.SIGSTOP)
            assert select.select([player.stdout], [], [], STOPPED)[0] == []
            for pid in stopped:
                os.kill(pid, signal.SIGCONT)
            (tmp_path / "go").write_text("on\n")
        report = msgspec.msgpack.decode(player.stdout.read(), type=MatchReport)
    assert log.read_text() == "match\n" * min(times + 1, MAX_TRIES)
    if times < MAX_TRIES:
        assert (report.error, report.faults) == ("", ())
        assert not replays.decode(report.replay).disturbed
    else:
        assert "itself was stopped" in report.error
        assert (report.attempts, report.mend, report.disturbed, report.replay) == (MAX_TRIES, False, True, b"")
