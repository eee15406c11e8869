"""Wondev Woman, the board: the fields of a state, where things stand, and who sees whom.

Written over a flat state (see `dohyo.core.flat`), as all rules are.

Numbers
    seats      0 and 1
    direction  0..7: E N NE NW S SE SW W, in alphabetical order, so that actions in order are actions sorted by text
    cell       (y + 1) * 9 + x + 1: a board of at most 7 x 7 inside a ring of holes, so that a step is one addition
    height     -1 a hole, 0..3 in play, 4 out of play
    slot       2 * seat + unit
"""

from __future__ import annotations

from typing import Any

from dohyo.core.flat import Layout, absolute, flat

SEATS = 2
MOST_UNITS = 2  # a player
MOST_SIZE = 7
WIDTH = MOST_SIZE + 2
CELLS = WIDTH * WIDTH
NOBODY = -1

HOLE = -1
TOP = 3  # the highest level that a unit can stand on

POINTS, REACH = 0, 1  # goals: more points; or be the one that stands on the top level at a round's end

DIRECTIONS = 8
STEP = (1, -WIDTH, 1 - WIDTH, -1 - WIDTH, WIDTH, WIDTH + 1, WIDTH - 1, -1)
CLOCKWISE = (2, 0, 1, 7, 4, 3, 5, 6)  # each direction's place on the compass, from north

LAYOUT = Layout(
    "WondevWoman",
    ("turn", "i4", 0),
    ("rounds", "i2", 0),  # whole rounds played
    ("points", "i2", SEATS),
    ("height", "i1", CELLS),
    ("who", "i1", CELLS),  # the slot of the unit on a cell, or NOBODY
    ("at", "i1", SEATS * MOST_UNITS),  # the cell of the unit of a slot
    ("out", "i1", SEATS),
    ("told", "i1", SEATS),  # 1 when the player was told the size and the number of units
    ("mover", "i1", 0),
    ("ended", "i1", 0),  # why the match has ended; 0 while it goes on
    ("dealt", "i1", 0),  # 1 when the units are on the board
    ("size", "i1", 0),  # 0 until there is a map
    ("map", "i1", 0),  # which map to deal
    ("units", "i1", 0),  # a player
    ("push", "i1", 0),  # 1 when enemies can be pushed
    ("fog", "i1", 0),  # 1 when a player sees enemies only beside its own units
    ("goal", "i1", 0),
)


@flat
def cell_of(x: int, y: int) -> int:
    """The number of a cell."""
    return (y + 1) * WIDTH + x + 1


@flat
def slot_of(p: int, unit: int) -> int:
    """The slot of a player's unit."""
    return p * MOST_UNITS + unit


@flat
def place(s: Any, slot: int, cell: int) -> None:
    """Put a unit on a cell."""
    s.at[slot] = cell
    s.who[cell] = slot


@flat
def sees(s: Any, p: int, cell: int) -> bool:
    """Whether a player sees who is on a cell: with fog, only on its own units' cells and those beside them."""
    if s.fog == 0:
        return True
    for unit in range(s.units):
        mine = s.at[slot_of(p, unit)]
        across = absolute(mine % WIDTH - cell % WIDTH)
        down = absolute(mine // WIDTH - cell // WIDTH)
        if across <= 1 and down <= 1:
            return True
    return False


@flat
def seems_free(s: Any, p: int, cell: int) -> bool:
    """Whether a player sees nobody on a cell."""
    return s.who[cell] == NOBODY or not sees(s, p, cell)
