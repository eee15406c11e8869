"""Matches short enough for the checkers of other projects, of every game that says what a learner sees."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy
import pytest

from dohyo.core.game import Game
from dohyo.games import all_games

SEEN = {name: game for name, game in all_games().items() if game.observation is not None}
SHORT: Mapping[str, Mapping[str, Any]] = {"drop-block": {"turns": 60}, "abotcalypse": {"turns": 12}}

every_game = pytest.mark.parametrize("game", list(SEEN.values()), ids=list(SEEN))


def short(game: Game) -> dict[str, Any]:
    """How to make an environment of a short match."""
    return {"setup": SHORT.get(game.name, {})}


def any_legal(mask: Any, chance: numpy.random.Generator) -> int:
    """An action that the mask allows."""
    return int(chance.choice(numpy.flatnonzero(mask)))
