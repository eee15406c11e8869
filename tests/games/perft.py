"""Perft: how many ways there are to play the first so many turns, for rules that are known to the last position."""

from __future__ import annotations

from typing import Any

from dohyo.core.game import Game


def perft(game: Game, state: Any, depth: int) -> int:
    """Paths of `depth` turns from a state of a game of alternating turns without dice; a match that ends has none."""
    if depth == 0:
        return 1
    if game.rules.over(state):
        return 0
    (seat,) = game.acting(state, game.seats[0])
    legal = list(game.legal_actions(state, seat))
    if depth == 1:
        return len(legal)
    return sum(perft(game, after(game, state, seat, action), depth - 1) for action in legal)


def after(game: Game, state: Any, seat: int, action: int) -> Any:
    """The state after a seat's action."""
    twin = game.rules.LAYOUT.copy(state)
    actions = [0] * game.seats[0]
    actions[seat] = action
    game.rules.step(twin, actions, None)
    return twin
