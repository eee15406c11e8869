"""How a careful player of Drop-Block answers: as the sample bot `hunter` does, to the letter.

`bots/hunter.py` tells the idea: each of the six letters is tried on the board, and judged by how likely everybody
survives what is loose then. The sample bot `sensei` expects it of the others, and plays so itself without a compiler;
`dohyo analyse` lets everybody go on so (`judge.py`). Written flat (see `dohyo.core.flat`), so that it runs plain and
compiled; the rules are the game's own functions.
"""

from __future__ import annotations

from typing import Any

from dohyo.core.flat import absolute, flat, index
from dohyo.games.drop_block.rules import (
    ACTIONS,
    ATTACK,
    BLOCK_WIDTH,
    BLOCKS,
    COLUMN_STEP,
    DOWN,
    LEFT,
    NOTHING,
    PERSONAL_SPACE,
    RIGHT,
    ROW_STEP,
    SEATS,
    SQUARES,
    STUN_BY_ATTACK,
    UP,
    attack,
    move,
)
from dohyo.games.drop_block.survival import AIMLESS, ROOM, SKILLED, survival

# What things are worth, where a life is worth 1.
PREY = 0.12  # an enemy that falls
EFFORT = 0.04  # the three turns that an attack takes
STEP = 0.002  # being one step nearer to a square to attack from
FAR = 40  # steps, where no such square can be reached
AT_ONCE = 1 / 6  # how likely an enemy attacks in its next turn, if it faces me
SOON = 0.03  # and soon, if it has to turn or to recover first

BLOCK_BITS = 7  # a block's squares in a row

# Ways to leave a square by: the four directions, and none
HERE = 4
WAY_DOWN = (*ROW_STEP, 0)
WAY_RIGHT = (*COLUMN_STEP, 0)


# What it thinks with: one record of these fields.
FIELDS = (
    *ROOM[:2],
    ("usable", "i4", SQUARES),  # a bit a square: where I may walk
    ("near", "i4", SQUARES),  # a bit a square: from where so many steps lead to a square to attack from
    ("steps", "i1", HERE + 1),  # from the squares beside me, and from mine, to the nearest one to attack from
    *ROOM[2:],
)


@flat
def careful(s: Any, me: int, mind: Any) -> int:
    """What a careful player on seat `me` answers at its turn. It tries letters on `s`, and takes them back."""
    if s.row[me] < 0 or s.stun[me] > 0:
        return NOTHING
    measure_steps(s, me, mind)
    best, most = NOTHING, -1e9
    for letter in range(ACTIONS):
        worth = worth_of(s, me, letter, mind)
        if worth > most:
            best, most = letter, worth
    return best


@flat
def worth_of(s: Any, me: int, letter: int, mind: Any) -> float:
    """What a letter is worth: my life, less the dangers, and the prey's. `s` is as before then."""
    row, column, facing, stun = s.row[me], s.column[me], s.facing[me], s.stun[me]
    loosened = 0
    if letter < ATTACK:
        move(s, me, letter, None)
    elif letter == ATTACK:
        loosened = attack_at_turn(s, me)
    life, dangers, gains = 0.0, 0.0, 0.0
    for p in range(SEATS):
        if s.row[p] >= 0:
            chance = survival(s, p, SKILLED if p == me else AIMLESS, mind)
            if p == me:
                life = chance
            else:
                dangers += danger(s, me, p, mind)
                gains += PREY * (1 - chance)
    moved = s.row[me] != row or s.column[me] != column
    steps = mind.steps[letter if moved else HERE]
    effort = EFFORT if letter == ATTACK else 0.0
    s.row[me], s.column[me], s.facing[me], s.stun[me] = row, column, facing, stun
    fasten(s, loosened)
    return life - dangers + gains - effort - STEP * steps  # type: ignore[no-any-return]


@flat
def attack_at_turn(s: Any, who: int) -> int:
    """Let `who` attack in its next turn, told in turns from now; the blocks that it loosens, a bit each."""
    return attack_after(s, who, (who - s.turn) % SEATS)


@flat
def attack_after(s: Any, who: int, wait: int) -> int:
    """Let `who` attack in the turn that comes after so many, told in turns from now; as `attack_at_turn`."""
    stable = 0
    for b in range(BLOCKS * BLOCKS):
        if s.block[b] == 0:
            stable |= 1 << b
    attack(s, who, None)
    s.stun[who] = STUN_BY_ATTACK - 1
    loosened = 0
    for b in range(BLOCKS * BLOCKS):
        if stable >> b & 1 and s.block[b] > 0:
            s.block[b] += wait
            loosened |= 1 << b
    return loosened


