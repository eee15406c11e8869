"""How good a board is: points, what the units can reach, and who is there first.

Written in the common language of rules (see `dohyo.core.flat`) over the masks that a state holds, so that a search
can compile it: 200,000 boards in a turn. The worth of a board is linear in the weights, and each changes evenly from
its value on a whole board to its value on one that is built over. They were fitted to matches of the search against
itself (`benchmarks/fit_wondev_woman.py`), so that the worth is about the log odds to win.
"""

from __future__ import annotations

from typing import Any

from dohyo.core.flat import flat, popcount
from dohyo.games.wondev_woman.board import BESIDE, TOP, slot_of, units_of
from dohyo.games.wondev_woman.board import REACH as REACH_TOP
from dohyo.games.wondev_woman.judge import lead

# Places of the weights.
POINT = 0
STANDING = 1  # to 4: a unit, by the level on which it stands
NEAR = 5  # to 8: a cell that it can step to, by level
STUCK, ONE_WAY, TWO_WAYS = 9, 10, 11  # a unit with so many cells to step to
SCORES, WAITS = 12, 13  # a unit that can step onto the top: its player moves next, the other one does
FIRST = 14  # to 17: a cell that a player reaches before the other one, by level
SOON = 18  # such a cell at most two steps away
SHARED = 19  # a cell that both reach at once: for who moves next
REACH = 20  # a cell that a player's units can reach at all
OUT = 21  # a player that is out
BESIDE_ENEMY = 22  # a unit high up that an enemy can push in the next turn
FEATURES = 23
MANY = 30.0  # cells in play, as at the beginning

FARTHEST = 8  # steps

# fmt: off
WEIGHTS = (
    -0.034, 0.651, 0.621, 0.664, 0.649, -0.058, 0.048, 0.054, 0.130, -1.085, -0.286, -0.015,
    -0.088, -0.113, 0.121, -0.025, -0.012, 0.006, -0.027, 0.004, 0.001, -1.292, -0.018,
    0.584, 0.406, 0.233, 0.131, -0.240, 0.207, -0.170, -0.029, 0.021, -0.709, -0.552, -0.383,
    -0.270, -0.336, 0.373, 0.721, 0.404, 0.282, 0.116, 0.091, 0.267, -0.266, 0.005,
)
# fmt: on


@flat
def value(s: Any, seat: int) -> float:
    """How good the board is for a seat. Where the first on a top wins, what counts is to be near one."""
    if s.goal == REACH_TOP:
        return lead(s, seat)  # type: ignore[no-any-return]
    return worth(s, seat, WEIGHTS)  # type: ignore[no-any-return]


@flat
def worth(s: Any, p: int, weights: Any) -> float:
    """How good the board is for a seat, by any weights."""
    t = popcount(s.low[TOP]) / MANY
    return of_player(s, p, t, weights) - of_player(s, 1 - p, t, weights) + of_land(s, p, t, weights)  # type: ignore[no-any-return]


@flat
def at(weights: Any, i: int, t: float) -> float:
    """A weight, between its value at the beginning and its value at the end."""
    return weights[i] * t + weights[FEATURES + i] * (1 - t)  # type: ignore[no-any-return]


@flat
def of_player(s: Any, p: int, t: float, weights: Any) -> float:
    """What a player has, and what its units can do next."""
    found = at(weights, POINT, t) * s.points[p]
    if s.out[p] == 1:
        return found + at(weights, OUT, t)  # type: ignore[no-any-return]
    enemies = 0 if s.out[1 - p] == 1 else units_of(s, 1 - p)
    for unit in range(s.units):
        start = s.at[slot_of(p, unit)]
        level = s.height[start]
        cells = BESIDE[start] & s.low[level + 1 if level < TOP else TOP] & ~s.taken
        flat_ones = popcount(cells & s.low[0])
        up_to_one = popcount(cells & s.low[1])
        up_to_two = popcount(cells & s.low[2])
        ways = popcount(cells)
        found += at(weights, STANDING + level, t)
        found += at(weights, NEAR, t) * flat_ones + at(weights, NEAR + 1, t) * (up_to_one - flat_ones)
        found += at(weights, NEAR + 2, t) * (up_to_two - up_to_one) + at(weights, NEAR + 3, t) * (ways - up_to_two)
        if ways < 3:
            found += at(weights, STUCK + ways, t)
        if ways > up_to_two:
            found += at(weights, SCORES if s.mover == p else WAITS, t)
        if level > 1 and s.mover != p and enemies & BESIDE[start]:
            found += at(weights, BESIDE_ENEMY, t)
    return found  # type: ignore[no-any-return]


@flat
def of_land(s: Any, p: int, t: float, weights: Any) -> float:
    """How much more a player reaches than the other one, and reaches first."""
    mine = 0 if s.out[p] == 1 else units_of(s, p)
    theirs = 0 if s.out[1 - p] == 1 else units_of(s, 1 - p)
    first_mine = 0
    first_theirs = 0
    shared = 0
    soon = 0.0
    for steps in range(FARTHEST):
        more_mine = mine | grown(s, mine)
        more_theirs = theirs | grown(s, theirs)
        if more_mine == mine and more_theirs == theirs:
            break
        new_mine = more_mine & ~(mine | theirs)
        new_theirs = more_theirs & ~(mine | theirs)
        first_mine |= new_mine & ~new_theirs
        first_theirs |= new_theirs & ~new_mine
        shared |= new_mine & new_theirs
        mine = more_mine
        theirs = more_theirs
        if steps == 1:
            soon = at(weights, SOON, t) * (popcount(first_mine) - popcount(first_theirs))
    found = soon + at(weights, REACH, t) * (popcount(mine) - popcount(theirs))
    before = 0
    for level in range(TOP + 1):
        number = popcount(first_mine & s.low[level]) - popcount(first_theirs & s.low[level])
        found += at(weights, FIRST + level, t) * (number - before)
        before = number
    number = popcount(shared)
    return found + (at(weights, SHARED, t) * number if s.mover == p else -at(weights, SHARED, t) * number)  # type: ignore[no-any-return]


@flat
def grown(s: Any, cells: int) -> int:
    """Where units on these cells can step, wherever others stand."""
    found = around(cells) & s.low[1]
    high = cells & ~s.low[0]
    if high:
        found |= around(high) & s.low[2]
        found |= around(high & ~s.low[1]) & s.low[3]
    return found


@flat
def around(cells: int) -> int:
    """These cells and all beside them, and others that are never in play."""
    rows = cells | cells << 8 | cells >> 8
    return rows | rows << 1 | rows >> 1
