"""Go: surround the larger part of a 9 x 9 board; area scoring, no suicide, no position twice."""

from dohyo.core.cheap_random import mixed
from dohyo.core.flat import Layout, lowest, nth_of, popcount
from dohyo.core.game import Plane
from dohyo.core.options import Option, whole

SIZE = 9
POINTS = SIZE * SIZE
PASS = POINTS
ACTIONS = POINTS + 1
TURNS_AT_MOST = 243  # three for each point
SPLIT = 45  # a set of points is two numbers: rows 1 to 5 from the top, and the other four
LAYOUT = Layout(
    "Go",
    ("history", "i8", TURNS_AT_MOST + 1),  # the positions of the match, turn by turn: `position`
    ("key", "i8", 0),  # Zobrist's, of the board
    ("stones", "i8", (2, 2)),  # by seat, the upper half and the lower one
    ("atari", "i8", (2, 2)),  # of these, the stones of chains in atari: with a single liberty
    ("inside", "i8", 2),  # the points of the board
    ("seen", "i2", POINTS + 1),  # by number of stones: bits for how many more of them were black
    ("turn", "i2", 0),
    ("komi", "i2", 0),  # white's, in half points
    ("passes", "i1", 0),  # one after the other
    ("ended", "i1", 0),
    ("board", "i1", (SIZE, SIZE)),  # for the eye: 0 nobody, 1 black, 2 white, 3 beyond a smaller board
)
SIGNS = {"board": ".XO#"}
EDGES = {"board": ("987654321", "ABCDEFGHJ")}
OWNERS = ("board",)
DRAWN = ("turn", "passes", "board")
RANGES = {"turn": (0, TURNS_AT_MOST), "komi": (-100, 100), "passes": (0, 2), "ended": (0, 2), "board": (0, 3)}
PASSED, LIMIT = 1, 2
REASONS = {PASSED: "both have passed", LIMIT: "the turn limit"}
KIND, SHAPE = "i1", (SIZE, SIZE)
PLANES = (
    Plane("own", 0, 1, "stones of the observing seat"),
    Plane("other", 0, 1, "stones of the other seat"),
    Plane("empty", 0, 1, "points of the board without a stone"),
    Plane("own_atari", 0, 1, "own stones with a single liberty"),
    Plane("other_atari", 0, 1, "the other's stones with a single liberty"),
    Plane("moves", 0, 1, "points where the observing seat may play a stone, if it is to move"),
    Plane("passed", 0, 1, "whether the last turn was a pass"),
    Plane("to_move", 0, 1, "whether the observing seat is to move"),
    Plane("komi", -100, 100, "half points that the observing seat is given; what white gets, black lacks"),
)
UPPER, LOWER = (1 << SPLIT) - 1, (1 << POINTS - SPLIT) - 1
ROW = (1 << SIZE) - 1
FIRST_COLUMN = sum(1 << SIZE * row for row in range(5))
NOT_FIRST, NOT_LAST = ~FIRST_COLUMN, ~(FIRST_COLUMN << SIZE - 1)
CODE = (1 << 14) - 1  # of a position: how many stones are black and white; above it stands a number for their places
# By seat and point: the number of a stone there, of which Zobrist keys are made.
STONE = tuple((mixed(at) << 17 ^ mixed(at + 1000)) << 14 for at in range(2 * POINTS))


def komi(value):
    """Read whole and half points. Raises `ValueError`."""
    if isinstance(value, bool) or not -50 <= float(value) <= 50 or float(value) * 2 % 1:
        raise ValueError
    return float(value)


OPTIONS = (
    Option("size", SIZE, "2 to 9", "points of a side", whole(2, SIZE)),
    Option("komi", 7.5, "-50 to 50, in whole or half points", "points that white is given", komi),
)


def start(s, setup, seats):
    """An empty board; a smaller one is the lower left corner."""
    for at in range(POINTS):
        on_board = SIZE - at // SIZE <= setup["size"] and at % SIZE < setup["size"]
        s.board[at] = 0 if on_board else 3
    s.komi = int(2 * setup["komi"])
    settle(s)