@flat
def fasten(s: Any, loosened: int) -> None:
    """Make blocks stable again, a bit each."""
    for b in range(BLOCKS * BLOCKS):
        if loosened >> b & 1:
            s.block[b] = 0


@flat
def danger(s: Any, me: int, enemy: int, mind: Any) -> float:
    """How likely this enemy is to get me, once my letter of this turn is played. `s` is as before then."""
    direction = towards(s, enemy, me)
    if direction < 0:
        return 0.0
    facing, stun = s.facing[enemy], s.stun[enemy]
    likely = AT_ONCE if direction == facing and stun == 0 else SOON
    s.facing[enemy] = direction
    loosened = attack_at_turn(s, enemy)
    caught = 1 - survival(s, me, SKILLED, mind)
    s.facing[enemy], s.stun[enemy] = facing, stun
    fasten(s, loosened)
    return likely * caught


@flat
def towards(s: Any, who: int, prey: int) -> int:
    """The direction in which an attack of `who` reaches the prey's block; -1 if none does."""
    down = s.row[prey] // BLOCK_WIDTH - s.row[who] // BLOCK_WIDTH
    right = s.column[prey] // BLOCK_WIDTH - s.column[who] // BLOCK_WIDTH
    if (down == 0) == (right == 0):
        return -1
    if right == 0:
        return DOWN if down > 0 else UP
    return RIGHT if right > 0 else LEFT


# --- the way to the next attack ------------------------------------------------------------------------------------
# A row of the board is a number with a bit a square, so that a step of all ways at once is a few operations a row.


@flat
def measure_steps(s: Any, me: int, mind: Any) -> None:
    """Fill `mind.steps`: the steps from the squares beside me, and from mine, to the nearest beside a prey's block.

    Only squares on stable blocks, out of everybody's personal space, count.
    """
    find_usable(s, me, mind)
    for row in range(SQUARES):
        mind.near[row] = 0
    for enemy in range(SEATS):
        if enemy != me and s.row[enemy] >= 0:
            begin_beside(s, enemy, mind)
    for way in range(HERE + 1):
        mind.steps[way] = FAR
    for row in range(SQUARES):
        mind.near[row] &= mind.usable[row]
    steps, grown = 0, True
    while grown and steps <= mind.steps[HERE] + 1:
        for way in range(HERE + 1):
            row, column = s.row[me] + WAY_DOWN[way], s.column[me] + WAY_RIGHT[way]
            on_board = 0 <= row < SQUARES and 0 <= column < SQUARES
            if on_board and mind.steps[way] == FAR and mind.near[row] >> column & 1:
                mind.steps[way] = steps
        grown = grow(mind)
        steps += 1


@flat
def find_usable(s: Any, me: int, mind: Any) -> None:
    """Fill `mind.usable`: the squares on stable blocks that the others leave open."""
    for down in range(BLOCKS):
        stable = 0
        for right in range(BLOCKS):
            stable |= (s.block[index(down, right, BLOCKS)] == 0) * (BLOCK_BITS << BLOCK_WIDTH * right)
        for i in range(BLOCK_WIDTH):
            mind.usable[down * BLOCK_WIDTH + i] = stable
    for q in range(SEATS):
        if q != me and s.row[q] >= 0:
            for down in range(-PERSONAL_SPACE, PERSONAL_SPACE + 1):
                wide = PERSONAL_SPACE - absolute(down)
                row = s.row[q] + down
                if 0 <= row < SQUARES:
                    kept = ((2 << 2 * wide) - 1) << (s.column[q] - wide + PERSONAL_SPACE) >> PERSONAL_SPACE
                    mind.usable[row] &= ~kept


@flat
def begin_beside(s: Any, enemy: int, mind: Any) -> None:
    """Note the squares of the four blocks beside an enemy's as seen."""
    for direction in range(4):
        down = s.row[enemy] // BLOCK_WIDTH + ROW_STEP[direction]
        right = s.column[enemy] // BLOCK_WIDTH + COLUMN_STEP[direction]
        if 0 <= down < BLOCKS and 0 <= right < BLOCKS:
            for i in range(BLOCK_WIDTH):
                mind.near[down * BLOCK_WIDTH + i] |= BLOCK_BITS << BLOCK_WIDTH * right


@flat
def grow(mind: Any) -> bool:
    """Add every usable square beside one that was seen; whether there was any."""
    grown, above = False, 0
    for row in range(SQUARES):
        here = mind.near[row]
        below = mind.near[row + 1] if row + 1 < SQUARES else 0
        more = (here | here << 1 | here >> 1 | above | below) & mind.usable[row]
        grown = grown or more != here
        mind.near[row] = more
        above = here
    return grown
