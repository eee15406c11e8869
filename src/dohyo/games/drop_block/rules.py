"""Drop-Block, the rules: four players on a floor that falls.

Source: the contest's rule texts (JavaChallenge 2015) and what its referee did where they are silent.
Written over a flat state (see `dohyo.core.flat`): the same functions run plain and compiled.

Numbers
    seats      0..3; the player to move is turn % 4, written turn & 3: compiled, that is never negative, and shorter
    direction  0 up, 1 right, 2 down, 3 left
    action     0..3 a move in that direction, 4 attack, 5 nothing
    board      18 x 18 squares, row 0 at the top; 6 x 6 blocks of 3 x 3 squares, numbered row by row
    block      0 stable; v > 0 falls in v turns; v < 0 is gone and comes back in |v| turns
    stun       own turns that are still blocked
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dohyo.core.flat import Layout, emit, flat, flat_as, index, uniform

SEATS = 4
LAST_SEAT = SEATS - 1
SQUARES = 18
BLOCKS = 6
BLOCK_WIDTH = 3
NOBODY = -1

UP, RIGHT, DOWN, LEFT = 0, 1, 2, 3
ATTACK = 4
NOTHING = 5
ACTIONS = 6

ROW_STEP = (-1, 0, 1, 0)
COLUMN_STEP = (0, 1, 0, -1)

PERSONAL_SPACE = 3  # no move may end at this Manhattan distance, or nearer, from another living player
STUN_BY_ATTACK = 3  # before the attacker's own turn counts it down to 2
FALL_DELAY = 4  # turns for each block of distance
GONE = -19  # a block's value right after its fall

DICE = 3 * SEATS  # the deal: row, column and facing of each player

LAYOUT = Layout(
    "DropBlock",
    ("turn", "i4", 0),
    ("limit", "i4", 0),
    ("fallen_at", "i4", SEATS),  # the turn in which the player fell; meaningless while it stands
    ("row", "i1", SEATS),  # -1 when fallen
    ("column", "i1", SEATS),  # -1 when fallen
    ("facing", "i1", SEATS),
    ("stun", "i1", SEATS),
    ("block", "i1", BLOCKS * BLOCKS),
    ("dealt", "i1", 0),  # 1 when the players are on the board
    ("idle_on", "i1", 0),  # 1: play on to the limit when all have fallen, as the contest's referee did
    ("column_first", "i1", 0),  # 1: positions are sent column first, as the contest's referee did
)

# Events, for whoever draws: (kind, a, b, c)
BLOCKED, IGNORED, ATTACKED, AIMED, BLOCK_FELL, BLOCK_RETURNED, PLAYER_FELL = 1, 2, 3, 4, 5, 6, 7
EVENTS_A_TURN = BLOCKS * BLOCKS + 2 * BLOCKS + 2 * SEATS

# Why a match ended
LAST_STANDING, ALL_FALLEN, TURN_LIMIT = 1, 2, 3
REASONS: Mapping[int, str] = {
    LAST_STANDING: "drop-block.last-standing",
    ALL_FALLEN: "drop-block.all-fallen",
    TURN_LIMIT: "drop-block.turn-limit",
}


# --- the deal ------------------------------------------------------------------------------------------------------


@flat
def needs_dice(s: Any) -> bool:
    """Whether the dice are to move next: once, for the deal."""
    return s.dealt == 0  # type: ignore[no-any-return]


@flat
def roll(s: Any, source: Any, dice: Any) -> int:
    """Draw the deal into `dice` (row, column, facing of each player in turn); how many numbers it has.

    A square is drawn until one is far enough from every player already placed: uniform among those that are.
    """
    for p in range(SEATS):
        square = uniform(source, SQUARES * SQUARES)
        while not is_open(square, p, dice):
            square = uniform(source, SQUARES * SQUARES)
        dice[3 * p] = square // SQUARES
        dice[3 * p + 1] = square % SQUARES
        dice[3 * p + 2] = uniform(source, 4)
    return DICE


@flat
def is_open(square: int, placed: int, dice: Any) -> bool:
    """Whether the first `placed` players in `dice` leave this square open for the next one."""
    for q in range(placed):
        apart = abs(square // SQUARES - dice[3 * q]) + abs(square % SQUARES - dice[3 * q + 1])
        if apart <= PERSONAL_SPACE:
            return False
    return True


@flat
def deal(s: Any, dice: Any, events: Any) -> None:
    """Put the players where the dice say."""
    for p in range(SEATS):
        s.row[p] = dice[3 * p]
        s.column[p] = dice[3 * p + 1]
        s.facing[p] = dice[3 * p + 2]
    s.dealt = 1


# --- a turn --------------------------------------------------------------------------------------------------------


@flat
def acts(s: Any, seat: int) -> bool:
    """Whether this seat is asked now; a fallen player is asked too."""
    return s.turn & LAST_SEAT == seat  # type: ignore[no-any-return]


@flat
def legal(s: Any, seat: int, out: Any) -> int:
    """Fill `out` with the legal actions, all six always; how many there are."""
    for action in range(ACTIONS):
        out[action] = action
    return ACTIONS


@flat
def count_legal(s: Any, seat: int, notes: Any) -> int:
    """How many `legal` lists."""
    return ACTIONS


@flat
def kth_legal(s: Any, seat: int, k: int, notes: Any) -> int:
    """The action at place k of them."""
    return k


@flat
def is_legal(s: Any, seat: int, action: int) -> bool:
    """Whether it is one of the six."""
    return 0 <= action < ACTIONS


@flat
def step(s: Any, actions: Any, events: Any) -> None:
    """Play one turn: the player to move acts, blocks fall and come back, the turn is over.

    `actions` holds one action for each seat; only the mover's is read.
    """
    p = s.turn & LAST_SEAT
    if s.row[p] >= 0 and s.stun[p] == 0:
        act(s, p, actions[p], events)
    else:
        emit(events, IGNORED, p, actions[p], 0)
    recover(s, p)
    drop_players(s, events)
    if events is not None:
        note_blocks(s, events)
    tick_blocks(s)
    s.turn += 1


@flat
def act(s: Any, p: int, action: int, events: Any) -> None:
    """Play the action of a living player that is not stunned."""
    if action < ATTACK:
        move(s, p, action, events)
    elif action == ATTACK:
        attack(s, p, events)


@flat
def move(s: Any, p: int, direction: int, events: Any) -> None:
    """Turn to face the direction, and step there if nothing forbids it."""
    s.facing[p] = direction
    row = s.row[p] + ROW_STEP[direction]
    column = s.column[p] + COLUMN_STEP[direction]
    if can_enter(s, p, row, column):
        s.row[p] = row
        s.column[p] = column
    else:
        emit(events, BLOCKED, p, row, column)


@flat
def can_enter(s: Any, p: int, row: int, column: int) -> bool:
    """Whether the square is on the board, on a block that is there, and far enough from the other living players.

    A block that is about to fall may be entered.
    """
    if row < 0 or row >= SQUARES or column < 0 or column >= SQUARES:
        return False
    if s.block[block_at(row, column)] < 0:
        return False
    for q in range(SEATS):
        if q != p and s.row[q] >= 0:
            apart = abs(s.row[q] - row) + abs(s.column[q] - column)
            if apart <= PERSONAL_SPACE:
                return False
    return True


@flat
def attack(s: Any, p: int, events: Any) -> None:
    """Loosen every stable block of the row ahead, the nearer the sooner, at the price of being stunned.

    The n-th block away falls in 4n turns; one that is already falling or gone keeps its own time.
    """
    direction = s.facing[p]
    row = s.row[p] // BLOCK_WIDTH + ROW_STEP[direction]
    column = s.column[p] // BLOCK_WIDTH + COLUMN_STEP[direction]
    emit(events, ATTACKED, p, direction, 0)
    n = 1
    while 0 <= row < BLOCKS and 0 <= column < BLOCKS:
        block = index(row, column, BLOCKS)
        emit(events, AIMED, p, block, n)
        if s.block[block] == 0:
            s.block[block] = FALL_DELAY * n
        row += ROW_STEP[direction]
        column += COLUMN_STEP[direction]
        n += 1
    s.stun[p] = STUN_BY_ATTACK


@flat
def recover(s: Any, p: int) -> None:
    """Count one of a living player's own turns off its stun."""
    if s.row[p] >= 0 and s.stun[p] > 0:
        s.stun[p] -= 1


