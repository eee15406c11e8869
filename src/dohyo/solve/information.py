"""What a seat knows when it is to act: all that it was sent so far, and all that it answered, in order.

So a seat never forgets (perfect recall), whatever its game's input says of the past. Nothing of a game is said here:
what it hides is not in the input that its protocol writes.
"""

from __future__ import annotations

from functools import cached_property
from math import prod
from typing import Any

import numpy

from dohyo.core.errors import OperatorError
from dohyo.core.flat import row_of
from dohyo.core.game import Game, State
from dohyo.solve.turns import actions_of

Array = numpy.ndarray[Any, Any]


class InformationState:
    """One thing that a seat may know when it is to act, and what it may do then.

    `prompt` is what it is sent there; `before` its information state one own turn earlier, if there was one, and
    `answered` what it did in it. `actions` are the rules' numbers of what is legal, `words` their texts. `number` is
    its place among all of the tree, and `first` that of its first action among all actions of all of them. `depth`
    counts own turns before. `state` is one of the states in which the seat knows just this: the first that was met.
    """

    def __init__(
        self,
        game: Game,
        seat: int,
        prompt: bytes,
        state: State,
        before: InformationState | None,
        answered: int,
    ) -> None:
        text = game.protocol.text
        self.game, self.seat, self.state, self.before = game, seat, state, before
        self.prompt = prompt.decode("utf-8", "surrogateescape")
        self.answered: str = "" if before is None else before.words[answered]
        self.actions = actions_of(game, state, seat)
        self.words: tuple[str, ...] = tuple(text(action) for action in self.actions)
        self.depth: int = 0 if before is None else before.depth + 1
        self.number = self.first = 0

    @cached_property
    def text(self) -> str:
        """All that the seat was sent and answered, in order: each input as it came, each answer as a line below."""
        lines: list[str] = []
        at: InformationState | None = self
        while at is not None:
            lines += [at.prompt, f"{at.answered}\n" if at.before is not None else ""]
            at = at.before
        return "".join(reversed(lines))

    def tensor(self) -> Array:
        """The game's observation for the seat, (planes, ...), of the observation's kind, as a learner sees it.

        It shows one moment, so that it may be the same where `text` is not: see `Tree.tensors_differ`. Raises
        `OperatorError` for a game without an observation.
        """
        observation = self.game.observation
        if observation is None:
            raise OperatorError("rl-no-sight", game=self.game.name)
        shape = (len(observation.PLANES), *observation.SHAPE)
        row = row_of(prod(shape))
        observation.observe(self.state, self.seat, row)
        return numpy.array(row, observation.KIND).reshape(shape)

    def __repr__(self) -> str:
        return f"InformationState(seat={self.seat}, words={self.words}, text={self.text!r})"
