"""How good a board is, before anybody has won on it: what both players' units can do next.

`dohyo analyse` judges by it; so does the sample bot `sensei` where the first on a top wins, else by an evaluation of
its own. Written in the common language of rules, so that a search can compile it.
"""

from __future__ import annotations

from typing import Any

from dohyo.core.flat import absolute, flat
from dohyo.core.judge import Judge
from dohyo.games.wondev_woman.board import DIRECTIONS, POINTS, STEP, TOP, slot_of
from dohyo.games.wondev_woman.legality import can_enter

# What counts, in points.
STANDING = (0.0, 0.25, 0.6, 0.7, 0.7)  # by the level on which a unit stands
NEAR = (0.05, 0.1, 0.2, 0.5)  # each cell that it can step to, by that cell's level
FAR = (0.01, 0.02, 0.04, 0.08)  # each way on from there
STUCK = 3.0  # a unit that can step nowhere
ON_TOP = 4.0  # a step onto the top where that wins, until the round is over: the other one may step onto one too
WIDE = 4.0  # points by which a lead is as good as half a win


@flat
def outlook(s: Any, p: int, unit: int) -> float:
    """How good it is to be this unit."""
    start = s.at[slot_of(p, unit)]
    found = 0.0
    ways = 0
    enter = can_enter(s, start)
    for first in range(DIRECTIONS):
        if enter >> first & 1:
            there = start + STEP[first]
            ways += 1
            found += NEAR[s.height[there]]
            further = can_enter(s, there)
            for second in range(DIRECTIONS):
                if further >> second & 1:
                    found += FAR[s.height[there + STEP[second]]]
    if ways == 0:
        return -STUCK
    return found + STANDING[s.height[start]]


@flat
def lead(s: Any, p: int) -> float:
    """By how many points a player is ahead, counting what its units can do next."""
    found = 0.0
    for unit in range(s.units):
        found += outlook(s, p, unit) - outlook(s, 1 - p, unit)
    worth = 1.0 if s.goal == POINTS else ON_TOP
    return found + worth * (s.points[p] - s.points[1 - p])  # type: ignore[no-any-return]


@flat
def value(s: Any, seat: int) -> float:
    """How good the board is for a seat, -1..1."""
    ahead = lead(s, seat)
    return ahead / (WIDE + absolute(ahead))  # type: ignore[arg-type, no-any-return]


def judge() -> Judge:
    """How `dohyo analyse` judges a position of this game."""
    return Judge(value=value, ahead=True, horizon=0, explore=0.05, sharpness=0.9)


assert len(NEAR) == TOP + 1
