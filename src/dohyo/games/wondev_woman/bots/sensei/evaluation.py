"""How good a board is: points, what the units can reach, and who is there first.

Written in the common language of rules (see `dohyo.core.flat`) over the masks that a state holds, so that a search
can compile it: 100,000 boards in a turn. The worth of a board is linear in the weights, and each changes evenly from
its value on a whole board to its value on one that is built over. They were fitted to matches of the search against
itself, and to what it found in them (`benchmarks/fit_wondev_woman.py`), so that it is about the log odds to win.
"""

from __future__ import annotations

from typing import Any

from dohyo.core.flat import flat, popcount
from dohyo.games.wondev_woman.board import BESIDE, TOP, slot_of, units_of
from dohyo.games.wondev_woman.board import REACH as REACH_TOP
from dohyo.games.wondev_woman.judge import lead

# Places of the weights: first what a player has that moves next, and from WAITING on the same for the other one.
POINT = 0
STANDING = 1  # to 4: a unit, by the level on which it stands
NEAR = 5  # to 8: a cell that it can step to, by level
STUCK, ONE_WAY, TWO_WAYS = 9, 10, 11  # a unit with so many cells to step to
SCORES = 12  # a unit that can step onto the top
BESIDE_ENEMY = 13  # a unit high up that an enemy can push
WAITING = 14
FIRST = 28  # to 31: a cell that a player reaches before the other one, by level
SOON = 32  # such a cell at most two steps away
SHARED = 33  # a cell that both reach at once: for who moves next
REACH = 34  # a cell that a player's units can reach at all
OUT = 35  # a player that is out
FEATURES = 36
MANY = 30.0  # cells in play, as at the beginning

FARTHEST = 8  # steps

# fmt: off
WEIGHTS = (
    -0.030, -0.128, -0.124, -0.070, -0.053, -0.008, 0.052, 0.076, 0.148, -1.035, -0.136, -0.021,
    -0.022, 0.012, -0.049, 0.009, 0.029, 0.166, 0.171, -0.066, 0.005, 0.035, 0.119, -1.188,
    -0.244, -0.050, -0.029, -0.192, 0.131, 0.023, 0.053, 0.020, -0.072, 0.003, -0.006, -1.292,
    0.582, 0.652, 0.336, -0.104, -0.498, 0.124, -0.269, -0.051, -0.295, -0.554, -0.538, -0.429,
    0.109, 0.278, 0.628, 0.316, 0.130, -0.218, -0.615, 0.136, -0.256, -0.074, -0.259, -0.497,
    -0.630, -0.514, -0.095, 0.375, 0.381, 0.877, 0.419, 0.386, 0.185, 0.010, 0.290, 0.267,
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
    own = 0 if s.mover == p else WAITING
    found = at(weights, own + POINT, t) * s.points[p]
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
        found += at(weights, own + STANDING + level, t)
        near = own + NEAR
        found += at(weights, near, t) * flat_ones + at(weights, near + 1, t) * (up_to_one - flat_ones)
        found += at(weights, near + 2, t) * (up_to_two - up_to_one) + at(weights, near + 3, t) * (ways - up_to_two)
        if ways < 3:
            found += at(weights, own + STUCK + ways, t)
        if ways > up_to_two:
            found += at(weights, own + SCORES, t)
        if level > 1 and enemies & BESIDE[start]:
            found += at(weights, own + BESIDE_ENEMY, t)
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
