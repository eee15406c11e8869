"""The games' names in Gymnasium's registry."""

from __future__ import annotations

import gymnasium

from dohyo.core.errors import OperatorError
from dohyo.core.game import Game
from dohyo.games import all_games

NAMESPACE = "dohyo"


def id_of(game: Game) -> str:
    """What Gymnasium calls a game, as `dohyo/drop-block-v1`; the number is the version of its rules."""
    return f"{NAMESPACE}/{game.name}-v{game.version}"


def register(game: Game) -> str:
    """Register a game that has observations, one that was loaded say; what it is called, for `gymnasium.make`.

    It replaces another one of that name. Raises `OperatorError` for a game that does not say what a learner sees.
    """
    if game.observation is None:
        raise OperatorError("rl-no-sight", game=game.name)
    _register(game, game)
    return id_of(game)


def register_all() -> None:
    """Register every game that has observations; one that is registered already is not changed."""
    for game in all_games().values():
        if game.observation is not None and id_of(game) not in gymnasium.registry:
            _register(game, game.name)


def _register(game: Game, given: Game | str) -> None:
    gymnasium.registry.pop(id_of(game), None)  # Gymnasium warns of what is replaced
    gymnasium.register(
        id_of(game),
        "dohyo.rl.env:Env",
        vector_entry_point="dohyo.rl.vector:vectorize",
        kwargs={"game": given},
    )
