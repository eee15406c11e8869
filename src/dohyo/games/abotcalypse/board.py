"""aBOTcalypse, the board: what both rule sets share. A state, squares, and who lives.

Numbers
    board      100 x 100 squares, x from the left, y from the floor up
    direction  0 up, 1 right, 2 down, 3 left
    column     height[x] rocks stand on the floor (post); bits of `rocks` say which squares hold one (classic)
    status     of a bot: 0 gone, 1 alive, 2 dead, but its body counts until the turn ends
"""

from __future__ import annotations

from typing import Any

from dohyo.core.flat import Layout, emit, flat, index

WIDTH = 100
TOP = WIDTH - 1
MAX_BOTS = 100
BOT_BITS = 127  # of a bot's number, which compiled code then knows not to be negative
MAX_METEORS = 72  # one enters a turn, and the longest way over the board, its diagonal, takes 71
METEOR_BITS = 127  # of a meteor's number, likewise

POST, CLASSIC = 0, 1

UP, RIGHT, DOWN, LEFT = 0, 1, 2, 3
X_STEP = (0, 1, 0, -1)
Y_STEP = (1, 0, -1, 0)

GONE, ALIVE, BODY = 0, 1, 2

# Why a bot died
BY_FALL, BY_ROCK, BY_THROW, BY_METEOR, BY_COLLISION = 1, 2, 3, 4, 5

# The halves of a column of rocks as bits: 50 squares each, so that every word stays a positive int64.
HALF = 50

LAYOUT = Layout(
    "Abotcalypse",
    ("meteor_x", "f8", MAX_METEORS),
    ("meteor_y", "f8", MAX_METEORS),
    ("rocks", "i8", 2 * WIDTH),  # classic: two words of bits a column, the lower half first
    # Wider than they need to be: what functions are called with has one type, and is compiled once.
    ("next_angle", "i8", 0),  # the meteor that enters in the next turn; nobody sees it before
    ("next_x", "i8", 0),
    ("x", "i8", MAX_BOTS),
    ("y", "i8", MAX_BOTS),  # -1 in the classic rules only: there the original crashed
    ("height", "i8", WIDTH),
    ("turn", "i4", 0),  # turns played
    ("limit", "i4", 0),
    ("score", "i4", MAX_BOTS),  # of bots that have died
    ("meteors", "i4", 0),
    ("cause", "i2", MAX_BOTS),
    ("meteor_angle", "i2", MAX_METEORS),
    ("bots", "i2", 0),
    ("status", "i1", MAX_BOTS),
    ("order", "i1", MAX_BOTS),  # of this turn's decisions: bots by ascending elevation
    ("rules", "i1", 0),
    ("dealt", "i1", 0),
    ("rolled", "i1", 0),
    ("crashed", "i1", 0),
)

# Events, for drawing: (kind, a, b, c)
SHOT, HIT, DIED, DROPPED = 1, 2, 3, 4
EVENTS_A_TURN = 20 * MAX_BOTS


@flat
def inside(x: int, y: int) -> bool:
    """Whether a square is on the board."""
    return 0 <= x < WIDTH and 0 <= y < WIDTH


@flat
def is_alive_at(s: Any, b: int, x: int, y: int) -> bool:
    """Whether bot b lives in that square."""
    return s.status[b] == ALIVE and s.x[b] == x and s.y[b] == y  # type: ignore[no-any-return]


@flat
def die(s: Any, b: int, cause: int, events: Any) -> None:
    """A bot is killed and off the board at once; in the classic rules it keeps its square until the turn ends."""
    emit(events, DIED, b, cause, 0)
    s.status[b] = BODY if s.rules == CLASSIC else GONE
    s.cause[b] = cause


@flat
def kill_all_at(s: Any, x: int, y: int, cause: int, events: Any) -> int:
    """Kill every live bot in a square; how many there were."""
    killed = 0
    for b in range(s.bots):
        if is_alive_at(s, b, x, y):
            die(s, b, cause, events)
            killed += 1
    return killed


@flat
def holds_rock(s: Any, x: int, y: int) -> bool:
    """Whether a square of the board holds a rock."""
    if s.rules == CLASSIC:
        return (s.rocks[index(x, y // HALF, 2)] >> (y % HALF)) & 1 == 1  # type: ignore[no-any-return]
    return y < s.height[x]  # type: ignore[no-any-return]


def column_of(s: Any, x: int) -> int:
    """A column's rocks in plain Python, as bits: bit y is set where square y holds one."""
    if s.rules == CLASSIC:
        return s.rocks[index(x, 0, 2)] | s.rocks[index(x, 1, 2)] << HALF  # type: ignore[no-any-return]
    return (1 << s.height[x]) - 1  # type: ignore[no-any-return]


@flat
def sort_by_elevation(s: Any) -> None:
    """Note this turn's order: bots by the elevation at which they decide, equal ones in bot order."""
    for b in range(s.bots):
        at = b
        while at > 0 and s.y[s.order[at - 1] & BOT_BITS] > s.y[b]:
            s.order[at] = s.order[at - 1]
            at -= 1
        s.order[at] = b
