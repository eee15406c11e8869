"""A replay tells what each seat's program, with all that it started, took of the processors; in whatever it ran.

What a bot burns is counted by its own processor clock, so that no test here depends on how fast the machine is.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import dohyo
from dohyo.core import replay_format as replays
from tests.covering import covering
from tests.hostile import layers
from tests.hostile.table import LAYERS
from tests.match.conftest import Bot

BURNED = 0.05  # seconds of processor time
LESS = 0.02  # of what children used, which is told in hundredths of a second
BURNER = f"""#!/usr/bin/env python3
import os, sys, time

def burn():
    end = time.process_time() + {BURNED}
    while time.process_time() < end:
        pass

HOW
print("READY", flush=True)
for line in sys.stdin:
    if line == "EOD\\n":
        print("N", flush=True)
STAY
"""
ITSELF, CHILD = "burn()", "if os.fork() == 0:\n    burn()\n    os._exit(0)\nos.wait()"
BOTH = f"{ITSELF}\n{CHILD}"


@pytest.mark.parametrize(("layer", "stay"), covering(LAYERS, ["", "while True: time.sleep(1000)"]))
def test_it_is_recorded(layer: int, stay: str, tmp_path: Path, bot: Bot) -> None:
    """What the program ran itself, and what a child did, also where the program has to be killed in the end."""
    layers.need(layer)
    bots = []
    for name, how in (("both", BOTH), ("child", CHILD), ("itself", ITSELF)):
        path = tmp_path / f"{name}.py"
        path.write_text(BURNER.replace("HOW", how).replace("STAY", stay))
        bots.append(str(path))
    replay = layers.play(layer, "drop-block", [*bots, bot()], setup={"turns": 8}, clock=60.0)
    both, child, itself, quick = (seconds or 0.0 for seconds in replay.cpu)
    assert both >= 2 * BURNED - LESS
    assert min(child, itself) >= BURNED - LESS
    assert quick > 0
    assert replays.decode(replays.encode(replay)).cpu == replay.cpu


def test_programs_that_live_for_a_turn_are_added_up(tmp_path: Path) -> None:
    """Of a bot that is started for every turn, all its programs count; one that could not be started has none."""
    home = tmp_path / "worker"
    home.mkdir()
    (home / "command.txt").write_text("python3 worker.py")
    burn = f"import time\nwhile time.process_time() < {BURNED}: pass\nprint('W')\n"
    (home / "worker.py").write_text(burn)
    replay = dohyo.play("abotcalypse", [str(home), "rest"], seed=0, setup={"turns": 4}, clock=60.0)
    assert (replay.cpu[0] or 0) >= 4 * BURNED - LESS


def test_who_ends_in_the_middle_is_counted_too(tmp_path: Path, bot: Bot) -> None:
    """What a program and its child ran stands there also when it was gone before anybody looked."""
    path = tmp_path / "leaves.py"
    path.write_text(BURNER.replace("HOW", BOTH).replace('print("N", flush=True)', "sys.exit(3)"))
    replay = layers.play(layers.FREE, "drop-block", [str(path), bot(), bot(), bot()], setup={"turns": 8}, clock=60.0)
    assert (replay.cpu[0] or 0) >= 2 * BURNED - LESS
