"""A bot whose time is over is asked where it is: in each sandbox, whatever it does then, and only if it is wanted."""

from __future__ import annotations

from pathlib import Path

import pytest

from dohyo.core.clock import Clock
from dohyo.core.faults import FaultKind
from dohyo.core.replay import Move
from dohyo.languages import traces
from dohyo.match.play import play_match
from dohyo.match.players import per_match
from dohyo.match.processes.bot_process import BotProcess
from dohyo.sandbox import at_layer
from tests import skips
from tests.skips import Reason, skip_for

STILL = "#!/bin/sh\necho READY; while read word; do if [ $word = EOD ]; then echo N; fi; done\n"
STUCK = """import signal, sys
{before}
def think(number):
    while number: number += 1
print("READY", flush=True)
for line in sys.stdin:
    if line == "EOD\\n":
        think(1)
"""
COMPILED = """#include <stdio.h>
volatile unsigned sum;
int look(unsigned step) { while (step) sum += step; return 0; }
int main(void) { char line[99]; puts("READY"); fflush(stdout); while (fgets(line, 99, stdin)) look(1); return 0; }
"""
LIMIT = 0.2  # seconds for what never comes


def last_move(
    folder: Path,
    name: str,
    content: str,
    layer: int = 4,
    asks_where: bool = True,
    debug: bool = False,
    limit: float = LIMIT,
) -> Move:
    """What the bot did in its first turn, in which its time is over."""
    sandbox = at_layer(layer)
    if sandbox is None:
        skip_for(Reason.KERNEL, f"layer {layer} of the sandbox does not work here")
    (folder / name).write_text(content)
    still = folder / "still"
    still.write_text(STILL)
    still.chmod(0o755)
    bots = [str(folder / name), *[str(still)] * 3]
    options = {"setup": {"turns": 8}, "clock": Clock(turn=60.0, first=limit, ready=60.0), "sandbox": sandbox}
    replay = play_match("drop-block", bots, asks_where=asks_where, debug=debug, **options)  # type: ignore[arg-type]
    move = next(move for turn in replay.turns for move in turn.moves if move.seat == 0)
    assert [fault.kind for fault in move.faults] == [FaultKind.TIMEOUT]
    return move


@pytest.mark.parametrize("layer", [1, 2, 3, 4])
def test_where_it_was(layer: int, tmp_path: Path, nobody_left: None) -> None:
    """Python says it in every sandbox: the line, and the function."""
    move = last_move(tmp_path, "stuck.py", STUCK.format(before=""), layer)
    assert str(traces.stuck(move.stderr, "python")) == "stuck.py:4, in think"


def test_a_debug_build_says_it(tmp_path: Path, nobody_left: None) -> None:
    """A compiled program does so with symbols and sanitizers."""
    skips.program("cc")
    move = last_move(tmp_path, "stuck.c", COMPILED, 1, debug=True)
    assert str(traces.stuck(move.stderr, "c")).startswith("stuck.c:3, in look")


@pytest.mark.parametrize("pondering", [pytest.param(True, marks=pytest.mark.full), False])
def test_one_that_is_never_ready(tmp_path: Path, nobody_left: None, pondering: bool) -> None:
    """It says it too, also where programs are paused as soon as they need not run."""
    stuck, still = tmp_path / "stuck.py", tmp_path / "still"
    stuck.write_text(f"print(0, flush=True)\n{STUCK.format(before='').partition('print')[0]}think(1)\n")
    still.write_text(STILL)
    still.chmod(0o755)
    clock = Clock(turn=60.0, ready=1.0)
    options = {"setup": {"turns": 8}, "clock": clock, "sandbox": at_layer(4), "pondering": pondering}
    replay = play_match("drop-block", [str(stuck), *[str(still)] * 3], asks_where=True, **options)  # type: ignore[arg-type]
    move = next(move for turn in replay.turns for move in turn.moves if move.seat == 0)
    assert [fault.kind for fault in move.faults] == [FaultKind.NOT_READY]
    assert str(traces.stuck(move.stderr, "python")) == "stuck.py:5, in think"


def test_one_that_answers_before_it_is_asked(
    tmp_path: Path, nobody_left: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By then it is where it waits for the next turn, which says nothing of this one; what it wrote before counts."""
    abort = BotProcess.abort

    def abort_late(process: BotProcess) -> None:
        while not process.has_line and not process.has_output_waiting:
            pass
        abort(process)

    monkeypatch.setattr(BotProcess, "abort", abort_late)
    answers = STUCK.replace("think(1)", "print('here', file=sys.stderr, flush=True); print('N', flush=True)")
    move = last_move(tmp_path, "late.py", answers.format(before=""), limit=1e-9)
    assert (traces.stuck(move.stderr), move.stderr) == (None, "here\n")


def test_one_that_does_not_listen(tmp_path: Path, nobody_left: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """It has a moment, and is killed like any other."""
    monkeypatch.setattr(per_match, "LAST_WORDS", 50_000_000)
    deaf = "import faulthandler\nfaulthandler.disable()\nsignal.signal(signal.SIGABRT, signal.SIG_IGN)"
    move = last_move(tmp_path, "deaf.py", STUCK.format(before=deaf))
    assert (traces.stuck(move.stderr), move.stderr) == (None, "")


def test_nobody_is_asked_in_a_contest(tmp_path: Path, nobody_left: None) -> None:
    """There it is killed at once, and its environment has nothing of this."""
    tells = "import os\nprint(os.environ.get('PYTHONFAULTHANDLER'), file=sys.stderr)"
    assert last_move(tmp_path, "stuck.py", STUCK.format(before=tells), asks_where=False).stderr == "None\n"
