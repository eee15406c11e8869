"""What floods cost the referee itself: little memory, and no time of the others'."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from statistics import median

import pytest

from tests.hostile import layers
from tests.hostile.scene import Scene
from tests.hostile.table import LAYERS
from tests.processes import few

pytestmark = pytest.mark.usefixtures("one_at_a_time")

MAX_MEMORY = 100 << 20  # bytes, Python itself included
TURNS = 400
USUAL = (1, layers.FREE)  # who reads the pipes is the same in each layer
IN_LAYERS = [pytest.param(layer, marks=() if layer in USUAL else pytest.mark.full) for layer in LAYERS]
FLOOD = 40 << 20  # bytes of standard error before a flooding program plays; kept, two floods would pass MAX_MEMORY
# Plays in a process of its own, whose memory is the referee's; tells its peak, and what became of every seat.
REFEREE = """
import json, re, sys
from dohyo.core.clock import Clock
from tests.hostile import layers
layer, turns, *bots = sys.argv[1:]
replay = layers.play(int(layer), "drop-block", bots, setup={"turns": int(turns)}, clock=Clock(turn=60, ready=60))
moves = [move for turn in replay.turns for move in turn.moves]
peak = re.search(r"VmHWM:\\s+(\\d+) kB", open("/proc/self/status").read())[1]
print(json.dumps({
    "peak": int(peak) * 1024,
    "faults": [fault.kind for move in moves for fault in move.faults],
    "dropped": sum(move.stderr_dropped for move in moves),
    "seconds": [move.seconds for move in moves if move.seat == 3],
}))
"""


def played(layer: int, root: Path, bots: list[str]) -> dict[str, object]:
    """What a referee in a process of its own tells of a match."""
    words = [sys.executable, "-c", REFEREE, str(layer), str(TURNS), *bots]
    done = subprocess.run(words, cwd=root, stdout=subprocess.PIPE, check=True)
    return dict(json.loads(done.stdout))


@pytest.mark.parametrize("layer", IN_LAYERS)
def test_a_flood_of_standard_error(scene: Scene, root: Path, layer: int) -> None:
    """Three programs that flood standard error fill no memory of the referee's, and hold nobody up."""
    layers.need(layer)
    flood, neighbour = scene.command("floods_stderr", flood=FLOOD), scene.command("neighbour")
    quiet = played(layer, root, [neighbour] * 4)
    flooded = played(layer, root, [flood, flood, flood, neighbour])
    assert flooded["faults"] == quiet["faults"] == []
    assert flooded["dropped"] > 2 * FLOOD  # of the three floods, all but what is kept
    assert flooded["peak"] < MAX_MEMORY
    # Medians, and a wide margin: three programs that compute without end share the cores with the fourth.
    assert median(flooded["seconds"]) < 50 * median(quiet["seconds"]) + 0.01
    assert few(scene.left()) == ""


@pytest.mark.parametrize("layer", IN_LAYERS)
def test_a_flood_of_answers(scene: Scene, root: Path, layer: int) -> None:
    """Programs that write answers without end, or one without an end, fill no memory of the referee's."""
    layers.need(layer)
    floods = [scene.command(name) for name in ("floods_stdout", "long_line", "neighbour")]
    told = played(layer, root, [floods[0], floods[0], floods[1], floods[2]])
    assert set(told["faults"]) - {"malformed"} == {"output"}
    assert told["faults"].count("output") == 3
    assert told["peak"] < MAX_MEMORY
    assert few(scene.left()) == ""
