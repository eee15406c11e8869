"""What the rules allow from every square, asked of the rules once: a search goes through it very often.

A square is y * WIDTH + x; a line is a direction of a shot, counted from 0. All tables are tuples of integers, as the
common language of rules wants its constants.
"""

from dohyo.games.shoot_em_up.judge import toward_edge
from dohyo.games.shoot_em_up.rules import ACTIONS, LAYOUT, LEFT_BOARD, LIVES, MOVES, WIDTH, X_OF, Y_OF, is_ahead, step

SQUARES = WIDTH * WIDTH
LINES = ACTIONS - MOVES
LONGEST = WIDTH - 1  # squares of a line
NONE = -1


def after(square, action):
    """The square of a robot after an action; `NONE` when it leaves the board."""
    s = LAYOUT.new()
    s.limit = 2
    s.x[0], s.y[0] = square % WIDTH, square // WIDTH
    step(s, (action, action), None)
    return NONE if s.ended == LEFT_BOARD else s.y[0] * WIDTH + s.x[0]


def crossed(square, line):
    """The squares that a shot hits, from the nearest on."""
    x, y, action = square % WIDTH, square // WIDTH, MOVES + line
    hit = [
        other
        for other in range(SQUARES)
        if is_ahead(other % WIDTH - x, other // WIDTH - y, X_OF[action], Y_OF[action])
    ]
    return sorted(hit, key=lambda other: abs(other % WIDTH - x) + abs(other // WIDTH - y))


def flattened(rows, length):
    """All rows as one tuple, each filled up to `length`."""
    return tuple(number for row in rows for number in (*row, *[NONE] * (length - len(row))))


# The square after an action, at square * ACTIONS + action.
AFTER = tuple(after(square, action) for square in range(SQUARES) for action in range(ACTIONS))

# How many actions the random opponent has there: those that do not leave the board, all equally likely.
WAYS = tuple(sum(AFTER[square * ACTIONS + action] != NONE for action in range(ACTIONS)) for square in range(SQUARES))

# The squares that it may step to (or stay on), at square * MOVES + i; how many there are is at the square.
_steps = [
    [to for to in AFTER[square * ACTIONS : square * ACTIONS + MOVES] if to != NONE] for square in range(SQUARES)
]
STEPS = flattened(_steps, MOVES)
STEPS_FROM = tuple(len(row) for row in _steps)

# The squares that a line crosses, at (square * LINES + line) * LONGEST + i; how many is at square * LINES + line.
_lines = [crossed(square, line) for square in range(SQUARES) for line in range(LINES)]
LINE = flattened(_lines, LONGEST)
LENGTH = tuple(len(row) for row in _lines)


def reached(square, line):
    """The squares that a line crosses; none for `NONE`."""
    if line == NONE:
        return ()
    start = (square * LINES + line) * LONGEST
    return LINE[start : start + LENGTH[square * LINES + line]]


def toward_corner(square):
    """The next square on the way to the nearest corner."""
    way = toward_edge(square % WIDTH), toward_edge(square // WIDTH)
    return AFTER[square * ACTIONS + list(zip(X_OF, Y_OF, strict=True)).index(way)]


assert LIVES == 3  # the layout of a belief has a row for each number of hits that can be survived
