"""The games, found by themselves: every folder here with a `GAME`, and the entry points `dohyo.games` of packages."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from importlib.metadata import entry_points

from dohyo.core.errors import OperatorError
from dohyo.core.game import Game
from dohyo.core.options import nearest


@cache
def all_games() -> dict[str, Game]:
    """Every game by name, in alphabetical order."""
    found = [_here(module.name) for module in pkgutil.iter_modules(__path__) if module.ispkg]
    found += [entry.load() for entry in entry_points(group="dohyo.games")]
    return {game.name: game for game in sorted(found, key=lambda game: game.name)}


def find(name: str) -> Game:
    """The game of that name. Raises `OperatorError` when there is none.

    Only that game's folder is imported when its folder bears the name: a start should not pay for the others.
    """
    folder = name.replace("-", "_")
    if any(module.ispkg and module.name == folder for module in pkgutil.iter_modules(__path__)):
        return _here(folder)
    games = all_games()
    if name not in games:
        raise OperatorError("unknown-game", name=name, nearest=nearest(name, games), known=", ".join(games))
    return games[name]


def _here(folder: str) -> Game:
    game = importlib.import_module(f"{__name__}.{folder}").GAME
    assert isinstance(game, Game)
    return game
