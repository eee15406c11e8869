"""Drop-Block, what a learner sees: planes over the 6 x 6 blocks, the players in the order in which they move.

A player's place is told on the block it stands on: which block, and where on it. So an observation is nine times
smaller than planes over the 18 x 18 squares, and says the same. Written over a flat state, as all rules are.

What a program is sent says `protocol.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dohyo.core.flat import flat, index, put_bits
from dohyo.core.game import Plane
from dohyo.games.drop_block.rules import (
    BLOCK_WIDTH,
    BLOCKS,
    COLUMN_STEP,
    LAST_SEAT,
    ROW_STEP,
    SEATS,
    STUN_BY_ATTACK,
    block_at,
)

KIND = "i1"
SHAPE: tuple[int, ...] = (BLOCKS, BLOCKS)
SIZE = BLOCKS * BLOCKS  # numbers in a plane
MAX_BLOCK = 20  # turns until the fall of the farthest block that an attack can loosen

OF_PLAYER = 4  # planes for each player
PLAYERS_AT = 1
LEFT_AT = PLAYERS_AT + OF_PLAYER * SEATS
WAIT_AT = LEFT_AT + 1

PLAYERS = ("own", "next", "second", "third")
PLANES: Sequence[Plane] = (
    Plane(
        "block",
        -MAX_BLOCK,
        MAX_BLOCK,
        "0 stable; above 0 the turns until it falls; below 0 gone, and the turns until it comes back",
    ),
    *(
        plane
        for name in PLAYERS
        for plane in (
            Plane(
                f"{name}-place", 0, STUN_BY_ATTACK + 1, "on the player's block 1, and 1 more for each stunned turn"
            ),
            Plane(f"{name}-row", -1, 1, "on the player's block -1, 0, 1: it stands in its upper, middle, lower row"),
            Plane(f"{name}-column", -1, 1, "on the player's block -1, 0, 1: in its left, middle, right column"),
            Plane(f"{name}-aim", 0, 1, "1 on each block that the player's attack would be aimed at now"),
        )
    ),
    Plane("left", 0, 100, "everywhere: how much of the match is left, in percent of its turns"),
    Plane("wait", 0, SEATS - 1, "everywhere: turns until the seat moves"),
)


def _ahead(block: int, direction: int) -> int:
    """The blocks that an attack from a block is aimed at, as a mask."""
    row, column = divmod(block, BLOCKS)
    row_step, column_step = ROW_STEP[direction], COLUMN_STEP[direction]
    ahead = [(row + n * row_step, column + n * column_step) for n in range(1, BLOCKS)]
    return sum(1 << index(r, c, BLOCKS) for r, c in ahead if 0 <= r < BLOCKS and 0 <= c < BLOCKS)


DIRECTIONS = len(ROW_STEP)
AHEAD = tuple(_ahead(block, direction) for block in range(SIZE) for direction in range(DIRECTIONS))


@flat
def observe(s: Any, seat: int, out: Any) -> None:
    """Fill `out` with what the seat sees: all, from where it sits."""
    for block in range(SIZE):
        v = s.block[block]
        out[block] = MAX_BLOCK if v > MAX_BLOCK else -MAX_BLOCK if v < -MAX_BLOCK else v
    for at in range(PLAYERS_AT * SIZE, LEFT_AT * SIZE):
        out[at] = 0
    for k in range(SEATS):
        p = seat + k & LAST_SEAT
        if s.row[p] >= 0:
            show_player(s, p, out, (PLAYERS_AT + OF_PLAYER * k) * SIZE)
    left = 100 * (s.limit - s.turn) // s.limit if s.limit > s.turn else 0
    wait = seat - s.turn & LAST_SEAT
    for block in range(SIZE):
        out[LEFT_AT * SIZE + block] = left
        out[WAIT_AT * SIZE + block] = wait


@flat
def show_player(s: Any, p: int, out: Any, at: int) -> None:
    """Fill in the planes from `at` on, of a player that stands."""
    block = block_at(s.row[p], s.column[p])
    out[at + block] = 1 + s.stun[p]
    out[at + SIZE + block] = s.row[p] % BLOCK_WIDTH - 1
    out[at + 2 * SIZE + block] = s.column[p] % BLOCK_WIDTH - 1
    put_bits(AHEAD[block * DIRECTIONS + s.facing[p]], 0, 0, 1, 1, SIZE, out, at + 3 * SIZE)
