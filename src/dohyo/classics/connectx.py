"""ConnectX: drop stones into columns until so many of yours are in a row; connect four on a board of any size."""

from dohyo.core.clock import Clock
from dohyo.core.flat import Layout
from dohyo.core.game import Plane
from dohyo.core.options import Option, whole

SIZE = 10  # columns and rows of the largest board
CELLS = SIZE * SIZE
ACTIONS = SIZE
TITLE = "ConnectX"
BEYOND = 3
LAYOUT = Layout(
    "ConnectX",
    ("turn", "i1", 0),
    ("ended", "i1", 0),
    ("rows", "i1", 0),
    ("columns", "i1", 0),
    ("inarow", "i1", 0),
    ("filled", "i1", SIZE),  # stones in each column
    ("board", "i1", (SIZE, SIZE)),  # the upper left corner: row 0 is the top; 3 beyond a smaller board
)
SIGNS = {"board": ".XO#"}
OWNERS = ("board",)
DRAWN = ("turn", "board")
RANGES = {
    "turn": (0, CELLS),
    "ended": (0, 2),
    "rows": (1, SIZE),
    "columns": (1, SIZE),
    "inarow": (1, SIZE),
    "filled": (0, SIZE),
    "board": (0, BEYOND),
}
IN_A_ROW, FULL = 1, 2
REASONS = {IN_A_ROW: "enough stones are in a row", FULL: "the board is full"}
OPTIONS = (
    Option("rows", 6, f"1 to {SIZE}", "rows of the board", whole(1, SIZE), told=True),
    Option("columns", 7, f"1 to {SIZE}", "columns of the board", whole(1, SIZE), told=True),
    Option("inarow", 4, f"1 to {SIZE}", "stones in a row that win", whole(1, SIZE), told=True),
)
CLOCKS = {"standard": Clock(turn=2)}  # as on Kaggle
KIND, SHAPE = "i1", (SIZE, SIZE)
PLANES = (
    Plane("own", 0, 1, "stones of the observing seat"),
    Plane("other", 0, 1, "stones of the other seat"),
    Plane("empty", 0, 1, "cells of the board without a stone"),
    Plane("to_move", 0, 1, "whether the observing seat is to move"),
)
DOWN = (0, 1, 1, 1)
RIGHT = (1, 0, 1, -1)


def start(s, setup, seats):
    """An empty board; a smaller one is the upper left corner."""
    s.rows, s.columns, s.inarow = setup["rows"], setup["columns"], setup["inarow"]
    for at in range(CELLS):
        s.board[at] = 0 if at // SIZE < s.rows and at % SIZE < s.columns else BEYOND


def is_legal(s, seat, action):
    """Any column of the board that has room."""
    return 0 <= action < s.columns and s.filled[action] < s.rows


def legal(s, seat, out):
    """The columns with room, from the left."""
    count = 0
    for column in range(s.columns):
        if s.filled[column] < s.rows:
            out[count] = column
            count += 1
    return count


def step(s, actions, events):
    """Drop a stone; the match ends when it makes a row, or the board is full."""
    seat = s.turn % 2
    column = actions[seat]
    row = s.rows - 1 - s.filled[column]
    s.board[row * SIZE + column] = seat + 1
    s.filled[column] += 1
    s.turn += 1
    if longest(s, row, column) >= s.inarow:
        s.ended = IN_A_ROW
    elif s.turn == s.rows * s.columns:
        s.ended = FULL


def longest(s, row, column):
    """How many equal stones are in the longest row through this one."""
    found = 1
    for line in range(4):
        down, right = DOWN[line], RIGHT[line]
        found = max(found, 1 + beside(s, row, column, down, right) + beside(s, row, column, -down, -right))
    return found


def beside(s, row, column, down, right):
    """How many equal stones follow in one direction."""
    stone, count = s.board[row * SIZE + column], 0
    r, c = row + down, column + right
    while 0 <= r < s.rows and 0 <= c < s.columns and s.board[r * SIZE + c] == stone:
        count += 1
        r, c = r + down, c + right
    return count


def winner(s):
    """Who has made the row: whoever moved last."""
    return 1 - s.turn % 2 if s.ended == IN_A_ROW else -1


def observe(s, seat, out):
    """Stones, room, and whose turn it is."""
    for at in range(CELLS):
        out[at] = s.board[at] == seat + 1
        out[CELLS + at] = s.board[at] == 2 - seat
        out[2 * CELLS + at] = s.board[at] == 0
        out[3 * CELLS + at] = s.turn % 2 == seat


def why_illegal(s, seat, action):
    """A column that is not there, or that is full."""
    if is_legal(s, seat, action):
        return None
    return "the column is full" if 0 <= action < s.columns else "the board has no such column"


def possible(s):
    """Whether stones lie one on the other, as many as turns were played, and a row ends a match by its last turn."""
    stones = [0, 0]
    for at in range(CELLS):
        row, column = at // SIZE, at % SIZE
        if row >= s.rows or column >= s.columns:
            if s.board[at] != BEYOND:
                return False
            continue
        if s.board[at] == BEYOND or (s.board[at] > 0) != (row >= s.rows - s.filled[column]):
            return False
        if s.board[at] > 0:
            stones[s.board[at] - 1] += 1
    if any(s.filled[column] > (s.rows if column < s.columns else 0) for column in range(SIZE)):
        return False
    if sum(stones) != s.turn or stones[0] != (s.turn + 1) // 2:
        return False
    rows = [whose for at in range(CELLS) if (whose := has_row(s, at))]
    if s.turn % 2 + 1 in rows or bool(rows) != (s.ended == IN_A_ROW):
        return False
    return bool(rows) or (s.ended == FULL) == (s.turn == s.rows * s.columns)


def has_row(s, at):
    """Whose stones make a row through this cell; 0 where there is none."""
    if not 0 < s.board[at] < BEYOND or longest(s, at // SIZE, at % SIZE) < s.inarow:
        return 0
    return s.board[at]
