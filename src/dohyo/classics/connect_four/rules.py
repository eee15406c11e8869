"""Connect four, the rules: two players drop stones into seven columns, and four in a row win.

Source: Hasbro's rules of the game, first sold in 1974. Nobody may pass.
Written over a flat state (see `dohyo.core.flat`): the same functions run plain and compiled.

Numbers
    seats      0 and 1; seat 0 begins, and the player to move is turn % 2
    action     0..6 a stone into that column from the left; 7 give up
    stones     each player's stones as the bits of one integer: bit column * 8 + row, row 0 at the bottom

Why bits: every turn needs one test, whether there are four in a row, and with two integers it is done for all stones
at once. A column is a byte for 6 cells: the bits above its top cell are never set, so a line going up ends there and
does not continue at the bottom of the next column.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dohyo.core.flat import Layout, emit, flat, popcount

SEATS = 2
COLUMNS = 7
ROWS = 6
CELLS = COLUMNS * ROWS
NOBODY = -1

GIVE_UP = COLUMNS
ACTIONS = COLUMNS + 1
CONCESSIONS: Sequence[int] = (GIVE_UP,)

HEIGHT = 8  # bits of a column; 7 would be enough, but with a byte a row of cells is a row of bytes
COLUMN = (1 << ROWS) - 1  # the cells of the first column
BOTTOM = 1
TOP_ROW = sum(1 << column * HEIGHT + ROWS - 1 for column in range(COLUMNS))

# Bits of a row, one a column, times this number stand side by side from bit AT on; no two others meet there.
AT = (HEIGHT - 1) * COLUMNS
SIDE_BY_SIDE = sum(1 << AT - (HEIGHT - 1) * column for column in range(COLUMNS))
KTH = bytes(
    ([column for column in range(COLUMNS) if columns >> column & 1] + [0] * HEIGHT)[k]
    for columns in range(1 << COLUMNS)
    for k in range(HEIGHT)
)

# From a cell to its neighbour: up, right, down to the right, up to the right; the other four are these backwards.
STEPS = (1, HEIGHT, HEIGHT - 1, HEIGHT + 1)

LAYOUT = Layout(
    "ConnectFour",
    ("stones", "i8", SEATS),
    ("turn", "i4", 0),  # with the stones that lay there at the start
    ("ended", "i4", 0),  # why the match has ended; 0 while it goes on
)

# Events, for drawing: (kind, a, b, c)
DROPPED, CONNECTED, GAVE_UP = 1, 2, 3
EVENTS_A_TURN = 2

# Why a match ended
FOUR, FULL, GIVEN_UP = 1, 2, 3
REASONS: Mapping[int, str] = {
    FOUR: "connect-four.four",
    FULL: "connect-four.full",
    GIVEN_UP: "connect-four.given-up",
}


# --- a turn --------------------------------------------------------------------------------------------------------


@flat
def acts(s: Any, seat: int) -> bool:
    """Whether this seat is asked now."""
    return s.ended == 0 and s.turn & 1 == seat  # type: ignore[no-any-return]


@flat
def legal(s: Any, seat: int, out: Any) -> int:
    """Fill `out` with the columns that have room, from the left; how many.

    Every column is written, and the count increases by one or zero: there is no branch, because a processor cannot
    predict which columns are full.
    """
    taken = s.stones[0] | s.stones[1]
    count = 0
    for column in range(COLUMNS):
        out[count] = column
        count += 1 - (taken >> (column * HEIGHT + ROWS - 1) & 1)
    return count


@flat
def count_legal(s: Any, seat: int, notes: Any) -> int:
    """How many columns have room."""
    return popcount(~(s.stones[0] | s.stones[1]) & TOP_ROW)


@flat
def kth_legal(s: Any, seat: int, k: int, notes: Any) -> int:
    """The column with room that has k others on its left.

    The product moves the columns' bits side by side: a number below 128, by which a table has the column.
    """
    room = ~(s.stones[0] | s.stones[1]) & TOP_ROW
    return KTH[((room >> ROWS - 1) * SIDE_BY_SIDE >> AT & (1 << COLUMNS) - 1) * HEIGHT + k]  # type: ignore[no-any-return]


@flat
def is_legal(s: Any, seat: int, action: int) -> bool:
    """Whether it is a column that has room."""
    taken = s.stones[0] | s.stones[1]
    return 0 <= action < COLUMNS and taken >> (action * HEIGHT + ROWS - 1) & 1 == 0


@flat
def step(s: Any, actions: Any, events: Any) -> None:
    """Play one turn: the mover drops a stone, or gives up.

    `actions` holds one action for each seat; only the mover's is read.
    """
    p = s.turn & 1
    action = actions[p]
    s.turn += 1
    if action == GIVE_UP:
        emit(events, GAVE_UP, p, 0, 0)
        s.ended = GIVEN_UP
    else:
        drop(s, p, action, events)


@flat
def drop(s: Any, p: int, column: int, events: Any) -> None:
    """Let a stone fall into a column, and look whether the match ends with it. A full column takes none."""
    stone = landing(s, column)
    s.stones[p] |= stone
    if events is not None:
        emit(events, DROPPED, p, column, row_of(stone, column))
    if has_four(s.stones[p]):
        emit(events, CONNECTED, p, 0, 0)
        s.ended = FOUR
    elif s.turn == CELLS:
        s.ended = FULL


@flat
def landing(s: Any, column: int) -> int:
    """The lowest free cell of a column, as its bit; 0 when it is full.

    A column's stones are ones from its bottom up without a gap: adding 1 at the bottom carries to the first zero.
    """
    shift = column * HEIGHT
    return (s.stones[0] | s.stones[1]) + (BOTTOM << shift) & COLUMN << shift  # type: ignore[no-any-return]


@flat
def row_of(stone: int, column: int) -> int:
    """The row of a cell of the column."""
    row = 0
    while stone >> (column * HEIGHT + row) > 1:
        row += 1
    return row


@flat
def has_four(stones: int) -> bool:
    """Whether four of these are in a row, in any direction."""
    return (
        fours(stones, STEPS[0]) | fours(stones, STEPS[1]) | fours(stones, STEPS[2]) | fours(stones, STEPS[3])
    ) != 0


@flat
def fours(stones: int, by: int) -> int:
    """The cells from which four of these stand in a row, in steps of this kind; all at once.

    Shifted by one step, every stone is on its neighbour's bit: where both are set there is a pair; two pairs that are
    two steps apart are four.
    """
    pairs = stones & stones >> by
    return pairs & pairs >> 2 * by


# --- the end -------------------------------------------------------------------------------------------------------


@flat
def over(s: Any) -> bool:
    """Whether the match has ended; asked before every turn."""
    return s.ended != 0  # type: ignore[no-any-return]


@flat
def winner(s: Any) -> int:
    """Who connected four, or whose opponent gave up; nobody when the board is full."""
    last = (s.turn + 1) & 1  # who moved in the last turn
    if s.ended == FOUR:
        return last  # type: ignore[no-any-return]
    if s.ended == GIVEN_UP:
        return 1 - last  # type: ignore[no-any-return]
    return NOBODY


@flat
def places(s: Any, out: Any) -> int:
    """Fill `out` with each seat's place, 1 the best, equal ones shared; why the match ended."""
    for p in range(SEATS):
        out[p] = 2 if winner(s) == 1 - p else 1
    return s.ended  # type: ignore[no-any-return]
