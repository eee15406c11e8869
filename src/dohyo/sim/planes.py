"""What a learner sees, as arrays: the shape and the type of an observation, and its numbers within -1 .. 1."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from dohyo.core.errors import OperatorError
from dohyo.core.game import Game, ObservationSpace

if TYPE_CHECKING:
    import numpy


class Planes:
    """A game's observation as an array of the shape (planes, *shape of a plane), and type `kind`.

    `low` and `high`, float32 of that shape, are the least and the greatest number at each place. With `scaled` what
    is seen is float32, and each plane divided by its greatest magnitude: every number is within -1 .. 1, 0 stays 0.
    """

    def __init__(self, game: Game, scaled: bool = False) -> None:
        """Raises `OperatorError` for a game that does not say what a learner sees."""
        import numpy

        seen = observation_of(game)
        self.shape = (len(seen.PLANES), *seen.SHAPE)
        self.kind = numpy.dtype(seen.KIND)
        self.low = self._spread([plane.low for plane in seen.PLANES])
        self.high = self._spread([plane.high for plane in seen.PLANES])
        self.scale: numpy.ndarray[Any, Any] | None = None
        if scaled:
            self.scale = 1 / numpy.maximum(abs(self.low), abs(self.high))

    def scaled(self, observations: Any) -> Any:
        """Observations as they are wanted, from what the game's observation wrote."""
        return observations if self.scale is None else observations * self.scale

    def space(self) -> Any:
        """Gymnasium's space of what is seen, a new one."""
        from gymnasium import spaces

        if self.scale is None:
            return spaces.Box(self.low.astype(self.kind), self.high.astype(self.kind), dtype=self.kind.type)
        return spaces.Box(self.low * self.scale, self.high * self.scale, dtype=self.scale.dtype.type)

    def _spread(self, numbers: Sequence[float]) -> Any:
        """One number for each plane, for all of its places."""
        import numpy

        column = numpy.array(numbers, numpy.float32).reshape(-1, *(1 for _ in self.shape[1:]))
        return numpy.broadcast_to(column, self.shape).copy()


def observation_of(game: Game) -> ObservationSpace:
    """What a learner sees in a game. Raises `OperatorError` for a game that does not say it."""
    if game.observation is None:
        raise OperatorError("rl-no-sight", game=game.name)
    return game.observation