def settle(s):
    """Fill in what follows from the board, as if no position had been on it before."""
    for half in range(2):
        s.inside[half] = s.stones[half] = s.stones[2 + half] = s.atari[half] = s.atari[2 + half] = 0
    s.key = 0
    for at in range(POINTS):
        half, point = at // SPLIT, 1 << at % SPLIT
        if s.board[at] != 3:
            s.inside[half] |= point
        if 1 <= s.board[at] <= 2:
            s.stones[2 * s.board[at] - 2 + half] |= point
            s.key ^= STONE[(s.board[at] - 1) * POINTS + at]
    for at in range(POINTS):
        if 1 <= s.board[at] <= 2:
            note_atari(s, s.board[at] - 1, upper_of(at), lower_of(at))
    note_position(s)


# --- sets of points


def upper_of(at):
    """The upper half of the set of one point."""
    return 1 << at if at < SPLIT else 0


def lower_of(at):
    """The lower half of it."""
    return 1 << at - SPLIT if at >= SPLIT else 0


def adjacent(upper, lower):
    """The points adjacent to a set, and some of its own."""
    aside = (upper & NOT_LAST) << 1 | (upper & NOT_FIRST) >> 1 | upper << SIZE | upper >> SIZE
    below = (lower & NOT_LAST) << 1 | (lower & NOT_FIRST) >> 1 | lower << SIZE | lower >> SIZE
    return (aside | (lower & ROW) << SPLIT - SIZE) & UPPER, (below | upper >> SPLIT - SIZE) & LOWER


def connected(upper, lower, within, below):
    """All points of the set `within`, `below` that are connected with some of its points."""
    while True:
        more, less = adjacent(upper, lower)
        more, less = upper | more & within, lower | less & below
        if more == upper and less == lower:
            return upper, lower
        upper, lower = more, less


def empty_half(s, half):
    """Half of the empty points."""
    return s.inside[half] & ~(s.stones[half] | s.stones[2 + half])


# --- what is legal


def not_suicide(s, seat):
    """Empty points where a stone has a liberty, joins a chain with another liberty, or captures a chain in atari."""
    own, other = 2 * seat, 2 - 2 * seat
    upper, lower = empty_half(s, 0), empty_half(s, 1)
    free = upper | s.stones[own] & ~s.atari[own] | s.atari[other]
    below = lower | s.stones[own + 1] & ~s.atari[own + 1] | s.atari[other + 1]
    free, below = adjacent(free, below)
    return upper & free, lower & below


def count_stones(s, seat):
    """How many stones a seat has on the board."""
    return popcount(s.stones[2 * seat]) + popcount(s.stones[2 * seat + 1])


def position(key, black, white):
    """A number for a position: 49 bits of its key, and exactly how many stones there are."""
    return key | black << 7 | white


def was_stone_count(s, black, white):
    """Whether a position with so many stones may have been on the board; if not, none was."""
    return s.seen[black + white] >> (black - white + 90) // 2 % 15 & 1 == 1


def was_position(s, found):
    """Whether this position was on the board."""
    for ago in range(s.turn + 1):
        if s.history[ago] == found:
            return True
    return False


def captured_by(s, seat, at):
    """The stones that the seat captures by a stone on a point: of chains whose last liberty it is."""
    other = 2 - 2 * seat
    upper, lower = adjacent(upper_of(at), lower_of(at))
    upper, lower = upper & s.atari[other], lower & s.atari[other + 1]
    if upper | lower:
        upper, lower = connected(upper, lower, s.atari[other], s.atari[other + 1])
    return upper, lower


def zobrist(upper, lower, seat):
    """What these stones add to a Zobrist key."""
    key = 0
    while upper:
        key ^= STONE[seat * POINTS + lowest(upper)]
        upper &= upper - 1
    while lower:
        key ^= STONE[seat * POINTS + SPLIT + lowest(lower)]
        lower &= lower - 1
    return key


def breaks_superko(s, seat, at):
    """Whether the seat's stone on this point would bring a position back: positional superko forbids it."""
    upper, lower = captured_by(s, seat, at)
    own, other = count_stones(s, seat) + 1, count_stones(s, 1 - seat) - popcount(upper) - popcount(lower)
    black, white = (own, other) if seat == 0 else (other, own)
    if not was_stone_count(s, black, white):
        return False
    key = s.key ^ STONE[seat * POINTS + at] ^ zobrist(upper, lower, 1 - seat)
    return was_position(s, position(key, black, white))


