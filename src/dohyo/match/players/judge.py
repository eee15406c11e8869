"""What a kind of player that can judge says of a match's positions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from dohyo.core.game import State


class Judged(NamedTuple):
    """What a judge says of a position.

    `chance` is the share of the first place that the seat to move may expect, 0..1; in the course of one look it said
    what lies between `low` and `high`. `best` is the action that it would choose, `depth` how many actions ahead it
    has looked. `mate`: in how many of the winner's actions the seat to move wins by force, as the judge says it; it
    loses if that is below zero; none where nothing of that kind was said.
    """

    chance: float
    low: float
    high: float
    best: int
    depth: int
    mate: int | None = None


class Judge(Protocol):
    """Judges one position after the other."""

    name: str
    """As it calls itself, fit to be printed."""

    def judge(self, start: State, actions: Sequence[int], state: State, seconds: float) -> Judged:
        """What a position is worth in which the game is not over, after about so many seconds.

        `state` is where these actions lead from `start`. Raises `OperatorError` if the judge fails: then it judges
        nothing more.
        """
