"""How a trapper of Drop-Block answers: as the sample bot `trapper` does, to the letter.

`bots/trapper.py` tells the idea: everybody's freedom is counted, the squares on which a player can still stand some
rounds from now. Written flat (see `dohyo.core.flat`), so that it runs plain and compiled.

Squares are bits of six numbers, one for each row of blocks: the square at row r and column c is bit 18 * (r % 3) + c
of number r // 3. So a step of all walks at once is a few operations on six numbers, and a block is one mask.

Times are in turns from now. While a letter is tried, a loose block on `s` holds when it falls, whoever loosened it.
"""

from __future__ import annotations

from typing import Any

from dohyo.core.cheap_random import mixed
from dohyo.core.flat import absolute, flat, index, popcount
from dohyo.games.drop_block.careful import attack_after, attack_at_turn, fasten, towards
from dohyo.games.drop_block.rules import (
    ACTIONS,
    ATTACK,
    BLOCK_WIDTH,
    BLOCKS,
    COLUMN_STEP,
    FALL_DELAY,
    GONE,
    NOTHING,
    PERSONAL_SPACE,
    ROW_STEP,
    SEATS,
    SQUARES,
    STUN_BY_ATTACK,
    block_at,
    can_enter,
    move,
)

ROUNDS = 4  # own turns, in which freedom is counted

# What things are worth, as an evolution strategy found it in matches against three `hunter`.
LIFE = 3.4  # not to be caught
PREY = 1.9  # an enemy that is caught
SPACE = 0.4  # my freedom: so much is lost, by the squares that I have
CAGE = 4.0  # an enemy's freedom: so much is won, by the squares that it has
ALMOST = 7.0  # added to those squares
CROWDED = 0.38  # to be caught if the others come a step nearer
AT_ONCE = 0.47  # to be caught if an enemy attacks in its next turn, which faces me
SOON = 0.027  # and if it has to turn or to recover first
STRUCK = 6.3  # to be caught while I am stunned, by an enemy that walks up to me
STRIKE = 1.06  # to be able to catch a stunned enemy so
FORK = 0.84  # an enemy that my next attack would catch wherever it steps; less, by the squares it would have then
EFFORT = 0.017  # an attack
PACE = 0.0023  # being a step nearer to a block beside an enemy's
UNREST = 0.0023  # so much at random: those who stand and stare at each other draw
RESTLESS = 0.00005  # and so much more in each turn

FAR = 40  # steps, where no such square can be reached
BACK = -GONE  # turns from a block's fall until it can be entered again

STRIP = SQUARES * BLOCK_WIDTH
ALL = (1 << STRIP) - 1
ONE_ROW = (1 << SQUARES) - 1
TWO_ROWS = (1 << 2 * SQUARES) - 1
FIRST_COLUMN = 1 | 1 << SQUARES | 1 << 2 * SQUARES
NOT_FIRST, NOT_LAST = ALL ^ FIRST_COLUMN, ALL ^ FIRST_COLUMN << SQUARES - 1
BLOCK = 7 * FIRST_COLUMN  # the leftmost one of a strip

# What it thinks with: one record of these fields.
FIELDS = (
    ("reached", "i8", BLOCKS),  # squares that somebody can be on
    ("vacant", "i8", BLOCKS),  # squares out of the others' personal space
    ("kept", "i8", SEATS * BLOCKS),  # each player's personal space
    ("claimed", "i8", SEATS * BLOCKS),  # what it may be after a step, or is
    ("paces", "i4", SEATS + 1),  # from the squares beside me, and from mine, to the nearest beside an enemy's block
)


@flat
def trap(s: Any, me: int, mind: Any) -> int:
    """What a trapper on seat `me` answers at its turn. It tries letters on `s`, and takes them back."""
    if s.row[me] < 0 or s.stun[me] > 0:
        return NOTHING
    prepare(s, me, mind)
    best, most = NOTHING, -1e9
    for letter in range(ACTIONS):
        worth = worth_of(s, me, letter, mind)
        if worth > most:
            best, most = letter, worth
    return best