@flat
def drop_players(s: Any, events: Any) -> None:
    """Every player on a block that falls at the end of this turn falls with it."""
    for p in range(SEATS):
        row, column = s.row[p], s.column[p]
        if row >= 0 and s.block[block_at(row, column)] == 1:
            emit(events, PLAYER_FELL, p, row, column)
            s.row[p] = NOBODY
            s.column[p] = NOBODY
            s.fallen_at[p] = s.turn


@flat
def note_blocks(s: Any, events: Any) -> None:
    """Note which blocks fall and which come back, for drawing."""
    for block in range(BLOCKS * BLOCKS):
        if s.block[block] == 1:
            emit(events, BLOCK_FELL, block, 0, 0)
        if s.block[block] == -1:
            emit(events, BLOCK_RETURNED, block, 0, 0)


@flat
def ticked(v: int) -> int:
    """What a block's value becomes in a turn.

    One expression without a branch: compiled, a whole floor of them becomes a few vector instructions.
    """
    return v - (v > 0) + (v < 0) + GONE * (v == 1)


@flat
def tick_blocks_by_loop(s: Any) -> None:
    """`tick_blocks`, block by block."""
    for block in range(BLOCKS * BLOCKS):
        s.block[block] = ticked(s.block[block])


# By a block's value, a negative one counted from the end: whatever fits its field.
TICKED = tuple(ticked(v) for v in (*range(128), *range(-128, 0)))


