"""Backgammon: bring your fifteen checkers home and bear them off; no doubling cube."""

from dohyo.core.flat import Layout, lowest, nth_of, popcount, uniform
from dohyo.core.game import Plane
from dohyo.core.options import Option, yes_no

CHECKERS, BAR = 15, 25
DICE = 2
# An action moves one checker by one die: (die - 1) * 25 + point - 1, where the mover's own points count from 24 down
# to 1, and 25 is the bar. A turn has up to four of them. To pass is legal where nothing else is.
PASS = 6 * BAR
ACTIONS = PASS + 1
LAYOUT = Layout(
    "Backgammon",
    ("turn", "i4", 0),  # actions so far
    ("mover", "i1", 0),
    ("ended", "i1", 0),
    ("gammons", "i1", 0),  # 1: a gammon counts 2, and a backgammon 3
    ("dice", "i1", (1, 2)),  # 0 before they are rolled
    ("left", "i1", 6),  # by number: how many moves of it are left in this turn
    ("bar", "i1", 2),
    ("off", "i1", 2),  # checkers that are borne off
    ("board", "i1", (2, 12)),  # seat 0's points 13 to 24, and 12 to 1 below; seat 1's checkers are negative
)
PER_SEAT = ("bar", "off")
DRAWN = ("turn", "dice", "left", "bar", "off", "board")
RANGES = {
    "turn": (0, 1_000_000),
    "mover": (0, 1),
    "ended": (0, 3),
    "gammons": (0, 1),
    "dice": (0, 6),
    "left": (0, 4),
    "bar": (0, CHECKERS),
    "off": (0, CHECKERS),
    "board": (-CHECKERS, CHECKERS),
}
SINGLE, GAMMON, BACKGAMMON = 1, 2, 3  # what `ended` is, and what it counts
REASONS = {
    SINGLE: "all checkers are off",
    GAMMON: "all checkers are off, and none of the other's: a gammon",
    BACKGAMMON: "all are off, none of the other's, and one of these is behind: a backgammon",
}
KIND, SHAPE = "i1", (2, 12)
PLANES = (
    Plane("own", 0, CHECKERS, "checkers of the observing seat, by its own points: 13 to 24, and 12 to 1 below"),
    Plane("other", 0, CHECKERS, "checkers of the other seat there"),
    Plane("own_bar", 0, CHECKERS, "own checkers on the bar"),
    Plane("other_bar", 0, CHECKERS, "the other's checkers on the bar"),
    Plane("own_off", 0, CHECKERS, "own checkers that are borne off"),
    Plane("other_off", 0, CHECKERS, "the other's checkers that are borne off"),
    *(Plane(f"left_{die + 1}", 0, 4, f"moves by {die + 1} that are left in this turn") for die in range(6)),
    Plane("to_move", 0, 1, "whether the observing seat is to move"),
)
OUTSIDE_HOME = (1 << BAR + 1) - (1 << 7)  # points outside the home board, and the bar
OPTIONS = (Option("gammons", True, "yes or no", "whether a gammon counts 2 and a backgammon 3", yes_no),)


def start(s, setup, seats):
    """Two on 24, five on 13, three on 8, five on 6, of each seat."""
    s.gammons = 1 if setup["gammons"] else 0
    for seat in range(2):
        put_checkers(s, seat, 24, 2)
        put_checkers(s, seat, 13, 5)
        put_checkers(s, seat, 8, 3)
        put_checkers(s, seat, 6, 5)


def acts(s, seat):
    """Whether it is this seat's turn."""
    return s.mover == seat


def cell(seat, point):
    """Where a seat's point is on the board."""
    from_first = point if seat == 0 else BAR - point
    return from_first - 13 if from_first > 12 else 24 - from_first


def put_checkers(s, seat, point, checkers):
    """Put so many checkers more on a seat's point, or the bar."""
    if point == BAR:
        s.bar[seat] += checkers
    else:
        s.board[cell(seat, point)] += checkers if seat == 0 else -checkers


def checkers_on(s, seat, point):
    """How many checkers a seat has on one of its points; below 0: the other's."""
    checkers = s.board[cell(seat, point)]
    return checkers if seat == 0 else -checkers


# --- dice


def needs_dice(s):
    """Before each turn."""
    return s.dice[0] == 0 and s.ended == 0