@flat
def prepare(s: Any, me: int, mind: Any) -> None:
    """Note what is the same for all letters: everybody's personal space, and the way to the enemies."""
    for p in range(SEATS):
        mark_space(s, p, mind)
    measure_paces(s, me, mind)


@flat
def worth_of(s: Any, me: int, letter: int, mind: Any) -> float:
    """What a letter is worth, after `prepare`. `s` is as before then."""
    row, column, facing, stun = s.row[me], s.column[me], s.facing[me], s.stun[me]
    loosened = 0
    if letter < ATTACK:
        move(s, me, letter, None)
    elif letter == ATTACK:
        loosened = attack_after(s, me, 0)
    mark_space(s, me, mind)
    next_turn = SEATS + SEATS * s.stun[me]
    mine = freedom(s, me, next_turn, mind.kept, mind)
    worth = -LIFE
    if mine > 0:
        worth = -SPACE / mine
        if freedom(s, me, next_turn, mind.claimed, mind) == 0:
            worth -= CROWDED
    for enemy in range(SEATS):
        if enemy != me and s.row[enemy] >= 0:
            worth += worth_beside(s, me, enemy, mine, next_turn, mind)
    if letter == ATTACK:
        worth -= EFFORT
    moved = s.row[me] != row or s.column[me] != column
    worth -= PACE * mind.paces[letter if moved else SEATS]
    worth += (UNREST + RESTLESS * s.turn) * (mixed(s.turn * ACTIONS + letter) & 1023) / 1024
    s.row[me], s.column[me], s.facing[me], s.stun[me] = row, column, facing, stun
    fasten(s, loosened)
    return worth  # type: ignore[no-any-return]


@flat
def worth_beside(s: Any, me: int, enemy: int, mine: int, next_turn: int, mind: Any) -> float:
    """What an enemy adds to a letter's worth, once that is played; `mine` is my freedom then."""
    its_turn = (enemy - s.turn) % SEATS + SEATS * s.stun[enemy]
    its = freedom(s, enemy, its_turn, mind.kept, mind)
    if its == 0:
        return PREY
    worth = CAGE / (its + ALMOST)
    if mine > 0:
        worth -= danger(s, me, enemy, next_turn, mind)
    if s.stun[me] > 0:
        if mine > 0 and can_strike(s, enemy, me, its_turn, next_turn):
            worth -= STRUCK
    elif s.stun[enemy] > 0:
        if can_strike(s, me, enemy, next_turn, its_turn):
            worth += STRIKE
    else:
        worth += fork(s, me, enemy, its_turn, mind)
    return worth


@flat
def danger(s: Any, me: int, enemy: int, next_turn: int, mind: Any) -> float:
    """How bad it is what an attack of this enemy would do to me, if it looked at me."""
    direction = towards(s, enemy, me)
    if direction < 0:
        return 0.0
    facing, stun = s.facing[enemy], s.stun[enemy]
    s.facing[enemy] = direction
    loosened = attack_at_turn(s, enemy)
    caught = freedom(s, me, next_turn, mind.kept, mind) == 0
    s.facing[enemy], s.stun[enemy] = facing, stun
    fasten(s, loosened)
    if not caught:
        return 0.0
    return AT_ONCE if direction == facing and stun == 0 else SOON


@flat
def fork(s: Any, me: int, enemy: int, its_turn: int, mind: Any) -> float:
    """What my next attack is worth, if the enemy takes the step that leaves it most freedom then."""
    row, column, facing = s.row[enemy], s.column[enemy], s.facing[me]
    most, aimed = 0, True
    for direction in range(SEATS + 1):
        if direction < SEATS:
            there, across = row + ROW_STEP[direction], column + COLUMN_STEP[direction]
            if can_enter(s, enemy, there, across):
                s.row[enemy], s.column[enemy] = there, across
        aimed = aimed and towards(s, me, enemy) == facing
        if aimed:
            loosened = attack_after(s, me, SEATS)
            most = max(most, freedom(s, enemy, its_turn + SEATS, mind.kept, mind))
            s.stun[me] = 0
            fasten(s, loosened)
        s.row[enemy], s.column[enemy] = row, column
    return FORK / (most + 1) if aimed else 0.0