def breaking_superko(s, seat, upper, lower):
    """Those of some points where a stone would bring a position back; where it captures nothing, found together."""
    other = 2 - 2 * seat
    capturing, below = adjacent(s.atari[other], s.atari[other + 1])
    capturing, below = capturing & upper, below & lower
    again, under = 0, 0
    black, white = count_stones(s, 0) + 1 - seat, count_stones(s, 1) + seat
    if was_stone_count(s, black, white):
        now = position(s.key, black, white)
        for ago in range(s.turn + 1):
            added = s.history[ago] ^ now
            if added & CODE == 0:
                more, less = point_of(added, seat, upper & ~capturing, lower & ~below)
                again, under = again | more, under | less
    while capturing:
        at = lowest(capturing)
        again |= 1 << at if breaks_superko(s, seat, at) else 0
        capturing &= capturing - 1
    while below:
        at = lowest(below)
        under |= 1 << at if breaks_superko(s, seat, SPLIT + at) else 0
        below &= below - 1
    return again, under


def point_of(added, seat, upper, lower):
    """That one of these points whose stone adds this to a Zobrist key, if there is one."""
    while upper:
        if STONE[seat * POINTS + lowest(upper)] == added:
            return upper & -upper, 0
        upper &= upper - 1
    while lower:
        if STONE[seat * POINTS + SPLIT + lowest(lower)] == added:
            return 0, lower & -lower
        lower &= lower - 1
    return 0, 0


def moves(s, seat):
    """All points where the seat may play a stone."""
    upper, lower = not_suicide(s, seat)
    again, under = breaking_superko(s, seat, upper, lower)
    return upper & ~again, lower & ~under


def count_legal(s, seat, notes):
    """How many points there are, and the pass; `notes` gets the points."""
    notes[0], notes[1] = moves(s, seat)
    return popcount(notes[0]) + popcount(notes[1]) + 1


def kth_legal(s, seat, k, notes):
    """The point at place k; the pass is the last."""
    first = popcount(notes[0])
    if k < first:
        return nth_of(notes[0], k)
    return SPLIT + nth_of(notes[1], k - first) if k - first < popcount(notes[1]) else PASS


def legal(s, seat, out):
    """The points in order, and the pass."""
    upper, lower = moves(s, seat)
    count = 0
    for at in range(POINTS):
        if (upper >> at if at < SPLIT else lower >> at - SPLIT) & 1:
            out[count] = at
            count += 1
    out[count] = PASS
    return count + 1


def is_legal(s, seat, action):
    """To pass always; a stone, where it is no suicide, and brings no position back."""
    if action < 0 or action >= POINTS or s.board[action] != 0:
        return action == PASS
    upper, lower = not_suicide(s, seat)
    return (upper_of(action) & upper | lower_of(action) & lower) != 0 and not breaks_superko(s, seat, action)


# --- a turn


def note_atari(s, seat, upper, lower):
    """Mark the chain of these stones, if it is in atari; as soon as two liberties are seen, it is not."""
    own = 2 * seat
    free, below = empty_half(s, 0), empty_half(s, 1)
    while True:
        around, under = adjacent(upper, lower)
        liberties, last = around & free, under & below
        if liberties & liberties - 1 or last & last - 1 or (liberties and last):
            return
        around, under = upper | around & s.stones[own], lower | under & s.stones[own + 1]
        if around == upper and under == lower:
            s.atari[own] |= upper
            s.atari[own + 1] |= lower
            return
        upper, lower = around, under


def end_atari(s, seat, upper, lower):
    """Unmark the chains in atari at these points: they have more liberties now, or are part of another chain."""
    own = 2 * seat
    upper, lower = upper & s.atari[own], lower & s.atari[own + 1]
    if upper | lower:
        upper, lower = connected(upper, lower, s.atari[own], s.atari[own + 1])
        s.atari[own] ^= upper
        s.atari[own + 1] ^= lower


def capture(s, seat, upper, lower):
    """Take a seat's captured stones from the board; the other's chains beside them get liberties."""
    own = 2 * seat
    s.key ^= zobrist(upper, lower, seat)
    s.stones[own] ^= upper
    s.stones[own + 1] ^= lower
    s.atari[own] ^= upper
    s.atari[own + 1] ^= lower
    around, under = adjacent(upper, lower)
    end_atari(s, 1 - seat, around, under)
    while upper:
        s.board[lowest(upper)] = 0
        upper &= upper - 1
    while lower:
        s.board[SPLIT + lowest(lower)] = 0
        lower &= lower - 1


