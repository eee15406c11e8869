"""How positions of a game are judged by search, where the game says more than its rules do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec


class Judge(msgspec.Struct, frozen=True, kw_only=True):
    """What `dohyo analyse` takes to judge positions of a game; a game that says nothing is judged by random play.

    `value` or `rate`, `policy` and `moves` are flat functions as `dohyo.search.Search` takes them, `room` the fields
    that they work in; without `value` and `rate`, matches are played out to their end, or for `horizon` turns.
    `depth` is how many turns are searched in a tree, before the policy goes on. Where a game hides so much that what
    a search sees in the true state decides everything, it is `blind`: then the true state is judged by the policy
    alone, without a tree. Where players see all, but mostly do not look ahead as a search does, the two are kept
    `apart`: a position's chances are the policy's alone, for `horizon` turns; and a tree, with `value` or `rate` at
    its leaves, says beside it what players could do who see everything. A decision is a mistake if both say so.

    `sharpness` turns a search's share of wins into a chance between equal bots: shares are raised to this power
    (above 1: who is a little ahead mostly wins). `doubt` is how far the difference of two chances may be off beside
    what a search knows of itself: no decision is called a mistake for less. `spread` is how far a chance is off, as a
    standard deviation of the logarithm of its odds: the bots that play are not those that a search imagines. All are
    found by `benchmarks/analysis.py`.
    """

    value: Callable[..., Any] | None = None
    rate: Callable[..., Any] | None = None
    policy: Callable[..., Any] | None = None
    moves: Callable[..., Any] | None = None
    room: tuple[tuple[str, str, int], ...] = ()
    depth: int = 64
    blind: bool = False
    apart: bool = False
    horizon: int = 1000
    ahead: bool = False
    explore: float = 1.0
    sharpness: float = 1.0
    doubt: float = 0.05
    spread: float = 2.0
