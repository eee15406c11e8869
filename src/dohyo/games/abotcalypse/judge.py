"""How `dohyo analyse` judges a position of aBOTcalypse: all bots build shelters, and strike who comes near.

The sample bot `sensei` builds in the same way.
"""

from __future__ import annotations

from typing import Any

from dohyo.core.cheap_random import below
from dohyo.core.flat import flat
from dohyo.core.judge import Judge
from dohyo.games.abotcalypse.board import ALIVE, CLASSIC, DOWN, LEFT, RIGHT, UP, WIDTH
from dohyo.games.abotcalypse.rules import DISTANCES, DROP, FAR, MOVE, REST, THROW, actions_within

TALL = 5  # rocks in the own column when it is done
ENOUGH = 4  # on the floor a bot only builds when fewer are left
WALL = 4  # rocks on either side when they are done
WALL_ENOUGH = 3

HORIZON = 25  # turns that are played on: who lives then shares the first place
STRIKES = 35  # of 100 bots that see an enemy beside them
WANDERS = 15  # of 100 bots do anything


@flat
def policy(s: Any, seat: int, options: Any, count: int, luck: Any) -> int:
    """Mostly the next stone of a shelter."""
    if below(luck, 100) < STRIKES:
        for b in range(s.bots):
            away = s.x[b] - s.x[seat]
            if b != seat and s.status[b] == ALIVE and s.y[b] == s.y[seat] and away != 0 and -2 <= away <= 2:
                return DROP + (RIGHT if away > 0 else LEFT)
    if below(luck, 100) < WANDERS:
        return below(luck, THROW)
    return build(s, seat)


@flat
def moves(s: Any, seat: int, out: Any) -> int:
    """Fill `out` with actions that differ in what they do: a throw sideways reaches no farther than its height."""
    count: int = actions_within(out, max(s.y[seat], 1))
    if s.rules == CLASSIC:  # there a distance of 0 means down
        out[count] = THROW + RIGHT * DISTANCES + FAR + 1
        out[count + 1] = THROW + LEFT * DISTANCES + FAR + 1
        count += 2
    return count


@flat
def height_at(s: Any, x: int) -> int:
    """Rocks in a column; beyond the edge any number."""
    if x < 0 or x >= WIDTH:
        return WIDTH
    return s.height[x]  # type: ignore[no-any-return]


@flat
def build(s: Any, seat: int) -> int:
    """The next stone of a shelter, or the next step to where it can be laid, else down to the floor."""
    x = s.x[seat]
    at = s.y[seat]
    here = s.height[x]
    left = height_at(s, x - 1)
    right = height_at(s, x + 1)
    if at == 0 and here >= ENOUGH and left >= WALL_ENOUGH and right >= WALL_ENOUGH:
        return REST
    if here == at and at < TALL:
        return DROP + DOWN
    if left < WALL and left <= at:
        return DROP + LEFT
    if right < WALL and right <= at:
        return DROP + RIGHT
    if here < TALL:
        return DROP + UP if here == at + 1 else MOVE + UP
    if left < WALL or right < WALL:
        return MOVE + UP
    return MOVE + DOWN if at > 0 else REST


def judge() -> Judge:
    """How `dohyo analyse` judges a position of this game."""
    return Judge(policy=policy, moves=moves, depth=2, horizon=HORIZON, sharpness=0.6)
