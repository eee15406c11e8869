"""Values of a bot's parameters reach its program, and nobody else's."""

from __future__ import annotations

from pathlib import Path

import pytest

from dohyo.core.clock import Clock
from dohyo.match.play import play_match
from dohyo.sandbox import at_layer

BOT = """
import os, sys
told = sorted(f"{name}={value}" for name, value in os.environ.items() if name.startswith("DOHYO_PARAM_"))
print(sys.argv[1:], told, file=sys.stderr, flush=True)
while line := sys.stdin.readline():
    print("ACCEPT-DEFEAT", flush=True)
"""


@pytest.mark.parametrize("sandboxed", [False, True])
def test_each_bot_gets_its_own_values(sandboxed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Words behind a bot and the params of a bot.toml, in the environment and in places; not those of the shell."""
    monkeypatch.setenv("DOHYO_PARAM_RISK", "9")
    (tmp_path / "bot.py").write_text(BOT, encoding="utf-8")
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "x.py").write_text(BOT, encoding="utf-8")
    toml = 'run = "python3 x.py --depth={depth}"\nparams = { depth = 3, risk = 0.5 }\n'
    (folder / "bot.toml").write_text(toml, encoding="utf-8")
    words = [f"{tmp_path / 'bot.py'} {{depth}} DOHYO_PARAM_DEPTH=4", f"{folder} DOHYO_PARAM_DEPTH=7"]
    sandbox = at_layer(1) if sandboxed else None
    replay = play_match("wondev-woman", words, seed=1, clock=Clock(turn=60), sandbox=sandbox or "none")
    moves = [move for turn in replay.turns for move in turn.moves] + list(replay.result.last)
    seen = {move.seat: move.stderr for move in moves if move.stderr}
    assert seen[0].strip() == "['4'] ['DOHYO_PARAM_DEPTH=4']"
    assert seen[1].strip() == "['--depth=7'] ['DOHYO_PARAM_DEPTH=7', 'DOHYO_PARAM_RISK=0.5']"
