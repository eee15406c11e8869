"""How good a board is: points, what the units can reach, and who is there first.

Written in the common language of rules (see `dohyo.core.flat`) over the masks that a state holds, so that a search
can compile it: 100,000 boards in a turn. The worth of a board is linear in the weights, and each changes evenly from
one phase of a match to the next. They were fitted to matches of the search against itself, and to what it found in
them and beside them (`benchmarks/fit_wondev_woman.py`), so that the value is about the log odds to win.
"""

from __future__ import annotations

from typing import Any

from dohyo.core.flat import flat, popcount
from dohyo.games.wondev_woman.board import BESIDE, TOP, slot_of, units_of
from dohyo.games.wondev_woman.board import REACH as REACH_TOP
from dohyo.games.wondev_woman.judge import lead

# Places of the weights: first what a player has that moves next, and from WAITING on the same for the other one.
STANDING = 0  # to 3: a unit, by the level on which it stands
NEAR = 4  # to 7: a cell that it can step to, by level
STUCK, ONE_WAY, TWO_WAYS = 8, 9, 10  # a unit with so many cells to step to
SCORES = 11  # a unit that can step onto the top
BESIDE_ENEMY = 12  # a unit high up that an enemy can push
SHUT_IN = 13  # a unit that can reach only FEW cells, in however many steps
WAITING = 14
FIRST = 28  # to 31: a cell that a player reaches before the other one, by level
ALONE = 32  # to 35: a cell that the other one does not reach at all
NEXT = 36  # a cell that is reached first, in one step
SOON = 37  # in two at most
SHARED = 38  # a cell that both reach at once: for who moves next
REACH = 39  # a cell that a player's units can reach at all
LEAD = 40  # a point more than the other one has
OUT = 41  # a player that is out
FEATURES = 42
PHASES = (6, 16, 26)  # cells in play: there the weights are known, and between two they change evenly

UNIT = 1000.0  # in which the weights are told
FARTHEST = 8  # steps
FEW = 3

# fmt: off
WEIGHTS = (
    -8, 357, 16, -318, 167, 462, -82, 82, 416, -296, -642, 604, -63, -138,
    77, 76, -19, -379, -5, 346, -44, 179, 243, -800, -107, 314, -88, 102,
    268, 1370, 1227, 912, 41, -2, 558, -402, 129, 417, 719, 196, 1184, 99,
    171, 65, 29, -123, 19, -36, 60, 58, -208, -22, -62, 142, 36, -249,
    86, 47, 50, -33, -26, -50, 46, 61, -331, -85, -155, 62, -112, -153,
    379, 466, 333, 194, 189, 162, -84, -147, -62, 87, 21, 122, 258, -146,
    52, 97, 68, 91, 31, 44, 137, 94, -909, -135, -32, 4, 82, -410,
    -30, -5, 52, 72, 37, 58, 132, 118, -980, -221, -34, -62, -72, -325,
    90, 82, 15, 69, 119, -58, -23, -52, -73, -44, 1, -14, 40, -199,
)
# fmt: on


def place(cells: int) -> tuple[int, float]:
    """Between which two phases a board with so many cells in play is: the first one's number, and how far from it."""
    cells = min(max(cells, PHASES[0]), PHASES[-1])
    after = next(i for i in range(1, len(PHASES)) if cells <= PHASES[i])
    return after - 1, (cells - PHASES[after - 1]) / (PHASES[after] - PHASES[after - 1])


def blended(cells: int) -> list[int]:
    """The weights where so many cells are in play."""
    before, part = place(cells)
    start, end = before * FEATURES, (before + 1) * FEATURES
    pairs = zip(WEIGHTS[start:end], WEIGHTS[end : end + FEATURES], strict=True)
    return [round(one * (1 - part) + other * part) for one, other in pairs]


# One row for each number of cells from the first phase to the last.
TABLE = tuple(weight for cells in range(PHASES[0], PHASES[-1] + 1) for weight in blended(cells))


