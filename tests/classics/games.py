"""The classic games by name."""

from __future__ import annotations

from functools import cache

from dohyo import games
from dohyo.classics import FOLDER
from dohyo.core.game import Game

__all__ = ["FOLDER", "classic"]


@cache
def classic(name: str) -> Game:
    """The game of that file."""
    return games.find(name.replace("_", "-"))
