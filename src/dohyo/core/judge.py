"""How positions of a game are judged by search, where the game says more than its rules do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec


class Judge(msgspec.Struct, frozen=True, kw_only=True):
    """What `dohyo analyse` takes to judge positions of a game; a game that says nothing is judged by random play.

    `value`, `policy` and `moves` are flat functions as `dohyo.search.Search` takes them; without `value`, matches are
    played out to their end, or for `horizon` turns. `sharpness` turns a search's share of wins into a chance between
    equal bots: shares are raised to this power (above 1: who is a little ahead mostly wins). It is fitted by
    `benchmarks/analysis.py`.
    """

    value: Callable[..., Any] | None = None
    policy: Callable[..., Any] | None = None
    moves: Callable[..., Any] | None = None
    horizon: int = 1000
    ahead: bool = False
    explore: float = 1.0
    sharpness: float = 1.0
