"""A module of flat functions, compiled function by function: what tests hold against the module itself."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from dohyo.sim.compiled import compile_all, is_flat


def compile_rules(module: Any) -> SimpleNamespace:
    """What the module holds, with every flat function compiled. Raises what `compile_all` raises."""
    found = {name: getattr(value, "__twin__", value) for name, value in vars(module).items() if is_flat(value)}
    names = {name: value for name, value in vars(module).items() if not name.startswith("__")}
    return SimpleNamespace(**{**names, **dict(zip(found, compile_all(list(found.values()), {}), strict=True))})
