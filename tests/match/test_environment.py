"""What a bot sees of the operator's environment: what the page lists, in every command, and nothing else."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from dohyo.core.clock import Clock
from dohyo.games import find
from dohyo.guests.game_programs.dialogue import find_program
from dohyo.languages import brought
from dohyo.match.play import environment, play_match
from dohyo.sandbox import at_layer
from dohyo.sandbox.environment import SANDBOX_VARIABLES, UNSANDBOXED_VARIABLES, variables_of

PAGE = Path(__file__).parents[2] / "docs" / "bots.md"
BOT = """
import os, sys
print(*sorted(os.environ), file=sys.stderr, flush=True)
while line := sys.stdin.readline():
    print("ACCEPT-DEFEAT", flush=True)
"""
MISLEADING = (
    "PYTHONUNBUFFERED",
    "PYTHONDONTWRITEBYTECODE",
    "JAVA_TOOL_OPTIONS",
    "NODE_OPTIONS",
    "TOKEN",
    "LD_PRELOAD_",
)


@pytest.fixture(autouse=True)
def shell(monkeypatch: pytest.MonkeyPatch) -> None:
    """An operator's shell in which much is set."""
    for name in MISLEADING:
        monkeypatch.setenv(name, "1")
    monkeypatch.setenv("LC_NUMERIC", "C")


def test_the_page_lists_what_is_told() -> None:
    """Every variable that is passed on stands in docs/bots.md."""
    section = PAGE.read_text(encoding="utf-8").split("## What is in a bot's environment", 1)[1].split("\n## ", 1)[0]
    named = set(re.findall(r"`([A-Z_]+)\*?`", section))
    told = (SANDBOX_VARIABLES | UNSANDBOXED_VARIABLES).union(*map(variables_of, brought.rows()))
    assert named - {"LC_", "DOHYO_", "DOHYO_PARAM_", "PWD", *MISLEADING} == told


@pytest.mark.parametrize("sandboxed", [False, True])
def test_a_match_tells_what_the_page_says(sandboxed: bool, tmp_path: Path) -> None:
    """The bot sees the listed variables, in a sandbox and without one."""
    sandbox = at_layer(1) if sandboxed else "none"
    bot = tmp_path / "bot.py"
    bot.write_text(BOT, encoding="utf-8")
    replay = play_match("wondev-woman", [str(bot)] * 2, seed=1, clock=Clock(turn=60), sandbox=sandbox or "none")
    moves = [move for turn in replay.turns for move in turn.moves] + list(replay.result.last)
    seen = set("".join(move.stderr for move in moves).split())
    assert {"PATH", "DOHYO_SEED", "LC_NUMERIC"} <= seen
    told = SANDBOX_VARIABLES | UNSANDBOXED_VARIABLES | ({"PWD"} if sandboxed else set())
    assert {name for name in seen if not name.startswith(("LC_", "DOHYO_"))} <= told


def test_every_command_starts_bots_in_the_same_environment() -> None:
    """`arena` passes on what a match does, but for the number of the dice, which is the operator's or 1."""
    match, arena = environment(7, 0), find_program(["python3"], Path("/nowhere")).environment
    assert arena is not None
    assert arena["DOHYO_SEED"] == "1"
    assert {**arena, "DOHYO_SEED": ""} == {**match, "DOHYO_SEED": ""}
    assert not set(MISLEADING) & set(arena)
    assert arena["PATH"] == os.environ["PATH"]


def test_what_only_some_clocks_tell_is_never_an_older_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot that itself plays matches has these variables of its own match: the bots in those would plan by them."""
    for name in ("DOHYO_BANK", "DOHYO_WALL_LIMIT"):
        monkeypatch.setenv(name, "5")
    game = find("drop-block")
    assert not {"DOHYO_BANK", "DOHYO_WALL_LIMIT"} & environment(1, 0, game, Clock(turn=1)).keys()
    assert environment(1, 0, game, Clock(turn=0, bank=60))["DOHYO_BANK"] == "60"
