"""How likely a player of Drop-Block still stands when all that is loose has fallen.

The sample bot `sensei` plans with it, and `dohyo analyse` judges by it (`judge.py`). Written flat (see
`dohyo.core.flat`), so that it runs plain and compiled.
"""

from __future__ import annotations

from typing import Any

from dohyo.core.flat import absolute, flat, index
from dohyo.games.drop_block.rules import (
    ACTIONS,
    BLOCK_WIDTH,
    BLOCKS,
    COLUMN_STEP,
    PERSONAL_SPACE,
    ROW_STEP,
    SEATS,
    SQUARES,
    block_at,
)

# How somebody walks. Doubles: for each whole number that is told, a compiled function would be made once more.
SKILLED, AIMLESS = 1.0, 0.0

GONE_FOR = 19  # turns from a block's fall until it can be entered again
REACH = 8  # steps that may matter before everything loose has fallen
WIDE = 2 * REACH + 1
WINDOW = WIDE * WIDE

# What it works in: fields of a record of whoever asks.
ROOM = (
    ("chance", "f8", WINDOW),  # how likely somebody survives from a square
    ("later", "f8", WINDOW),  # the same one turn of its own later
    ("open", "i1", WINDOW),  # 1 where the others let somebody stand
)


@flat
def survival(s: Any, who: int, skill: float, mind: Any) -> float:
    """How likely `who` still stands when all blocks that are loose now have fallen, 0 to 1.

    SKILLED, it walks its best walk; AIMLESS, at random. Everybody else is taken to stand still, and the mover to have
    moved.
    """
    last = 0
    for b in range(BLOCKS * BLOCKS):
        last = max(last, s.block[b])
    row, column = s.row[who], s.column[who]
    under = s.block[block_at(row, column)]
    if last == 0 or (skill == SKILLED and under <= 0):
        return 1.0
    now = (who - s.turn) % SEATS
    if now == 0:
        now = SEATS
    now += SEATS * s.stun[who]
    if 0 < under <= now:
        return 0.0
    turns = 0
    while now + SEATS * turns <= last:
        turns += 1
    if turns == 0 or is_calm(s, row, column, turns):
        return 1.0
    return walk(s, who, skill, now, turns, mind)


@flat
def is_calm(s: Any, row: int, column: int, steps: int) -> bool:
    """Whether no loose block is within so many steps."""
    top, bottom = max(row - steps, 0) // BLOCK_WIDTH, min(row + steps, SQUARES - 1) // BLOCK_WIDTH
    left, right = max(column - steps, 0) // BLOCK_WIDTH, min(column + steps, SQUARES - 1) // BLOCK_WIDTH
    for down in range(top, bottom + 1):
        for across in range(left, right + 1):
            if s.block[index(down, across, BLOCKS)] > 0:
                return False
    return True


@flat
def walk(s: Any, who: int, skill: float, now: int, turns: int, mind: Any) -> float:
    """`survival` from `who`'s first free turn, `now` turns from here: from its last turn back to that one."""
    turns = min(turns, REACH - 1)
    look_around(s, who, turns, mind)
    for at in range(WINDOW):
        mind.later[at] = 1.0
    for turn in range(turns - 1, -1, -1):
        then = now + SEATS * turn
        for down in range(-turn, turn + 1):
            wide = turn - absolute(down)
            for right in range(-wide, wide + 1):
                at = index(down + REACH, right + REACH, WIDE)
                mind.chance[at] = from_here(s, s.row[who] + down, s.column[who] + right, skill, then, mind, at)
        for at in range(WINDOW):
            mind.later[at] = mind.chance[at]
    return mind.chance[index(REACH, REACH, WIDE)]  # type: ignore[no-any-return]


@flat
def look_around(s: Any, who: int, steps: int, mind: Any) -> None:
    """Fill `mind.open` within so many steps: where the others let `who` stand."""
    for down in range(-steps, steps + 1):
        for right in range(-steps, steps + 1):
            row, column = s.row[who] + down, s.column[who] + right
            free = 0 <= row < SQUARES and 0 <= column < SQUARES
            for q in range(SEATS):
                if q != who and s.row[q] >= 0:
                    apart = absolute(s.row[q] - row) + absolute(s.column[q] - column)
                    free = free and apart > PERSONAL_SPACE
            mind.open[index(down + REACH, right + REACH, WIDE)] = free


@flat
def from_here(s: Any, row: int, column: int, skill: float, now: int, mind: Any, at: int) -> float:
    """The chance from this square, if `who` is there at its turn `now` turns from here."""
    if row < 0 or row >= SQUARES or column < 0 or column >= SQUARES:
        return 0.0
    under = s.block[block_at(row, column)]
    stay = 0.0 if now < under <= now + SEATS else mind.later[at]
    most, total = stay, 0.0
    for direction in range(4):
        there = at + ROW_STEP[direction] * WIDE + COLUMN_STEP[direction]
        chance = stay
        if mind.open[there]:
            block = s.block[block_at(row + ROW_STEP[direction], column + COLUMN_STEP[direction])]
            if (
                block == 0
                or (block < 0 and now >= -block)
                or (block > 0 and (now < block or now >= block + GONE_FOR))
            ):
                chance = 0.0 if now < block <= now + SEATS else mind.later[there]
        most = max(most, chance)
        total += chance
    return skill * most + (1 - skill) * (total + stay + stay) / ACTIONS
