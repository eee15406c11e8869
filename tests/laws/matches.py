"""The games that the laws are held to, with what `tests/games/<game>/laws.py` tells the laws of each."""

from __future__ import annotations

import importlib
import importlib.util
from typing import Any

import pytest

from dohyo.core.game import Game
from dohyo.core.referee import Answer
from dohyo.games import all_games
from dohyo.laws.matches import (
    about,
    begin,
    check_result,
    finish,
    header,
    legal_answer,
    play,
    seat_counts,
    setups,
    several,
    tell,
)

__all__ = [
    "Answer",
    "about",
    "begin",
    "check_result",
    "every_game",
    "finish",
    "header",
    "legal_answer",
    "play",
    "seat_counts",
    "setups",
    "several",
]


def known(game: Game) -> Any:
    """What the game tells the laws of itself: its module under `tests/games`, or none."""
    name = f"tests.games.{game.name.replace('-', '_')}"
    if importlib.util.find_spec(name) is None or importlib.util.find_spec(f"{name}.laws") is None:
        return None
    return importlib.import_module(f"{name}.laws")


for _game in all_games().values():
    tell(_game, known(_game))

every_game = pytest.mark.parametrize("game", list(all_games().values()), ids=list(all_games()))
