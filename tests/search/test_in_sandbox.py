"""Bots that import Dohyo and its libraries, in every layer of the sandbox that this machine has."""

from __future__ import annotations

from pathlib import Path

import pytest

from dohyo.core.clock import Clock
from dohyo.match.play import play_match
from dohyo.sandbox import at_layer
from tests.skips import Reason, skip_for

TOML = """
python = "dohyo"
build = "python bot.py --build"
run = "python bot.py"
"""
BOT = """
import sys
from pathlib import Path
from dohyo.games import find
from dohyo.search import Search
from dohyo.sim import records
made = Path(__file__).with_name("made")
game = find("wondev-woman")
assert len(records.blank(game.rules.LAYOUT, 3)) == 3
if "--build" in sys.argv:
    made.write_text("ACCEPT-DEFEAT " + game.title)
else:
    input()
    print(made.read_text(), flush=True)
"""


@pytest.mark.parametrize("layer", [1, 2, 3, 4])
def test_dohyos_own_python_in_a_box(tmp_path: Path, layer: int) -> None:
    """With `python = "dohyo"` a bot imports Dohyo, its games and NumPy, when it is built and when it plays."""
    sandbox = at_layer(layer)
    if sandbox is None:
        skip_for(Reason.KERNEL, f"no layer {layer} of the sandbox")
    folder = tmp_path / "own"
    folder.mkdir()
    (folder / "bot.toml").write_text(TOML, encoding="utf-8")
    (folder / "bot.py").write_text(BOT, encoding="utf-8")
    replay = play_match("wondev-woman", [str(folder)] * 2, seed=1, clock=Clock(turn=60), sandbox=sandbox)
    moves = [move for turn in replay.turns for move in turn.moves if move.seconds is not None]
    assert [fault for move in moves for fault in move.faults] == []
    assert [move.reply for move in moves] == ["ACCEPT-DEFEAT Wondev Woman"] * 2
