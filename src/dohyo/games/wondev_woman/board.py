"""Wondev Woman, the board: the fields of a state, where things stand, and who sees whom.

Written over a flat state (see `dohyo.core.flat`), as all rules are.

Numbers
    seats      0 and 1
    direction  0..7: E N NE NW S SE SW W, in alphabetical order, so that actions in order are actions sorted by text
    cell       (y + 1) * 8 + x, 8 .. 62: a board of at most 7 x 7, and a column that is never in play, so that a step
               is one addition, and a set of cells one mask: a cell's number is its bit
    height     -1 a hole, 0..3 in play, 4 out of play
    slot       2 * seat + unit

Sets of directions are masks of 8 bits, too: what a unit may do follows from a few of them, without a test of each of
64 cells. Before the deal a unit's cell is 0, which is not a valid cell.
"""

from __future__ import annotations

from typing import Any

from dohyo.core.flat import Layout, flat

SEATS = 2
MAX_UNITS = 2  # per player
LAST_SLOT = SEATS * MAX_UNITS - 1
MAX_SIZE = 7
WIDTH = MAX_SIZE + 1
CELLS = WIDTH * WIDTH - 1  # also a mask of all cells' numbers, by which compiled code knows that none is negative
NOBODY = -1

HOLE = -1
TOP = 3  # the highest level that a unit can stand on

POINTS, REACH = 0, 1  # goals: more points; or be the one that stands on the top level at a round's end

DIRECTIONS = 8
STEP = (1, -WIDTH, 1 - WIDTH, -1 - WIDTH, WIDTH, WIDTH + 1, WIDTH - 1, -1)
CLOCKWISE = (2, 0, 1, 7, 4, 3, 5, 6)  # each direction's place on the compass, from north

LAYOUT = Layout(
    "WondevWoman",
    ("low", "i8", TOP + 1),  # by level: the cells in play that are not higher, a mask
    ("taken", "i8", 0),  # the cells on which units stand, a mask
    ("turn", "i4", 0),
    ("rounds", "i2", 0),  # whole rounds played
    ("points", "i2", SEATS),
    ("height", "i1", CELLS),
    ("at", "i1", SEATS * MAX_UNITS),  # the cell of the unit of a slot
    ("out", "i1", SEATS),
    ("told", "i1", SEATS),  # 1 when the player was told the size and the number of units
    ("mover", "i1", 0),
    ("ended", "i1", 0),  # why the match has ended; 0 while it goes on
    ("dealt", "i1", 0),  # 1 when the units are on the board
    ("size", "i1", 0),  # 0 until there is a map
    ("map", "i1", 0),  # which map to deal
    ("units", "i1", 0),  # per player
    ("push", "i1", 0),  # 1 when enemies can be pushed
    ("fog", "i1", 0),  # 1 when a player sees enemies only beside its own units
    ("goal", "i1", 0),
)


# --- cells ----------------------------------------------------------------------------------------------------------


@flat
def cell_of(x: int, y: int) -> int:
    """The number of a cell."""
    return (y + 1) * WIDTH + x


@flat
def x_of(cell: int) -> int:
    """A cell's column."""
    return cell % WIDTH


@flat
def y_of(cell: int) -> int:
    """A cell's row."""
    return cell // WIDTH - 1


def _neighbours(cell: int) -> list[int]:
    """A cell's neighbour in each direction; 0 where there is none."""
    inside = [cell_of(x, y) for x in range(MAX_SIZE) for y in range(MAX_SIZE)]
    return [cell + step if cell in inside and cell + step in inside else 0 for step in STEP]


# By cell: the mask of its neighbours; and what that is in a mask that was moved so that the place north-west of the
# cell has become bit 0.
BESIDE = tuple(sum(1 << other for other in _neighbours(cell) if other) for cell in range(CELLS))
# By cell and direction: the neighbours of the neighbour there, a mask; none where there is no neighbour.
BEYOND = tuple(BESIDE[other] if other else 0 for cell in range(CELLS) for other in _neighbours(cell))
CORNER = tuple(
    sum(1 << step + WIDTH + 1 for step, other in zip(STEP, _neighbours(cell), strict=True) if other)
    for cell in range(CELLS)
)
# In such a mask the row above has the bits 0 to 2, the cells beside 8 and 10, the row below 16 to 18. Moved together
# (`close`) they are a number below 512; by that, the set of directions.
BESIDE_BITS, BELOW_BITS = 0x28, 0x1C0


@flat
def close(corner: int) -> int:
    """The number below 512 that stands for the mask of a cell's neighbours."""
    return corner & 7 | corner >> 5 & BESIDE_BITS | corner >> 10 & BELOW_BITS


def _directions() -> bytes:
    """The table of sets of directions."""
    table = bytearray(512)
    for chosen in range(1 << DIRECTIONS):
        corner = sum(1 << STEP[way] + WIDTH + 1 for way in range(DIRECTIONS) if chosen >> way & 1)
        table[close(corner)] = chosen
    return bytes(table)


CHOSEN = _directions()


@flat
def ways_to(cells: int, cell: int) -> int:
    """The directions, a mask, in which a cell's neighbours are among the `cells`."""
    return CHOSEN[close(cells << 1 >> cell - WIDTH & CORNER[cell & CELLS])]


# --- what stands on them --------------------------------------------------------------------------------------------


@flat
def slot_of(p: int, unit: int) -> int:
    """The slot of a player's unit."""
    return p * MAX_UNITS + unit & LAST_SLOT


@flat
def set_height(s: Any, cell: int, height: int) -> None:
    """Set a cell's height, or make it a hole, whatever it was."""
    s.height[cell] = height
    bit = 1 << cell
    for level in range(TOP + 1):
        s.low[level] &= ~bit
        if 0 <= height <= level:
            s.low[level] |= bit


@flat
def clear(s: Any) -> None:
    """Make every cell a hole, with nobody on it."""
    s.taken = 0
    for cell in range(CELLS):
        s.height[cell] = HOLE
    for level in range(TOP + 1):
        s.low[level] = 0


@flat
def place(s: Any, slot: int, cell: int) -> None:
    """Put a unit on a cell."""
    s.at[slot] = cell
    s.taken |= 1 << cell


@flat
def leave(s: Any, slot: int) -> int:
    """Take a unit off its cell; which that was."""
    cell = s.at[slot]
    s.taken &= ~(1 << cell)
    return cell  # type: ignore[no-any-return]


@flat
def is_taken(s: Any, cell: int) -> bool:
    """Whether a unit stands on a cell."""
    return s.taken >> cell & 1 == 1  # type: ignore[no-any-return]


@flat
def units_of(s: Any, p: int) -> int:
    """The cells of a player's units, a mask."""
    cells = 0
    for unit in range(s.units):
        cells |= 1 << s.at[slot_of(p, unit)]
    return cells


# --- who sees whom --------------------------------------------------------------------------------------------------


@flat
def view(s: Any, p: int) -> int:
    """The cells, a mask, on which a player sees who stands: with fog, its own units' and those beside them."""
    if s.fog == 0:
        return -1
    cells = 0
    for unit in range(s.units):
        cell = s.at[slot_of(p, unit)] & CELLS
        cells |= 1 << cell | BESIDE[cell]
    return cells


@flat
def sees(s: Any, p: int, cell: int) -> bool:
    """Whether a player sees who is on a cell."""
    return view(s, p) >> cell & 1 == 1
