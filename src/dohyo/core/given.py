"""Whether what a program in Python gives can be used: a game, how its matches are to begin, and their seed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import SupportsIndex

from dohyo.core import seeds
from dohyo.core.errors import OperatorError
from dohyo.core.game import Game, State
from dohyo.core.options import Value


def check_game(game: object) -> None:
    """Raise `TypeError` for what is no game: a name, for example."""
    if not isinstance(game, Game):
        raise TypeError(f"the first argument is a game: dohyo.games.find(NAME), not {game!r}")


def draws_start(game: Game, setup: Mapping[str, Value]) -> bool:
    """Whether matches with this whole setup begin differently, by their seeds: random openings, say."""
    return game.draw_setup(setup, 0) != setup


def check_begins(game: Game, state: State) -> None:
    """Raise `OperatorError` for a match in which nobody is to move: at this state, its first, it is over."""
    if game.rules.over(state):
        raise OperatorError("over-at-once", game=game.name)


def checked_seed(seed: object) -> int:
    """A seed as a number. Raises `TypeError` for no whole number, `ValueError` for one outside 0 .. 2**63 - 1."""
    if isinstance(seed, bool) or not isinstance(seed, SupportsIndex):
        raise TypeError(f"seed must be a whole number, not {seed!r}")
    number = seed.__index__()
    if not 0 <= number <= seeds.MOST:
        raise ValueError(f"seed must be at least 0 and at most {seeds.MOST}, not {number}")
    return number
