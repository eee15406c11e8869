"""Shoot-Em-Up, the rules: two robots that cannot see each other.

Source: the assignment's text, and what the specification of its `arena` program settles.

Numbers
    board    10 x 10, x to the right, y down; both robots may share a square
    action   0..8 a move by (dx, dy) in lexicographic order from (-1, -1); 9..16 a shot, in the same order without
             (0, 0); 17 the robot's program has failed
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dohyo.core.flat import Layout, draws, emit, flat

SEATS = 2
WIDTH = 10
LIVES = 3  # the third hit kills

MOVES = 9
ACTIONS = 17
ERROR = 17
CONCESSIONS: Sequence[int] = (ERROR,)
DICE = 4  # first seat's x and y, second seat's x and y

X_OF = (-1, -1, -1, 0, 0, 0, 1, 1, 1, -1, -1, -1, 0, 0, 1, 1, 1)
Y_OF = (-1, 0, 1, -1, 0, 1, -1, 0, 1, -1, 0, 1, -1, 1, -1, 0, 1)

LAYOUT = Layout(
    "ShootEmUp",
    ("turn", "i4", 0),  # actions taken, by both
    ("limit", "i4", 0),  # pairs of actions
    ("x", "i1", SEATS),
    ("y", "i1", SEATS),
    ("hits", "i1", SEATS),
    ("shot", "i1", SEATS),  # its last action if that was a shot, else 0; the next one then has no power
    ("power", "i1", SEATS),  # 1: that shot had power
    ("was_hit", "i1", SEATS),  # since it was last told
    ("hit_x", "i1", SEATS),  # where from: toward the shooter
    ("hit_y", "i1", SEATS),
    ("told", "i1", SEATS),  # 1: the seat has been told where it starts
    ("ended", "i1", 0),  # why, 0 while it goes on
    ("loser", "i1", 0),
    ("dealt", "i1", 0),
)

# Events, for whoever draws: (kind, a, b, c)
SHOT, HIT, DIED, LEFT, FAILED = 1, 2, 3, 4, 5
EVENTS_A_TURN = 4

# Why a combat ended
SHOT_DOWN, LEFT_BOARD, PROGRAM_ERROR, PAIR_LIMIT = 1, 2, 3, 4
REASONS: Mapping[int, str] = {
    SHOT_DOWN: "shoot-em-up.shot-down",
    LEFT_BOARD: "shoot-em-up.left-board",
    PROGRAM_ERROR: "shoot-em-up.program-error",
    PAIR_LIMIT: "shoot-em-up.pair-limit",
}


# --- the dice: the text's own random numbers -----------------------------------------------------------------------

MODULUS = 2147483647
MULTIPLIER = 16807
NEVER_ZERO = 123459876  # what a zero state becomes

# Drawn once a combat, and by the text's random opponent at every action; the state runs on over combats.
SOURCE = Layout("ShootEmUpSource", ("state", "i8", 0), ("turn", "i8", 0), ("draw", "i8", 0))


def generator(seed: int) -> Any:
    """The text's generator of random numbers, as `G seed` sets it; any seed is brought into its range."""
    g = SOURCE.new()
    reseed(g, seed)
    return g


@flat
def reseed(g: Any, seed: int) -> None:
    """Set the generator as `G seed` does."""
    g.state = seed % MODULUS
    if g.state == 0:
        g.state = NEVER_ZERO


@draws
@flat
def draw(g: Any, n: int) -> int:
    """Step the generator; its state modulo n."""
    g.state = MULTIPLIER * (g.state & MODULUS) % MODULUS  # the mask tells compilers that no sign is there
    return g.state % n  # type: ignore[no-any-return]


@flat
def needs_dice(s: Any) -> bool:
    """Whether the dice move next: once, for the places."""
    return s.dealt == 0  # type: ignore[no-any-return]


@flat
def roll(s: Any, source: Any, dice: Any) -> int:
    """Draw x and y of the first seat, then of the second."""
    for i in range(DICE):
        dice[i] = draw(source, WIDTH)
    return DICE


@flat
def deal(s: Any, dice: Any, events: Any) -> None:
    """Put the robots where the dice say."""
    for p in range(SEATS):
        s.x[p] = dice[2 * p]
        s.y[p] = dice[2 * p + 1]
    s.dealt = 1


