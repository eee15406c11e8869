"""How good a board is: points, what the units can reach, and who is there first.

Written in the common language of rules (see `dohyo.core.flat`) over the masks that a state holds, so that a search
can compile it: 100,000 boards in a turn. The worth of a board is linear in the weights, and each changes evenly from
one phase of a match to the next. They were fitted to matches of a search against itself, and to what it found in them
and beside them (see `benchmarks/fit_wondev_woman.py`), so that the value is about the log odds to win.
"""

from __future__ import annotations

from typing import Any

from dohyo.core.flat import LOWEST, flat, popcount
from dohyo.games.wondev_woman.board import BESIDE, DIRECTIONS, STEP, TOP, slot_of, units_of, ways_to
from dohyo.games.wondev_woman.board import REACH as REACH_TOP
from dohyo.games.wondev_woman.judge import lead
from dohyo.games.wondev_woman.legality import AHEAD

# Places of the weights: first what a player has that moves next, and from WAITING on the same for the other one.
STANDING = 0  # to 3: a unit, by the level on which it stands
NEAR = 4  # to 7: a cell that it can step to, by level
STUCK, ONE_WAY, TWO_WAYS = 8, 9, 10  # a unit with so many cells to step to
SCORES = 11  # a unit that can step onto the top
BESIDE_ENEMY = 12  # a unit high up that an enemy can push
SHUT_IN = 13  # a unit that can reach only FEW cells, in however many steps
TWO_STEPS = 14  # to 17: a cell that it can reach in two steps and not in one, by level
PUSHED = 18  # an enemy that can push a unit down
DROPPED = 19  # down by two levels or more
WAITING = 20
FIRST = 40  # to 43: a cell that a player reaches before the other one, by level
ALONE = 44  # to 47: a cell that the other one does not reach at all
NEXT = 48  # a cell that is reached first, in one step
SOON = 49  # in two at most
SHARED = 50  # a cell that both reach at once: for who moves next
REACH = 51  # a cell that a player's units can reach at all
LEAD = 52  # a point more than the other one has
OUT = 53  # a player that is out
SOON_HIGH = 54  # a cell of the two highest levels that is reached first, in two steps at most
FEATURES = 55
PHASES = (6, 16, 26)  # cells in play: there the weights are known, and between two they change evenly

UNIT = 1000.0  # in which the weights are told
FARTHEST = 8  # steps
FEW = 3

# fmt: off
WEIGHTS = (
    -405, -51, 269, -346, 301, 1128, 623, 27, 294, -621, -785, 1016, 118, -184, 1295,
    868, 440, 179, -198, -181, -281, 164, 251, -591, 420, 935, 599, 254, 285, -712,
    -637, 678, -221, 88, 708, 889, 461, 92, -675, -428, 1171, 1617, 1704, 1416, -295,
    686, 349, -341, -265, 292, 569, 399, 1543, 495, -190, 334, 335, 249, 98, -2,
    -4, -29, -38, -157, -23, -26, 177, 7, -399, 81, 111, 60, 17, -140, 96,
    207, 244, 226, 151, -22, 19, -23, -12, -166, -66, -82, 97, -6, -349, 102,
    104, 2, -17, -449, -273, 474, 553, 374, 211, 266, 141, -73, -219, 23, -57,
    31, 115, 292, -923, 146, 79, 80, 65, 57, 8, 28, 76, 57, -900, -173,
    -58, 1, 57, -379, 1, 0, 2, 10, -4, -7, -11, 21, 29, 33, 21,
    29, 76, 59, -846, -312, -112, -17, 14, -365, 0, 10, 5, -8, -31, -56,
    114, 112, -14, 28, 112, -25, -31, -57, -44, -84, -1, -2, 39, -176, 83,
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
        ways = popcount(cells)
        found += weights[base + STANDING + level] + counted(s, cells, weights, base + NEAR)
        if ways < 3:
            found += weights[base + STUCK + ways]
        if cells & ~s.low[TOP - 1]:
            found += weights[base + SCORES]
        if level > 0 and enemies & BESIDE[start]:
            found += beside_enemies(s, start, level, enemies, weights, base)
        one = 1 << start | cells
        two = one | grown(s, one)
        found += counted(s, two & ~(one | s.taken), weights, base + TWO_STEPS)
        if ways == 0 or is_shut_in(s, two):
            found += weights[base + SHUT_IN]
    return found  # type: ignore[no-any-return]


@flat
def counted(s: Any, cells: int, weights: Any, base: int) -> int:
    """These cells, each by the weight for its level."""
    up_to_none = popcount(cells & s.low[0])
    up_to_one = popcount(cells & s.low[1])
    up_to_two = popcount(cells & s.low[2])
    found = weights[base] * up_to_none + weights[base + 1] * (up_to_one - up_to_none)
    found += weights[base + 2] * (up_to_two - up_to_one)
    return found + weights[base + 3] * (popcount(cells & s.low[TOP]) - up_to_two)  # type: ignore[no-any-return]


@flat
def beside_enemies(s: Any, start: int, level: int, enemies: int, weights: Any, base: int) -> int:
    """What it means for a unit above the ground that enemies are beside it, who can push it down."""
    found = weights[base + BESIDE_ENEMY] if level > 1 else 0
    below = ways_to(s.low[level - 1] & ~s.taken, start)
    far_below = ways_to(s.low[level - 2] & ~s.taken, start) if level > 1 else 0
    around = ways_to(enemies, start)
    for way in range(DIRECTIONS):
        if s.push and around >> way & 1:
            ahead = AHEAD[LOWEST[ways_to(1 << start, start + STEP[way])]]
            if below & ahead:
                found += weights[base + PUSHED]
            if far_below & ahead:
                found += weights[base + DROPPED]
    return found  # type: ignore[no-any-return]


@flat
def is_shut_in(s: Any, cells: int) -> bool:
    """Whether from these cells, of which one is a unit's own, only FEW others can be reached."""
    more = cells
    for _ in range(FEW + 1):
        if popcount(cells) > FEW + 1:
            break
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
        if steps == 1:
            high = ~s.low[1]
            found += weights[row + SOON_HIGH] * (popcount(first_mine & high) - popcount(first_theirs & high))
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
