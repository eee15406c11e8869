"""Othello: outflank discs and flip them; a seat without a move passes; most discs win."""

from dohyo.core.flat import Layout, bit, count_of, lowest, nth_of, shifted_down, shifted_up, without_lowest
from dohyo.core.game import Plane

SIZE = 8
PASS = SIZE * SIZE
ACTIONS = PASS + 1
LAYOUT = Layout(
    "Othello",
    ("discs", "i8", 2),  # by seat, bit row * 8 + column; bit 63 is the sign
    ("moves", "i8", 0),  # where the seat that is to move may put a disc
    ("turn", "i2", 0),
    ("ended", "i1", 0),
    ("board", "i1", (SIZE, SIZE)),  # the same discs for the eye: 0 nobody, 1 black, 2 white
)
SIGNS = {"board": ".XO"}
EDGES = {"board": ("12345678", "abcdefgh")}
OWNERS = ("board",)
DRAWN = ("turn", "board")
RANGES = {"turn": (0, 130), "ended": (0, 1)}
REASONS = {1: "nobody can move"}
KIND, SHAPE = "i1", (SIZE, SIZE)
PLANES = (
    Plane("own", 0, 1, "discs of the observing seat"),
    Plane("other", 0, 1, "discs of the other seat"),
    Plane("moves", 0, 1, "squares where the seat that is to move may put a disc"),
    Plane("to_move", 0, 1, "whether the observing seat is to move"),
)
STEPS = (1, 7, 8, 9)  # to the right, to the lower left, down, to the lower right; and back
INNER = 0x7E7E7E7E7E7E7E7E  # a line of discs that are flipped does not go through the left or right edge


def start(s, setup, seats):
    """Two discs each, and black's four moves."""
    put_discs(s, bit(28) | bit(35), bit(27) | bit(36))


def put_discs(s, black, white):
    """The position with these discs, black to move."""
    s.discs[0], s.discs[1] = black, white
    for at in range(SIZE * SIZE):
        s.board[at] = (black >> at & 1) + 2 * (white >> at & 1)
    s.moves = moves_of(black, white)


def line_up(own, other, by):
    """The other's discs in an unbroken line upwards from our own."""
    line = shifted_up(own, by) & other
    line |= shifted_up(line, by) & other
    other &= shifted_up(other, by)
    line |= shifted_up(line, 2 * by) & other
    return line | shifted_up(line, 2 * by) & other


def line_down(own, other, by):
    """The other's discs in an unbroken line downwards from our own."""
    line = shifted_down(own, by) & other
    line |= shifted_down(line, by) & other
    other &= shifted_down(other, by)
    line |= shifted_down(line, 2 * by) & other
    return line | shifted_down(line, 2 * by) & other


def moves_of(own, other):
    """Empty squares from which a disc outflanks a line of the other's."""
    found = 0
    for by in STEPS:
        between = other if by == SIZE else other & INNER
        found |= shifted_up(line_up(own, between, by), by) | shifted_down(line_down(own, between, by), by)
    return found & ~(own | other)


def flipped(new, own, other):
    """The discs that a disc on the square `new` outflanks."""
    found = 0
    for by in STEPS:
        between = other if by == SIZE else other & INNER
        line = line_up(new, between, by)
        if shifted_up(line, by) & own:
            found |= line
        line = line_down(new, between, by)
        if shifted_down(line, by) & own:
            found |= line
    return found


def is_legal(s, seat, action):
    """Whether the disc outflanks something; to pass, whether no disc does."""
    if action == PASS:
        return s.moves == 0
    return 0 <= action < PASS and s.moves >> action & 1 == 1


def legal(s, seat, out):
    """The squares in order, or the pass alone."""
    rest = s.moves
    if rest == 0:
        out[0] = PASS
        return 1
    count = 0
    while rest != 0:
        out[count] = lowest(rest)
        rest = without_lowest(rest)
        count += 1
    return count


def count_legal(s, seat, notes):
    """How many squares there are, or the pass alone."""
    return max(1, count_of(s.moves))


def kth_legal(s, seat, k, notes):
    """The square at place k."""
    return PASS if s.moves == 0 else nth_of(s.moves, k)


def step(s, actions, events):
    """Put the disc down, flip what it outflanks; the match ends when neither seat has a move."""
    seat = s.turn % 2
    action = actions[seat]
    own, other = s.discs[seat], s.discs[1 - seat]
    if action != PASS:
        new = bit(action)
        changed = flipped(new, own, other)
        own |= changed | new
        other ^= changed
        s.discs[seat], s.discs[1 - seat] = own, other
        s.board[action] = seat + 1
        while changed != 0:
            s.board[lowest(changed)] = seat + 1
            changed = without_lowest(changed)
    s.turn += 1
    s.moves = moves_of(other, own)
    if s.moves == 0 and (action == PASS or moves_of(own, other) == 0):
        s.ended = 1


def score(s, seat):
    """A seat's discs; the most win."""
    return count_of(s.discs[seat])


def observe(s, seat, out):
    """Discs, moves, and whose turn it is."""
    for at in range(SIZE * SIZE):
        out[at] = s.discs[seat] >> at & 1
        out[64 + at] = s.discs[1 - seat] >> at & 1
        out[128 + at] = s.moves >> at & 1
        out[192 + at] = s.turn % 2 == seat


def possible(s):
    """Whether the board, the moves and the end are those of the discs."""
    seat = s.turn % 2
    own, other = s.discs[seat], s.discs[1 - seat]
    discs = [(s.discs[0] >> at & 1) + 2 * (s.discs[1] >> at & 1) for at in range(SIZE * SIZE)]
    ended = s.moves == 0 and moves_of(other, own) == 0
    return own & other == 0 and discs == s.board and s.moves == moves_of(own, other) and s.ended == ended


def text(action):
    """The square as players write it, a1 in the upper left corner."""
    return "pass" if action == PASS else f"{'abcdefgh'[action % SIZE]}{action // SIZE + 1}"
