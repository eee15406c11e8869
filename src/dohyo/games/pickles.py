"""How games are pickled: by their names, so that another process finds them as this one did."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from pickle import PicklingError
from types import ModuleType
from typing import Any

import msgspec

from dohyo.core.errors import OperatorError
from dohyo.core.game import Completed, Game

Find = Callable[[str], Game]


def reduced(game: Game, find: Find) -> tuple[Any, ...]:
    """By its name, or as what `msgspec.structs.replace` has changed in the game that `find` has of that name.

    A game without a name there goes as the variable of a module that holds it, as functions do. Raises
    `PicklingError` where there is none.
    """
    try:
        base: Game | None = find(game.name)
    except OperatorError:
        base = None
    if base is game:
        return find, (game.name,)
    for module in list(sys.modules.values()):
        for name, value in list(getattr(module, "__dict__", {}).items()):
            if value is game:
                return _variable, (module.__name__, name)
    if base is None:
        raise PicklingError(f"the game {game.name} is neither among Dohyo's games nor a variable of a module")
    changed = {}
    for field in Game.__struct_fields__:
        mine, its = getattr(game, field), getattr(base, field)
        completed = isinstance(mine, Completed) and isinstance(its, Completed) and vars(mine) == vars(its)
        if mine is not its and not completed:
            changed[field] = _NamedModule(mine.__name__) if isinstance(mine, ModuleType) else mine
    return _changed, (find, game.name, changed)


class _NamedModule(str):
    """A module in a pickle."""


def _changed(find: Find, name: str, changed: dict[str, Any]) -> Game:
    """From a pickle: the game of that name with other fields."""
    found = {
        field: importlib.import_module(value) if isinstance(value, _NamedModule) else value
        for field, value in changed.items()
    }
    return msgspec.structs.replace(find(name), **found)


def _variable(module: str, name: str) -> Any:
    """From a pickle: what a module's variable holds."""
    return getattr(importlib.import_module(module), name)