def play(s, seat, at):
    """Put a stone down, and capture the chains that have no liberty any more."""
    own, other = 2 * seat, 2 - 2 * seat
    upper, lower = captured_by(s, seat, at)
    if upper | lower:
        capture(s, 1 - seat, upper, lower)
    s.board[at] = seat + 1
    s.key ^= STONE[seat * POINTS + at]
    upper, lower = upper_of(at), lower_of(at)
    s.stones[own] |= upper
    s.stones[own + 1] |= lower
    around, under = adjacent(upper, lower)
    end_atari(s, seat, around, under)
    note_atari(s, seat, upper, lower)
    around &= s.stones[other]
    under &= s.stones[other + 1]
    while around:
        note_atari(s, 1 - seat, around & -around, 0)
        around &= around - 1
    while under:
        note_atari(s, 1 - seat, 0, under & -under)
        under &= under - 1


def note_position(s):
    """Remember the position, for superko."""
    black, white = count_stones(s, 0), count_stones(s, 1)
    s.history[s.turn] = position(s.key, black, white)
    s.seen[black + white] |= 1 << (black - white + 90) // 2 % 15


def step(s, actions, events):
    """Put a stone down, or pass; two passes end the match, and so does the turn limit."""
    seat = s.turn % 2
    if actions[seat] == PASS:
        s.passes += 1
    else:
        s.passes = 0
        play(s, seat, actions[seat])
    s.turn += 1
    note_position(s)
    if s.passes == 2:
        s.ended = PASSED
    elif s.turn == TURNS_AT_MOST:
        s.ended = LIMIT


def possible(s):
    """Whether the board is a square in the corner, every chain has a liberty, and all else follows from the board."""
    size = max((SIZE - at // SIZE for at in range(POINTS) if s.board[at] != 3), default=0)
    beyond = [SIZE - at // SIZE > size or at % SIZE >= size for at in range(POINTS)]
    if size < 2 or [s.board[at] == 3 for at in range(POINTS)] != beyond:
        return False
    same = LAYOUT.new()
    same.board[:] = s.board
    same.turn = s.turn
    settle(same)
    if any(getattr(same, name) != getattr(s, name) for name in ("inside", "stones", "atari", "key")):
        return False
    for seat in range(2):  # from its liberties, one reaches all stones of a seat
        upper, lower = s.stones[2 * seat], s.stones[2 * seat + 1]
        free, below = adjacent(empty_half(s, 0), empty_half(s, 1))
        if connected(upper & free, lower & below, upper, lower) != (upper, lower):
            return False
    ended = PASSED if s.passes == 2 else LIMIT if s.turn == TURNS_AT_MOST else 0
    known = all(
        s.history[s.turn] == same.history[s.turn] and at | s.seen[k] == s.seen[k] for k, at in enumerate(same.seen)
    )
    return known and s.ended == ended


def area(s, seat):
    """A seat's stones, and the empty points that lead to its stones alone: dead stones should have been captured."""
    own, other = 2 * seat, 2 - 2 * seat
    free, below = empty_half(s, 0), empty_half(s, 1)
    upper, lower = s.stones[own], s.stones[own + 1]
    mine, under = connected(upper, lower, upper | free, lower | below)
    upper, lower = s.stones[other], s.stones[other + 1]
    theirs, least = connected(upper, lower, upper | free, lower | below)
    return popcount(mine & ~theirs) + popcount(under & ~least)


def score(s, seat):
    """Its area, and white's komi; the most win."""
    return area(s, seat) + (s.komi / 2 if seat == 1 else 0.0)


def observe(s, seat, out):
    """Stones, liberties, moves; black and white see it from their own side."""
    own, other = 2 * seat, 2 - 2 * seat
    upper, lower = moves(s, seat) if s.turn % 2 == seat else (0, 0)
    for at in range(POINTS):
        half, place = at // SPLIT, at % SPLIT
        out[at] = s.stones[own + half] >> place & 1
        out[POINTS + at] = s.stones[other + half] >> place & 1
        out[2 * POINTS + at] = empty_half(s, half) >> place & 1
        out[3 * POINTS + at] = s.atari[own + half] >> place & 1
        out[4 * POINTS + at] = s.atari[other + half] >> place & 1
        out[5 * POINTS + at] = (upper if half == 0 else lower) >> place & 1
        out[6 * POINTS + at] = s.passes > 0
        out[7 * POINTS + at] = s.turn % 2 == seat
        out[8 * POINTS + at] = s.komi if seat == 1 else -s.komi


def text(action):
    """A point as players write it: A1 in the lower left corner, no I."""
    return "pass" if action == PASS else f"{'ABCDEFGHJ'[action % SIZE]}{SIZE - action // SIZE}"
