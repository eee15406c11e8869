"""What an agent sees and may do in a game, as spaces and arrays."""

from __future__ import annotations

from copy import deepcopy
from math import prod
from typing import Any

import numpy
from gymnasium import spaces

from dohyo import games
from dohyo.core.game import Game, State
from dohyo.sim.planes import Planes, observation_of


class Observer:
    """A game's observations and masks for one seat, as arrays; see `observation_space` and `action_space`.

    An observation has the shape (planes, *shape of a plane). With `scaled` it is float32, and each plane is divided
    by its greatest magnitude: every number is within -1 .. 1, and 0 stays 0.
    """

    def __init__(self, game: Game, scaled: bool = False) -> None:
        """Raises `OperatorError` for a game that does not say what a learner sees."""
        self.game = game
        self._planes = planes = Planes(game, scaled)
        self.observation = observation_of(game)
        self.shape, self.kind, self.scale = planes.shape, planes.kind, planes.scale
        self.observation_space = planes.space()
        self.actions = game.rules.ACTIONS
        self._row: list[float] = [0] * prod(self.shape)
        self._options = [0] * self.actions

    def __getstate__(self) -> dict[str, Any]:
        """For copies and pickles: without the module of the observation, which the game has."""
        return {name: value for name, value in vars(self).items() if name != "observation"}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        """From a copy or a pickle."""
        vars(self).update(kept)
        assert self.game.observation is not None
        self.observation = self.game.observation

    def seen_space(self, with_mask: bool) -> spaces.Space[Any]:
        """The space of observations, a new one; with the mask beside it, a dictionary."""
        seen: spaces.Space[Any] = deepcopy(self.observation_space)
        if not with_mask:
            return seen
        return spaces.Dict({"observation": seen, "action_mask": spaces.MultiBinary(self.actions)})

    def action_space(self) -> spaces.Discrete[Any]:
        """A space of the game's actions, with a random source of its own."""
        return spaces.Discrete(self.actions)

    def observe(self, state: State, seat: int) -> Any:
        """A new array of what the seat sees."""
        self.observation.observe(state, seat, self._row)
        return self.scaled(numpy.array(self._row, self.kind).reshape(self.shape))

    def scaled(self, observations: Any) -> Any:
        """Observations as the space says, from what the game's observation wrote."""
        return self._planes.scaled(observations)

    def mask(self, state: State, seat: int) -> Any:
        """A new array of int8 with one item for each action: 1 if it is legal; all 0 for a seat that need not act."""
        mask = numpy.zeros(self.actions, numpy.int8)
        if not self.game.rules.over(state) and self.game.rules.acts(state, seat):
            mask[self._options[: self.game.rules.legal(state, seat, self._options)]] = 1
        return mask

    def action(self, given: Any) -> int:
        """The given action, as a number. Raises `TypeError` or `ValueError` for what is not an action."""
        try:
            action = int(given)
            is_whole = action == given
        except (TypeError, ValueError) as error:
            raise TypeError(f"an action is a whole number, not {given!r}") from error
        if not is_whole or not 0 <= action < self.actions:
            raise ValueError(f"{given!r} is no action of {self.game.name}: they are 0 .. {self.actions - 1}")
        return action


def checked_masks(masks: str) -> bool:
    """Whether masks are beside the observation, by the option `masks`. Raises `ValueError` for another word."""
    if masks not in ("observation", "info"):
        raise ValueError(f"masks is 'observation' or 'info', not {masks!r}")
    return masks == "observation"


def find(game: str | Game) -> Game:
    """The game of this name, or the game itself. Raises `OperatorError` for an unknown name."""
    return games.find(game) if isinstance(game, str) else game
