"""The classic games by name."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from dohyo import games
from dohyo.core.game import Game

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "classics"


@cache
def classic(name: str) -> Game:
    """The game of that file."""
    return games.load(FOLDER / f"{name}.py")
