"""A turn of a plain state, for whoever goes through all that can happen; the state itself stays as it is."""

from __future__ import annotations

from collections.abc import Iterable

from dohyo.core.flat import row_of
from dohyo.core.game import Game, State


def actions_of(game: Game, state: State, seat: int) -> tuple[int, ...]:
    """What an acting seat may do: its legal actions, or where there is none, what stands in their place."""
    return tuple(game.legal_actions(state, seat)) or tuple(game.rules.CONCESSIONS[:1])


def stepped(game: Game, state: State, seats: int, chosen: Iterable[tuple[int, int]]) -> State:
    """The state after a turn in which seats have chosen so: pairs of a seat and its action."""
    follows, actions = game.rules.LAYOUT.copy(state), row_of(seats)
    for seat, action in chosen:
        actions[seat] = action
    game.rules.step(follows, actions, None)
    return follows