# --- the way to the enemies ----------------------------------------------------------------------------------------


@flat
def measure_paces(s: Any, me: int, mind: Any) -> None:
    """Fill `mind.paces`; only squares on stable blocks, out of everybody's personal space, are walked on."""
    find_goals(s, me, mind)
    for way in range(SEATS + 1):
        mind.paces[way] = FAR
    paces, grown = 0, True
    while grown and paces <= mind.paces[SEATS] + 1:
        for way in range(SEATS + 1):
            row, column = s.row[me], s.column[me]
            if way < SEATS:
                row, column = row + ROW_STEP[way], column + COLUMN_STEP[way]
            on_board = 0 <= row < SQUARES and 0 <= column < SQUARES
            if on_board and mind.paces[way] == FAR and mind.reached[row // BLOCK_WIDTH] & bit_of(row, column):
                mind.paces[way] = paces
        grown, above = False, 0
        for strip in range(BLOCKS):
            here = mind.reached[strip]
            more = here | beside_of(strip, above, mind) & mind.vacant[strip]
            grown = grown or more != here
            mind.reached[strip] = more
            above = here
        paces += 1


@flat
def find_goals(s: Any, me: int, mind: Any) -> None:
    """Note where I may walk, and as reached the squares of it on the four blocks beside an enemy's."""
    for strip in range(BLOCKS):
        taken, goals = 0, 0
        for q in range(SEATS):
            if q != me:
                taken |= mind.kept[index(q, strip, BLOCKS)]
        for column in range(BLOCKS):
            here = BLOCK << BLOCK_WIDTH * column
            if s.block[index(strip, column, BLOCKS)] != 0:
                taken |= here
            for q in range(SEATS):
                if q != me and s.row[q] >= 0:
                    down = absolute(s.row[q] // BLOCK_WIDTH - strip)
                    if down + absolute(s.column[q] // BLOCK_WIDTH - column) == 1:
                        goals |= here
        mind.vacant[strip] = ALL & ~taken
        mind.reached[strip] = goals & ~taken


# --- freedom -------------------------------------------------------------------------------------------------------


@flat
def freedom(s: Any, who: int, first: int, space: Any, mind: Any) -> int:
    """On how many squares `who` can stand in some rounds, walking from its turn `first` on; 0 if it is caught.

    The others stand still, in the personal `space` that is given.
    """
    last = first + SEATS * (ROUNDS - 1) + 1
    for b in range(BLOCKS * BLOCKS):
        last = max(last, s.block[b])
    if 0 < s.block[block_at(s.row[who], s.column[who])] <= first:
        return 0
    for strip in range(BLOCKS):
        taken = 0
        for q in range(SEATS):
            if q != who:
                taken |= space[index(q, strip, BLOCKS)]
        mind.vacant[strip] = ALL & ~taken
        mind.reached[strip] = 0
    mind.reached[s.row[who] // BLOCK_WIDTH] = bit_of(s.row[who], s.column[who])
    now = first
    while now < last:
        go_on(s, now, mind)
        now += SEATS
    squares = 0
    for strip in range(BLOCKS):
        squares += popcount(mind.reached[strip])
    return squares


@flat
def go_on(s: Any, now: int, mind: Any) -> None:
    """Make `mind.reached` what it is a round after the turn `now`: its squares and those beside, but what falls."""
    above = 0
    for strip in range(BLOCKS):
        here = mind.reached[strip]
        beside = beside_of(strip, above, mind)
        closed, falling = 0, 0
        for column in range(BLOCKS):
            v = s.block[index(strip, column, BLOCKS)]
            if v != 0:
                if is_gone(v, now):
                    closed |= BLOCK << BLOCK_WIDTH * column
                elif now < v <= now + SEATS:
                    falling |= BLOCK << BLOCK_WIDTH * column
        above = here
        mind.reached[strip] = (here | beside & mind.vacant[strip] & ~closed) & ~falling


@flat
def beside_of(strip: int, above: int, mind: Any) -> int:
    """The squares beside those reached, in this strip; `above` is what was reached in the strip above it."""
    here = mind.reached[strip]
    below = mind.reached[strip + 1] if strip + 1 < BLOCKS else 0
    across = (here & NOT_LAST) << 1 | (here & NOT_FIRST) >> 1
    along = (here & TWO_ROWS) << SQUARES | here >> SQUARES
    return across | along | above >> 2 * SQUARES | (below & ONE_ROW) << 2 * SQUARES  # type: ignore[no-any-return]


@flat
def is_gone(v: int, now: int) -> bool:
    """Whether a block of this value cannot be entered at the turn `now`."""
    return v <= now < v + BACK if v > 0 else now < -v


@flat
def bit_of(row: int, column: int) -> int:
    """The bit of a square in its strip."""
    return 1 << SQUARES * (row % BLOCK_WIDTH) + column


@flat
def mark_space(s: Any, p: int, mind: Any) -> None:
    """Note a player's personal space, and what it may be after its next step."""
    for strip in range(BLOCKS):
        mind.kept[index(p, strip, BLOCKS)] = 0
        mind.claimed[index(p, strip, BLOCKS)] = 0
    if s.row[p] >= 0:
        wide = PERSONAL_SPACE + (s.stun[p] == 0)
        for down in range(-wide, wide + 1):
            row = s.row[p] + down
            if 0 <= row < SQUARES:
                at, shift = index(p, row // BLOCK_WIDTH, BLOCKS), SQUARES * (row % BLOCK_WIDTH)
                mind.claimed[at] |= span(s.column[p], wide - absolute(down)) << shift
                if absolute(down) <= PERSONAL_SPACE:
                    mind.kept[at] |= span(s.column[p], PERSONAL_SPACE - absolute(down)) << shift


@flat
def span(column: int, wide: int) -> int:
    """The squares of a row that are so near to a column, a bit each."""
    return ((2 << 2 * wide) - 1) << SQUARES + column - wide >> SQUARES & ONE_ROW


# --- attacks -------------------------------------------------------------------------------------------------------


@flat
def can_strike(s: Any, who: int, prey: int, first: int, its_turn: int) -> bool:
    """Whether `who`, free from the turn `first` on, can catch a prey that stands still until `its_turn`.

    It may walk for two turns before it attacks; nobody else moves.
    """
    row, column, facing, stun = s.row[who], s.column[who], s.facing[who], s.stun[who]
    s.stun[who] = 0
    found = strikes(s, who, prey, first, its_turn)
    for one in range(SEATS):
        if not found:
            move(s, who, one, None)
            found = strikes(s, who, prey, first + SEATS, its_turn)
            there, across = s.row[who], s.column[who]
            for two in range(SEATS):
                if not found:
                    move(s, who, two, None)
                    found = strikes(s, who, prey, first + 2 * SEATS, its_turn)
                    s.row[who], s.column[who] = there, across
        s.row[who], s.column[who], s.facing[who] = row, column, facing
    s.stun[who] = stun
    return found


@flat
def strikes(s: Any, who: int, prey: int, at: int, its_turn: int) -> bool:
    """Whether an attack of `who` at the turn `at` takes the block away from under a prey before it can leave."""
    direction = towards(s, who, prey)
    if direction != s.facing[who] or s.block[block_at(s.row[prey], s.column[prey])] != 0:
        return False
    under = s.block[block_at(s.row[who], s.column[who])]
    down = absolute(s.row[prey] // BLOCK_WIDTH - s.row[who] // BLOCK_WIDTH)
    right = absolute(s.column[prey] // BLOCK_WIDTH - s.column[who] // BLOCK_WIDTH)
    falls = at + FALL_DELAY * (down + right)
    in_middle = s.row[prey] % BLOCK_WIDTH == 1 and s.column[prey] % BLOCK_WIDTH == 1
    leaves = its_turn + SEATS if in_middle else its_turn
    return falls <= leaves and (under == 0 or under > at + SEATS * STUN_BY_ATTACK)
