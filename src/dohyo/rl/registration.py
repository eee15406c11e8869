"""The games' names in Gymnasium's registry."""

from __future__ import annotations

import gymnasium

from dohyo import classics
from dohyo.core.errors import OperatorError
from dohyo.core.game import Game
from dohyo.games import all_games

NAMESPACE = "dohyo"
CLASSICS_VERSION = 1  # of the rules of every classic game: a game is imported only when it is made


def id_of(game: Game) -> str:
    """What Gymnasium calls a game, as `dohyo/drop-block-v1`; the number is the version of its rules."""
    return _id(game.name, game.version)


def _id(name: str, version: int) -> str:
    return f"{NAMESPACE}/{name}-v{version}"


def register(game: Game) -> str:
    """Register a game that has observations, one that was loaded say; what it is called, for `gymnasium.make`.

    It replaces another one of that name. Raises `OperatorError` for a game that does not say what a learner sees.
    """
    if game.observation is None:
        raise OperatorError("rl-no-sight", game=game.name)
    _register(id_of(game), game)
    return id_of(game)


def register_all() -> None:
    """Register every game that has observations, classics too; one that is registered already is not changed."""
    games = all_games()
    found = {id_of(game): game.name for game in games.values() if game.observation is not None}
    found |= {_id(name, CLASSICS_VERSION): name for name in classics.NAMES if name not in games}
    for called, name in found.items():
        if called not in gymnasium.registry:
            _register(called, name)


def _register(called: str, given: Game | str) -> None:
    gymnasium.registry.pop(called, None)  # Gymnasium warns of what is replaced
    gymnasium.register(
        called,
        "dohyo.rl.env:Env",
        vector_entry_point="dohyo.rl.vector:vectorize",
        kwargs={"game": given},
    )