def roll(s, source, dice):
    """Two dice; for the opening roll they differ."""
    dice[0], dice[1] = 1 + uniform(source, 6), 1 + uniform(source, 6)
    while s.turn == 0 and dice[0] == dice[1]:
        dice[0], dice[1] = 1 + uniform(source, 6), 1 + uniform(source, 6)
    return 2


def deal(s, dice, events):
    """A double is played four times. In the opening roll a die is each seat's own, and the higher one begins."""
    s.dice[0], s.dice[1] = dice[0], dice[1]
    if dice[0] == dice[1]:
        s.left[dice[0] - 1] = 4
    else:
        s.left[dice[0] - 1] = s.left[dice[1] - 1] = 1
    if s.turn == 0:
        s.mover = 0 if dice[0] > dice[1] else 1


# --- what is legal; sets of points are numbers whose bit p is point p


def occupied(s, seat):
    """Points with a checker of the seat (the bar is one), those with its blots, and those that the other has made."""
    own = 1 << BAR if s.bar[seat] > 0 else 0
    blots = own if s.bar[seat] == 1 else 0
    blocked = 0
    for point in range(1, BAR):
        checkers = checkers_on(s, seat, point)
        own |= (1 if checkers > 0 else 0) << point
        blots |= (1 if checkers == 1 else 0) << point
        blocked |= (1 if checkers < -1 else 0) << point
    return own, blots, blocked


def movable(own, blocked, die):
    """Points from which a checker may move by this die."""
    if own >> BAR:
        return own & 1 << BAR & ~(blocked << die)
    found = own & ~(blocked << die) & -2 << die
    if own & OUTSIDE_HOME == 0:
        borne_off = own & 1 << die
        if borne_off:
            return found | borne_off
        if own >> die == 0:  # with a die that is too high, one bears off from the highest point
            while own & own - 1:
                own &= own - 1
            return own
    return found


def moved(own, blots, point, die):
    """Points with a checker after such a move."""
    own &= ~(blots & 1 << point)
    return own | 1 << point - die if point > die else own


def movable_twice(own, blots, blocked, first, second):
    """Points from which a checker may move by the first die so that one may then move by the second."""
    found, rest = 0, movable(own, blocked, first)
    while rest:
        point = lowest(rest)
        if movable(moved(own, blots, point, first), blocked, second):
            found |= rest & -rest
        rest &= rest - 1
    return found


def choices(s, seat):
    """Points from which a checker may move by the lower die that is left, and by the higher one (0 for a double).

    Both dice are played if that is possible; if only one is, the higher one.
    """
    low = lowest_left(s)
    high = highest_left(s)
    if low == 0:
        return 0, 0
    own, blots, blocked = occupied(s, seat)
    if low == high:
        return movable(own, blocked, low), 0
    first, second = movable_twice(own, blots, blocked, low, high), movable_twice(own, blots, blocked, high, low)
    if first | second:
        return first, second
    second = movable(own, blocked, high)
    return (0, second) if second else (movable(own, blocked, low), 0)


def lowest_left(s):
    """The lowest die that is left; 0 for none."""
    for die in range(1, 7):
        if s.left[die - 1] > 0:
            return die
    return 0


def highest_left(s):
    """The highest die that is left; 0 for none."""
    for die in range(6, 0, -1):
        if s.left[die - 1] > 0:
            return die
    return 0


def count_legal(s, seat, notes):
    """How many moves there are, or the pass alone; `notes` gets the points for both dice."""
    notes[0], notes[1] = choices(s, seat) if s.mover == seat else (0, 0)
    return max(1, popcount(notes[0]) + popcount(notes[1]))


def kth_legal(s, seat, k, notes):
    """The move at place k: by the die, then by the point."""
    points, die = notes[0], lowest_left(s)
    before = popcount(points)
    if k >= before:
        k -= before
        points, die = notes[1], highest_left(s)
    if points == 0:
        return PASS
    return (die - 1) * BAR + nth_of(points, k) - 1


def legal(s, seat, out):
    """All moves by the lower die, then by the higher one; the pass alone, if there is none."""
    first, second = choices(s, seat) if s.mover == seat else (0, 0)
    count = 0
    for point in range(1, BAR + 1):
        if first >> point & 1:
            out[count] = (lowest_left(s) - 1) * BAR + point - 1
            count += 1
    for point in range(1, BAR + 1):
        if second >> point & 1:
            out[count] = (highest_left(s) - 1) * BAR + point - 1
            count += 1
    if count == 0:
        out[0] = PASS
    return max(1, count)


