"""What the policy sees of Drop-Block: 129 numbers within -1 .. 1, counted from where its player stands.

Written over a flat state, as the rules are: training runs it compiled over arrays of games, the bot runs it plain
over what it has read. So both see the same.
"""

from __future__ import annotations

from typing import Any

from dohyo.core.flat import flat, index
from dohyo.games.drop_block.rules import (
    BLOCK_WIDTH,
    BLOCKS,
    COLUMN_STEP,
    FALL_DELAY,
    ROW_STEP,
    SEATS,
    SQUARES,
    STUN_BY_ATTACK,
    block_at,
    can_enter,
)

REACH = 2  # blocks to each side that are looked at
WINDOW = 2 * REACH + 1
ON_BLOCK = BLOCK_WIDTH * BLOCK_WIDTH
STUN = ON_BLOCK + 2  # of its own: where that stands
OWN = ON_BLOCK + 8
OF_MOVE = 2
OF_ENEMY = 18
MOVES_AT = OWN
FLOOR_AT = MOVES_AT + 4 * OF_MOVE
ENEMIES_AT = FLOOR_AT + 2 * WINDOW * WINDOW
SIZE = ENEMIES_AT + (SEATS - 1) * OF_ENEMY


@flat
def observe(s: Any, seat: int, out: Any) -> None:
    """Fill `out` (SIZE numbers) with what the seat sees; all 0 when it has fallen."""
    for at in range(SIZE):
        out[at] = 0.0
    if s.row[seat] >= 0:
        show_self(s, seat, out)
        show_floor(s, seat, out)
        for k in range(1, SEATS):
            enemy = (seat + k) % SEATS
            if s.row[enemy] >= 0:
                show_enemy(s, seat, enemy, out, ENEMIES_AT + (k - 1) * OF_ENEMY)


@flat
def show_self(s: Any, seat: int, out: Any) -> None:
    """Where it stands, on its block and on the board; how it stands; where each of the four moves leads."""
    row, column = s.row[seat], s.column[seat]
    out[index(row % BLOCK_WIDTH, column % BLOCK_WIDTH, BLOCK_WIDTH)] = 1.0
    out[ON_BLOCK] = 2.0 * row / (SQUARES - 1) - 1.0
    out[ON_BLOCK + 1] = 2.0 * column / (SQUARES - 1) - 1.0
    out[STUN] = s.stun[seat] / STUN_BY_ATTACK
    out[ON_BLOCK + 3] = urgency(s.block[block_at(row, column)])
    out[ON_BLOCK + 4 + s.facing[seat]] = 1.0
    for direction in range(4):
        there, beside = row + ROW_STEP[direction], column + COLUMN_STEP[direction]
        if can_enter(s, seat, there, beside):
            out[MOVES_AT + OF_MOVE * direction] = 1.0
            out[MOVES_AT + OF_MOVE * direction + 1] = urgency(s.block[block_at(there, beside)])


@flat
def show_floor(s: Any, seat: int, out: Any) -> None:
    """The blocks around its own, two numbers each: how soon it falls; how long it is gone, 1 outside the board."""
    top, left = s.row[seat] // BLOCK_WIDTH - REACH, s.column[seat] // BLOCK_WIDTH - REACH
    for i in range(WINDOW):
        for j in range(WINDOW):
            at = FLOOR_AT + 2 * index(i, j, WINDOW)
            row, column = top + i, left + j
            if 0 <= row < BLOCKS and 0 <= column < BLOCKS:
                v = s.block[index(row, column, BLOCKS)]
                out[at] = urgency(v)
                out[at + 1] = -v / 20.0 if v < 0 else 0.0
            else:
                out[at + 1] = 1.0


@flat
def show_enemy(s: Any, seat: int, enemy: int, out: Any, at: int) -> None:
    """An enemy that stands: how far away, where on its block, how it stands, and who could attack whom."""
    row, column = s.row[enemy], s.column[enemy]
    down = row // BLOCK_WIDTH - s.row[seat] // BLOCK_WIDTH
    right = column // BLOCK_WIDTH - s.column[seat] // BLOCK_WIDTH
    out[at] = 1.0
    out[at + 1] = (row - s.row[seat]) / (SQUARES - 1)
    out[at + 2] = (column - s.column[seat]) / (SQUARES - 1)
    out[at + 3] = down / (BLOCKS - 1)
    out[at + 4] = right / (BLOCKS - 1)
    out[at + 5] = row % BLOCK_WIDTH - 1.0
    out[at + 6] = column % BLOCK_WIDTH - 1.0
    out[at + 7] = s.stun[enemy] / STUN_BY_ATTACK
    out[at + 8] = urgency(s.block[block_at(row, column)])
    out[at + 9] = aim(s.facing[enemy], -down, -right)
    out[at + 10 + s.facing[enemy]] = 1.0
    for direction in range(4):
        out[at + 14 + direction] = aim(direction, down, right)


@flat
def urgency(v: int) -> float:
    """How soon a block falls: 1 before the player's next turn, 1/2 before the one after that; 0 if it stays."""
    return 1.0 / ((v + FALL_DELAY - 1) // FALL_DELAY) if v > 0 else 0.0


@flat
def aim(direction: int, down: int, right: int) -> float:
    """1 / n where the n-th block that an attack in this direction reaches lies so far `down` and `right`; else 0."""
    ahead = down * ROW_STEP[direction] + right * COLUMN_STEP[direction]
    aside = down * COLUMN_STEP[direction] + right * ROW_STEP[direction]
    return 1.0 / ahead if ahead > 0 and aside == 0 else 0.0