@flat
def value(s: Any, seat: int) -> float:
    """How good the board is for a seat. Where the first on a top wins, what counts is to be near one."""
    if s.goal == REACH_TOP:
        return lead(s, seat)  # type: ignore[no-any-return]
    cells = popcount(s.low[TOP])
    row = 0 if cells < PHASES[0] else PHASES[2] - PHASES[0] if cells > PHASES[2] else cells - PHASES[0]
    return worth(s, seat, TABLE, row * FEATURES) / UNIT  # type: ignore[no-any-return]


@flat
def worth(s: Any, p: int, weights: Any, row: int) -> int:
    """How good the board is for a seat, by `FEATURES` weights from `row` on; whole numbers are fast."""
    first = s.mover
    other = 1 - first
    found = weights[row + LEAD] * (s.points[first] - s.points[other])
    found += of_player(s, first, weights, row, row) - of_player(s, other, weights, row, row + WAITING)
    found += of_land(s, first, weights, row)
    return found if first == p else -found  # type: ignore[no-any-return]


@flat
def of_player(s: Any, p: int, weights: Any, row: int, base: int) -> int:
    """What a player's units are and can do next, by the weights from `base` on."""
    if s.out[p] == 1:
        return weights[row + OUT]  # type: ignore[no-any-return]
    found = 0
    enemies = 0 if s.out[1 - p] == 1 else units_of(s, 1 - p)
    for unit in range(s.units):
        start = s.at[slot_of(p, unit)]
        level = s.height[start]
        cells = BESIDE[start] & s.low[level + 1 if level < TOP else TOP] & ~s.taken
        flat_ones = popcount(cells & s.low[0])
        up_to_one = popcount(cells & s.low[1])
        up_to_two = popcount(cells & s.low[2])
        ways = popcount(cells)
        near = base + NEAR
        found += weights[base + STANDING + level]
        found += weights[near] * flat_ones + weights[near + 1] * (up_to_one - flat_ones)
        found += weights[near + 2] * (up_to_two - up_to_one) + weights[near + 3] * (ways - up_to_two)
        if ways < 3:
            found += weights[base + STUCK + ways]
        if ways > up_to_two:
            found += weights[base + SCORES]
        if level > 1 and enemies & BESIDE[start]:
            found += weights[base + BESIDE_ENEMY]
        if ways == 0 or is_shut_in(s, 1 << start | cells):
            found += weights[base + SHUT_IN]
    return found  # type: ignore[no-any-return]


@flat
def is_shut_in(s: Any, cells: int) -> bool:
    """Whether from these cells, of which one is a unit's own, only FEW others can be reached."""
    for _ in range(FEW + 1):
        more = cells | grown(s, cells)
        if more == cells or popcount(more) > FEW + 1:
            break
        cells = more
    return popcount(more) <= FEW + 1  # type: ignore[no-any-return]


@flat
def of_land(s: Any, p: int, weights: Any, row: int) -> int:
    """How much more who moves next reaches than the other one, reaches first, and reaches alone."""
    mine = 0 if s.out[p] == 1 else units_of(s, p)
    theirs = 0 if s.out[1 - p] == 1 else units_of(s, 1 - p)
    first_mine = 0
    first_theirs = 0
    shared = 0
    found = 0
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
        if steps < 2:
            found += weights[row + NEXT + steps] * (popcount(first_mine) - popcount(first_theirs))
    found += weights[row + SHARED] * popcount(shared)
    found += weights[row + REACH] * (popcount(mine) - popcount(theirs))
    found += by_level(s, first_mine, first_theirs, weights, row + FIRST)
    return found + by_level(s, mine & ~theirs, theirs & ~mine, weights, row + ALONE)  # type: ignore[no-any-return]


@flat
def by_level(s: Any, mine: int, theirs: int, weights: Any, base: int) -> int:
    """How many more of some cells there are than of others, by level, with the weights from `base` on."""
    found = 0
    before = 0
    for level in range(TOP + 1):
        number = popcount(mine & s.low[level]) - popcount(theirs & s.low[level])
        found += weights[base + level] * (number - before)
        before = number
    return found


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