@flat_as(tick_blocks_by_loop)
def tick_blocks(s: Any) -> None:
    """Bring every block one turn nearer to its fall or its return; a stable one stays as it is."""
    if any(s.block):
        s.block[:] = [TICKED[v] for v in s.block]


@flat
def block_at(row: int, column: int) -> int:
    """The number of the block under a square of the board.

    n * 43 >> 7 is n // 3 for n from 0 to 126; compiled, that is half as long, since it has no case for a negative n.
    """
    return (row * 43 >> 7) * BLOCKS + (column * 43 >> 7)


# --- the end -------------------------------------------------------------------------------------------------------


@flat
def standing(s: Any) -> int:
    """How many players have not fallen."""
    alive = 0
    for p in range(SEATS):
        if s.row[p] >= 0:
            alive += 1
    return alive


@flat
def over(s: Any) -> bool:
    """Whether the match has ended; asked before every turn."""
    alive = standing(s)
    return alive == 1 or s.turn >= s.limit or (alive == 0 and s.idle_on == 0)


@flat
def winner(s: Any) -> int:
    """The last player standing; nobody when several stand, or when all have fallen."""
    last = NOBODY
    if standing(s) == 1:
        for p in range(SEATS):
            if s.row[p] >= 0:
                last = p
    return last


@flat
def places(s: Any, out: Any) -> int:
    """Fill `out` with each seat's place, 1 the best, equal ones shared; why the match ended.

    Those who stand share the first place; a player that fell later ranks higher.
    """
    for p in range(SEATS):
        ahead = 0
        for q in range(SEATS):
            if outlasted(s, q, p):
                ahead += 1
        out[p] = 1 + ahead
    alive = standing(s)
    if alive == 1:
        return LAST_STANDING
    return ALL_FALLEN if alive == 0 else TURN_LIMIT


@flat
def outlasted(s: Any, q: int, p: int) -> bool:
    """Whether q stands, or fell, later than p."""
    if s.row[p] >= 0:
        return False
    return s.row[q] >= 0 or s.fallen_at[q] > s.fallen_at[p]  # type: ignore[no-any-return]