def is_legal(s, seat, action):
    """Whether the checker may move so now, and as many dice are played as can be."""
    if action < 0 or action > PASS or s.mover != seat:
        return False
    if action == PASS:
        first, second = choices(s, seat)
        return first | second == 0
    die, point = action // BAR + 1, action % BAR + 1
    if s.left[die - 1] == 0 or (s.bar[seat] if point == BAR else checkers_on(s, seat, point)) <= 0:
        return False
    first, second = choices(s, seat)
    return (first if die == lowest_left(s) else second) >> point & 1 == 1


# --- a turn


def counts(s, seat):
    """What a win of this seat counts now, by what the other has left."""
    other = 1 - seat
    if s.off[other] > 0:
        return SINGLE
    if s.bar[other] > 0:
        return BACKGAMMON
    for point in range(19, BAR):  # the winner's home board
        if checkers_on(s, other, point) > 0:
            return BACKGAMMON
    return GAMMON


def step(s, actions, events):
    """Move a checker, hit a blot or bear off; without a move that is left, the turn goes to the other seat."""
    seat = s.mover
    action = actions[seat]
    s.turn += 1
    if action != PASS:
        die, point = action // BAR + 1, action % BAR + 1
        s.left[die - 1] -= 1
        put_checkers(s, seat, point, -1)
        if point <= die:
            s.off[seat] += 1
        else:
            if checkers_on(s, seat, point - die) == -1:
                put_checkers(s, 1 - seat, BAR - point + die, -1)
                s.bar[1 - seat] += 1
            put_checkers(s, seat, point - die, 1)
        if s.off[seat] == CHECKERS:
            s.ended = counts(s, seat)
            return
        first, second = choices(s, seat)
        if first | second:
            return
    for at in range(6):
        s.left[at] = 0
    s.dice[0] = s.dice[1] = 0
    s.mover = 1 - seat


def possible(s):
    """Whether each seat has its fifteen checkers, and the moves that are left are some of what the dice gave."""
    for seat in range(2):
        on_board = sum(max(0, checkers if seat == 0 else -checkers) for checkers in s.board)
        if on_board + s.bar[seat] + s.off[seat] != CHECKERS:
            return False
    low, high = sorted(s.dice)
    given = [0] * 6
    if low != 0:
        given[low - 1] = given[high - 1] = 4 if low == high else 1
    if (low == 0) != (high == 0) or any(left > most for left, most in zip(s.left, given, strict=True)):
        return False
    if s.ended == 0 and low != 0 and not any(s.left):
        return False
    return (s.ended != 0) == (CHECKERS in s.off) and s.off != [CHECKERS, CHECKERS]


def winner(s):
    """Who has no checker left, or nobody yet."""
    return 0 if s.off[0] == CHECKERS else 1 if s.off[1] == CHECKERS else -1


def score(s, seat):
    """What the match has brought: 1, 2 or 3 points for the winner, as many lost for the other."""
    points = s.ended if s.gammons else min(1, s.ended)
    return points if winner(s) == seat else -points


def observe(s, seat, out):
    """Checkers by the seat's own points, and the moves that are left."""
    for at in range(24):
        point = 13 + at if at < 12 else 24 - at
        checkers = checkers_on(s, seat, point)
        out[at] = max(0, checkers)
        out[24 + at] = max(0, -checkers)
        out[48 + at] = s.bar[seat]
        out[72 + at] = s.bar[1 - seat]
        out[96 + at] = s.off[seat]
        out[120 + at] = s.off[1 - seat]
        for die in range(6):
            out[(6 + die) * 24 + at] = s.left[die]
        out[12 * 24 + at] = s.mover == seat


def text(action):
    """From where to where, as players write it: 13/7, bar/20, 4/off; with a die that is too high 4/off(6)."""
    if action == PASS:
        return "pass"
    die, point = action // BAR + 1, action % BAR + 1
    origin = "bar" if point == BAR else str(point)
    return f"{origin}/{point - die}" if point > die else f"{origin}/off" + (f"({die})" if point < die else "")
