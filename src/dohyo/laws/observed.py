"""What a learner sees of a plain state."""

from __future__ import annotations

from math import prod
from typing import Any

from dohyo.core.game import Game


def numbers(game: Game) -> int:
    """How many numbers an observation has."""
    assert game.observation is not None
    return len(game.observation.PLANES) * prod(game.observation.SHAPE)


def observed(game: Game, state: Any, seat: int) -> list[float]:
    """The seat's observation; a number that was not written is none at all, and fails where it is compared."""
    assert game.observation is not None
    out: list[Any] = [None] * numbers(game)
    game.observation.observe(state, seat, out)
    return out
