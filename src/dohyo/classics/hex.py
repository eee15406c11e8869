"""Hex: join your two sides of an 11 x 11 board; there is no draw."""

from dohyo.core.flat import Layout, bit, count_of, nth_of
from dohyo.core.game import Plane

SIZE = 11
CELLS = SIZE * SIZE
ACTIONS = CELLS
HALF = 61
SIDE = CELLS  # four cells beyond the board: seat 0's upper and lower side, seat 1's left and right one
LAYOUT = Layout(
    "Hex",
    ("empty", "i8", 2),  # sets of empty cells: the first 61 and the other 60
    ("turn", "i2", 0),
    ("ended", "i1", 0),
    ("board", "i1", (SIZE, SIZE)),  # a cell's neighbours: its row, the row above and the next in it, the one below
    ("chain", "i2", CELLS + 4),  # of each stone, another of its chain plus 1, and 0 at the chain's root
)
SIGNS = {"board": ".XO"}
EDGES = {"board": (range(1, SIZE + 1), "abcdefghijk")}
OWNERS = ("board",)
DRAWN = ("turn", "board")
RANGES = {"turn": (0, CELLS), "ended": (0, 1), "chain": (0, CELLS + 4)}
REASONS = {1: "two sides are joined"}
KIND, SHAPE = "i1", (SIZE, SIZE)
PLANES = (
    Plane("own", 0, 1, "stones of the observing seat"),
    Plane("other", 0, 1, "stones of the other seat"),
    Plane("to_move", 0, 1, "whether the observing seat is to move"),
    Plane("down", 0, 1, "whether the observing seat joins the upper side and the lower one"),
)
DOWN = (-1, -1, 0, 0, 1, 1)
RIGHT = (0, 1, -1, 1, -1, 0)


def start(s, setup, seats):
    """An empty board."""
    s.empty[0], s.empty[1] = (1 << HALF) - 1, (1 << CELLS - HALF) - 1


def is_legal(s, seat, action):
    """Any empty cell."""
    return 0 <= action < CELLS and s.board[action] == 0


def legal(s, seat, out):
    """The empty cells, in order."""
    count = 0
    for action in range(CELLS):
        out[count] = action
        count += s.board[action] == 0
    return count


def count_legal(s, seat, notes):
    """How many cells are empty."""
    return CELLS - s.turn


def kth_legal(s, seat, k, notes):
    """The empty cell at place k."""
    first = count_of(s.empty[0])
    return nth_of(s.empty[0], k) if k < first else HALF + nth_of(s.empty[1], k - first)


def root(s, cell):
    """The root of a stone's chain; the way there becomes shorter."""
    while s.chain[cell] != 0:
        above = s.chain[cell] - 1
        if s.chain[above] != 0:
            s.chain[cell] = s.chain[above]
        cell = above
    return cell


def join(s, cell, other):
    """Make one chain of two."""
    first, second = root(s, cell), root(s, other)
    if first != second:
        s.chain[first] = second + 1


def put(s, seat, cell):
    """Put a stone down, and join it with those beside it."""
    s.board[cell] = seat + 1
    s.empty[cell // HALF] ^= bit(cell % HALF)
    row, column = cell // SIZE, cell % SIZE
    for d in range(6):
        r, c = row + DOWN[d], column + RIGHT[d]
        if 0 <= r < SIZE and 0 <= c < SIZE and s.board[r * SIZE + c] == seat + 1:
            join(s, cell, r * SIZE + c)
    place = row if seat == 0 else column
    if place == 0:
        join(s, cell, SIDE + 2 * seat)
    if place == SIZE - 1:
        join(s, cell, SIDE + 2 * seat + 1)


def step(s, actions, events):
    """Put a stone down; the match ends when it joins its seat's sides."""
    seat = s.turn % 2
    put(s, seat, actions[seat])
    s.turn += 1
    if root(s, SIDE + 2 * seat) == root(s, SIDE + 2 * seat + 1):
        s.ended = 1


def winner(s):
    """Who has joined the sides: whoever moved last."""
    return 1 - s.turn % 2 if s.ended else -1


def observe(s, seat, out):
    """Stones, whose turn it is, and which sides the seat joins."""
    for at in range(CELLS):
        out[at] = s.board[at] == seat + 1
        out[CELLS + at] = s.board[at] == 2 - seat
        out[2 * CELLS + at] = s.turn % 2 == seat
        out[3 * CELLS + at] = seat == 0


def possible(s):
    """Whether as many stones lie there as turns were played, and the chains are those that these make."""
    if any(s.board.count(seat + 1) != (s.turn + 1 - seat) // 2 for seat in range(2)):
        return False
    for cell in range(CELLS + 4):
        above = cell
        for _ in range(CELLS + 4):  # no way is longer, unless it goes round in a circle
            above = s.chain[above] - 1 if s.chain[above] != 0 else above
        if s.chain[above] != 0:
            return False
    given, same = LAYOUT.copy(s), LAYOUT.new()
    start(same, {}, 2)
    for cell in range(CELLS):
        if s.board[cell] != 0:
            put(same, s.board[cell] - 1, cell)
    if same.empty != s.empty:
        return False
    roots = {(root(given, cell), root(same, cell)) for cell in range(CELLS + 4)}
    alike = len(roots) == len({one for one, _ in roots}) == len({other for _, other in roots})
    ended = [root(same, SIDE + 2 * seat) == root(same, SIDE + 2 * seat + 1) for seat in range(2)]
    return alike and not ended[s.turn % 2] and ended[1 - s.turn % 2] == s.ended


def text(action):
    """A cell as players write it: a1 in the upper left corner."""
    return f"{'abcdefghijk'[action % SIZE]}{action // SIZE + 1}"
