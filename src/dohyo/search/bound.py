"""Flat functions in plain Python, over names that their modules leave open: the twin of `dohyo.sim.compile_over`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any

Function = Callable[..., Any]


def bound(function: Function, parts: Mapping[str, Function]) -> Any:
    """`function`, and every flat function of this room that it may call, with `parts` in the place of the open names.

    The modules stay as they are: several searches live side by side. They need not be in `sys.modules` any more.
    """
    spaces: dict[str, dict[str, Any]] = {}

    def space(within: dict[str, Any]) -> dict[str, Any]:
        """A module's names once more, its flat functions over these."""
        name = within["__name__"]
        if name not in spaces:
            names = dict(within)
            spaces[name] = names
            for key, found in list(names.items()):
                if not isinstance(found, FunctionType) or not getattr(found, "__flat__", False):
                    continue
                if found.__module__ == name:
                    names[key] = FunctionType(found.__code__, names, key, found.__defaults__)
                elif found.__module__.rpartition(".")[0] == __package__:
                    names[key] = space(found.__globals__)[found.__name__]
            names.update(parts)
        return spaces[name]

    return space(function.__globals__)[function.__name__]
