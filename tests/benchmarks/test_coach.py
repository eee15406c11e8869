"""The bots that the coach's benchmark plants weaknesses in play as the sample bots whose code they use."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

import dohyo

SHORT = {"drop-block": {"turns": 40}, "abotcalypse": {"turns": 10}}


@pytest.mark.parametrize(
    ("name", "game", "seats"),
    [
        ("Climber", "wondev-woman", 2),
        ("Gunner", "shoot-em-up", 2),
        ("Hunter", "drop-block", 4),
        ("Shelter", "abotcalypse", 4),
    ],
)
def test_its_bots_play_without_a_fault(name: str, game: str, seats: int, root: Path) -> None:
    """What a sample bot's module offers may change; a bot that then ends has no weakness but that."""
    bot = runpy.run_path(str(root / "benchmarks" / "coach.py"))[name]()
    replay = dohyo.play(game, [bot] * seats, seed=3, setup=SHORT.get(game), sandbox="none")
    assert replay.turns
    assert not [move.faults for turn in replay.turns for move in turn.moves if move.faults]
