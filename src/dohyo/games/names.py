"""The names of all games, found without importing one: for who lists them at every key. And one more of them."""

from __future__ import annotations

import os
import pkgutil

from dohyo import installed
from dohyo.core import notices
from dohyo.core.game import GAMES_GROUP, GAMES_VARIABLE
from dohyo.games import __path__ as here
from dohyo.games import all_games, module_name, named_folders, nearby


def names() -> list[str]:
    """The names, in alphabetical order; those of `dohyo.games.all_games()`."""
    found = {module.name for module in pkgutil.iter_modules(here) if module.ispkg}
    found |= {module_name(folder) for folder in named_folders()}
    return sorted({*(name.replace("_", "-") for name in found), *installed.entry_points(GAMES_GROUP)})


def take(name: str) -> bool:
    """Have the game of this name found from now on, here and in processes of ours, if it lies here; whether it does.

    Known games come before it: one that is found otherwise is not looked for.
    """
    if (place := nearby.lying_here(name)) is None:
        return False
    from dohyo import classics

    module = name.replace("-", "_")
    known = {each.replace("-", "_") for each in names()}
    if module in known or classics.file_of(name) is not None:
        return False
    before = os.environ.get(GAMES_VARIABLE, "")
    os.environ[GAMES_VARIABLE] = f"{before}{os.pathsep}{place}" if before else str(place)
    all_games.cache_clear()
    notices.tell("game-lies-here", name=name.replace("_", "-"), place=os.path.relpath(place))
    return True
