"""The names of all games, found without importing one: for who lists them at every key."""

from __future__ import annotations

import pkgutil

from dohyo import installed
from dohyo.core.game import GAMES_GROUP
from dohyo.games import __path__ as here
from dohyo.games import module_name, named_folders


def names() -> list[str]:
    """The names, in alphabetical order; those of `dohyo.games.all_games()`."""
    found = {module.name for module in pkgutil.iter_modules(here) if module.ispkg}
    found |= {module_name(folder) for folder in named_folders()}
    return sorted({*(name.replace("_", "-") for name in found), *installed.entry_points(GAMES_GROUP)})