# --- an action -----------------------------------------------------------------------------------------------------


@flat
def acts(s: Any, seat: int) -> bool:
    """Whether this seat moves now; they alternate."""
    return s.turn & 1 == seat  # type: ignore[no-any-return]


@flat
def legal(s: Any, seat: int, out: Any) -> int:
    """Fill `out` with all seventeen actions; leaving the board is allowed, and deadly."""
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
    """Whether it is one of the seventeen."""
    return 0 <= action < ACTIONS


@flat
def step(s: Any, actions: Any, events: Any) -> None:
    """One robot's action; `actions` holds one for each seat, only the mover's is read."""
    p = s.turn & 1
    action = actions[p]
    if s.told[p] == 1:
        s.was_hit[p] = 0  # it knows; of a hit before its first line, where it starts, it hears in the next one
    s.told[p] = 1
    if action == ERROR:
        emit(events, FAILED, p, 0, 0)
        end(s, p, PROGRAM_ERROR)
    elif action < MOVES:
        move(s, p, action, events)
    else:
        shoot(s, p, action, events)
    s.turn += 1
    if s.ended == 0 and s.turn >= SEATS * s.limit:
        end(s, -1, PAIR_LIMIT)


@flat
def move(s: Any, p: int, action: int, events: Any) -> None:
    """Step to a neighbouring square, or stay; who leaves the board dies."""
    s.shot[p] = 0
    x = s.x[p] + X_OF[action]
    y = s.y[p] + Y_OF[action]
    if x < 0 or x >= WIDTH or y < 0 or y >= WIDTH:
        emit(events, LEFT, p, x, y)
        end(s, p, LEFT_BOARD)
    else:
        s.x[p] = x
        s.y[p] = y


@flat
def shoot(s: Any, p: int, action: int, events: Any) -> None:
    """Shoot in a straight line to the edge; without power right after another shot."""
    q = 1 - p
    s.power[p] = 1 if s.shot[p] == 0 else 0
    s.shot[p] = action
    emit(events, SHOT, p, action, s.power[p])
    if s.power[p] == 1 and is_ahead(s.x[q] - s.x[p], s.y[q] - s.y[p], X_OF[action], Y_OF[action]):
        emit(events, HIT, q, -X_OF[action], -Y_OF[action])
        s.hits[q] += 1
        s.was_hit[q] = 1
        s.hit_x[q] = -X_OF[action]
        s.hit_y[q] = -Y_OF[action]
        if s.hits[q] == LIVES:
            emit(events, DIED, q, 0, 0)
            end(s, q, SHOT_DOWN)


@flat
def is_ahead(dx: int, dy: int, x_step: int, y_step: int) -> bool:
    """Whether (dx, dy) is one or more whole steps away in that direction; the own square never is."""
    steps = dx * x_step if x_step != 0 else dy * y_step
    return steps >= 1 and dx == steps * x_step and dy == steps * y_step


@flat
def end(s: Any, loser: int, why: int) -> None:
    """The combat is over; nobody has lost when `loser` is -1."""
    s.ended = why
    s.loser = loser


# --- the end -------------------------------------------------------------------------------------------------------


@flat
def over(s: Any) -> bool:
    """Whether the combat has ended."""
    return s.ended != 0 or s.limit == 0  # type: ignore[no-any-return]


@flat
def winner(s: Any) -> int:
    """The seat that has won, -1 for a draw."""
    if s.ended == 0 or s.loser < 0:
        return -1
    return 1 - s.loser  # type: ignore[no-any-return]


@flat
def places(s: Any, out: Any) -> int:
    """Fill `out` with both places; why the combat ended."""
    won = winner(s)
    for p in range(SEATS):
        out[p] = 2 if won == 1 - p else 1
    return s.ended if s.ended != 0 else PAIR_LIMIT


# --- the text's random opponent ------------------------------------------------------------------------------------


@flat
def random_action(s: Any, p: int, g: Any) -> int:
    """What the text's opponent does: uniform over all actions, drawn again while it would leave the board."""
    while True:
        action = draw(g, ACTIONS)
        if action >= MOVES:
            return action
        x = s.x[p] + X_OF[action]
        y = s.y[p] + Y_OF[action]
        if 0 <= x < WIDTH and 0 <= y < WIDTH:
            return action
