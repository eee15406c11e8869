"""Battlesnake: eat, grow, and be the last snake; the standard board, with hazards where a map has them."""

from dohyo.classics.battlesnake_hazards import (
    CELLS,
    DAMAGE,
    EVERY,
    MAPS,
    MAX_DAMAGE,
    MAX_EVERY,
    ROYALE,
    SIZE,
    STANDARD,
    bring_hazards,
    fits_map,
    hazard_choices,
    hazards_come,
    is_always_hazard,
)
from dohyo.core.clock import Clock
from dohyo.core.faults import FaultKind
from dohyo.core.flat import Layout, uniform
from dohyo.core.game import Plane
from dohyo.core.options import Option, one_of, whole
from dohyo.i18n import Message

SEATS = (2, 8)
TURNS = "simultaneous"
CENTRE = CELLS // 2
UP, DOWN, LEFT, RIGHT = 0, 1, 2, 3
WORDS = ("up", "down", "left", "right")
ACTIONS = 4
STARTS = 8  # places in which a snake may begin
PLACES = (0, 2, 5, 7, 1, 3, 4, 6)  # their numbers: those near the corners, and those between them
LENGTH, HEALTH = 3, 100  # of a snake that begins, and of one that has just eaten
MAX_LENGTH = CELLS + LENGTH
MAX_FOOD = 20  # that appears in one turn
MAX_TURNS = 10_000
DICE = 2 * STARTS + MAX_FOOD

LAYOUT = Layout(
    "Battlesnake",
    ("seats", "i1", 0),  # filled at the start
    ("turn", "i4", 0),
    ("limit", "i4", 0),  # the turn before which the match is over
    ("least", "i1", 0),  # food that is always there
    ("chance", "i1", 0),  # in 100 turns, food appears in one less than so many
    ("dealt", "i1", 0),  # whether this turn's food has appeared
    ("ended", "i1", 0),
    ("health", "i1", 8),
    ("length", "i2", 8),
    ("facing", "i1", 8),  # 1 to 4: the action before, and 1; 0 before the first
    ("head", "i1", 8),  # the head's place: row * 11 + column
    ("died", "i4", 8),  # the turn after which the snake was out; 0: it plays
    ("snakes", "i1", (SIZE, SIZE)),  # 1 for seat 0's; row 0 is the top
    ("life", "i2", (SIZE, SIZE)),  # in how many turns the snake's tail leaves this place, if it eats nothing
    ("food", "i1", (SIZE, SIZE)),
    ("hazards", "i1", (SIZE, SIZE)),
    ("map", "i1", 0),  # its place in MAPS
    ("damage", "i1", 0),  # what a hazard costs a head that ends its turn there
    ("every", "i1", 0),  # in how many turns hazards come once; 0: never
    ("origin", "i1", 0),  # the place where they began, and 1; 0 before
    ("reach", "i1", 4),  # how far they have come, to the left, right, top and bottom; royale: from these borders
)
SIGNS = {"snakes": ".ABCDEFGH", "food": ".*", "hazards": ".~"}
OWNERS = ("snakes",)
PER_SEAT = ("health", "length", "facing", "head", "died")
DRAWN = ("turn", "health", "length", "snakes", "food", "hazards")
RANGES = {
    "seats": (2, 8),
    "turn": (0, MAX_TURNS),
    "limit": (1, MAX_TURNS),
    "least": (0, MAX_FOOD),
    "chance": (0, 100),
    "dealt": (0, 1),
    "ended": (0, 3),
    "health": (0, HEALTH),
    "length": (0, MAX_LENGTH),
    "facing": (0, 4),
    "head": (0, CELLS - 1),
    "died": (0, MAX_TURNS),
    "life": (0, MAX_LENGTH),
    "map": (0, len(MAPS) - 1),
    "damage": (0, MAX_DAMAGE),
    "every": (0, MAX_EVERY),
    "origin": (0, CELLS),
    "reach": (0, SIZE),
}
LAST, NOBODY, LIMIT = 1, 2, 3
REASONS = {LAST: "one snake is left", NOBODY: "no snake is left", LIMIT: "the last turn is played"}
OPTIONS = (
    Option("food", 1, "0 to 20", "food that is always on the board", whole(0, MAX_FOOD)),
    Option(
        "chance",
        15,
        "0 to 100",
        "in how many of 100 turns, less one, more food appears: 15 are 14, as by the official rules",
        whole(0, 100),
    ),
    Option("turns", 1000, f"1 to {MAX_TURNS}", "the turns after which a match ends in any case", whole(1, MAX_TURNS)),
    Option("map", MAPS[STANDARD], ", ".join(MAPS), "where there are hazards", one_of(*MAPS), left_out=True),
    Option(
        "damage",
        DAMAGE,
        f"0 to {MAX_DAMAGE}",
        "with hazards: the health that one costs in a turn, beside the usual 1",
        whole(0, MAX_DAMAGE),
        left_out=True,
    ),
    Option(
        "shrink",
        EVERY[ROYALE],
        f"1 to {MAX_EVERY}",
        "with map=royale: in how many turns one more row or column becomes a hazard",
        whole(1, MAX_EVERY),
        left_out=True,
    ),
)
KIND, SHAPE = "i2", (SIZE, SIZE)
PLANES = (
    Plane("own_body", 0, MAX_LENGTH, "turns until the own tail leaves this place"),
    Plane("own_head", 0, 1, "the own head"),
    Plane("other_bodies", 0, MAX_LENGTH, "turns until another snake's tail leaves this place"),
    Plane("shorter_heads", 0, 1, "heads of snakes that are shorter than the own one"),
    Plane("longer_heads", 0, 1, "heads of snakes that are as long or longer"),
    Plane("food", 0, 1, "food"),
    Plane("health", 0, HEALTH, "own health"),
    Plane("length", 0, MAX_LENGTH, "own length"),
    Plane("others", 0, 7, "other snakes that are left"),
    Plane("cost", 0, MAX_DAMAGE + 1, "health that a head loses here: 1, in a hazard more, with food nothing"),
)
CLOCKS = {"standard": Clock(turn=0.5)}
STAYS = {
    *(FaultKind.TIMEOUT, FaultKind.CLOSED, FaultKind.NO_CONNECTION, FaultKind.MALFORMED),
    *(FaultKind.ILLEGAL, FaultKind.NOT_READY),
}
GONE = frozenset(FaultKind) - STAYS


def text(action):
    """The word for a move."""
    return WORDS[action]


def answer(s, seat, fault):
    """A snake without an answer goes straight on; before its first move, up."""
    return s.facing[seat] - 1 if s.facing[seat] > 0 else UP


def stops(fault):
    """A late or senseless answer, or none from its server, does not end a snake's part; its program's end does."""
    return fault.kind in GONE


def start(s, setup, seats):
    """Snakes are placed by the dice; hazards that stay are there from the start."""
    s.least, s.chance, s.limit = setup["food"], setup["chance"], setup["turns"]
    s.map = MAPS.index(setup.get("map", MAPS[STANDARD]))
    if s.map != STANDARD:
        s.damage = setup.get("damage", DAMAGE)
        s.every = setup.get("shrink", EVERY[ROYALE]) if s.map == ROYALE else EVERY[s.map]
    for place in range(CELLS):
        s.hazards[place] = 1 if is_always_hazard(s.map, place) else 0
    for seat in range(seats):
        s.health[seat] = HEALTH
        s.length[seat] = LENGTH


def acts(s, seat):
    """Every snake that is left moves in each turn."""
    return s.died[seat] == 0


def is_legal(s, seat, action):
    """All four moves are legal, those into a wall, too."""
    return action >= 0 and action < ACTIONS


def legal(s, seat, out):
    """All four moves."""
    for action in range(ACTIONS):
        out[action] = action
    return ACTIONS


# --- food, and where snakes begin


def needs_dice(s):
    """Before each turn."""
    return s.dealt == 0 and s.ended == 0


def roll(s, source, dice):
    """At the start each seat's place, then its food; later how many pieces of food appear, then where.

    After these, where a hazard comes, if there is a choice: which of the places or sides, in order.
    """
    if s.turn == 0:
        return roll_start(s, source, dice)
    count = roll_food(s, source, dice)
    choices = hazard_choices(s) if hazards_come(s) else 0
    if choices > 0:
        dice[count] = uniform(source, choices)
        count += 1
    return count


def roll_food(s, source, dice):
    """How many pieces of food appear, then where."""
    there = 0
    for place in range(CELLS):
        there += s.food[place]
    wanted = s.least - there
    if wanted <= 0:
        wanted = 1 if 100 - uniform(source, 100) < s.chance else 0  # as the official rules draw it
    free = 0
    for place in range(CELLS):
        free += 1 if is_free(s, place) else 0
    wanted = min(wanted, free)
    for piece in range(wanted):
        k = uniform(source, free - piece)
        for place in range(CELLS):
            if is_free(s, place) and not is_among(dice, piece, place):
                if k == 0:
                    dice[1 + piece] = place
                    break
                k -= 1
    dice[0] = wanted
    return 1 + wanted


def is_among(dice, count, place):
    """Whether the place is one of the first pieces that were rolled."""
    for piece in range(count):
        if dice[1 + piece] == place:
            return True
    return False


def is_free(s, place):
    """Whether food may appear there: no snake, no food, and no head beside it."""
    if s.snakes[place] > 0 or s.food[place] > 0:
        return False
    for seat in range(s.seats):
        if s.died[seat] == 0 and distance(s.head[seat], place) == 1:
            return False
    return True


def distance(first, second):
    """Steps from one place to another."""
    return abs(first // SIZE - second // SIZE) + abs(first % SIZE - second % SIZE)


def start_place(number):
    """One of the eight places, in the second and last but one rows and columns and between them."""
    at = number if number < 4 else number + 1  # of nine places, without the centre
    return (1 + at // 3 * 4) * SIZE + 1 + at % 3 * 4


def roll_start(s, source, dice):
    """A place for each snake, all different, and food at two steps from each, away from the centre.

    The first four begin all near the corners, or all between them, so that none has a better place than another.
    """
    first = STARTS // 2 * uniform(source, 2)
    for at in range(STARTS):
        dice[at] = PLACES[(first + at) % STARTS]
    for seat in range(s.seats):
        other = seat + uniform(source, (STARTS // 2 if seat < STARTS // 2 else STARTS) - seat)
        kept = dice[seat]
        dice[seat] = dice[other]
        dice[other] = kept
    for seat in range(s.seats):
        place = start_place(dice[seat])
        count = 0
        for corner in range(4):
            count += 1 if suits(s, dice, seat, place, corner) else 0
        k = uniform(source, count) if count > 1 else 0
        for corner in range(4):
            if suits(s, dice, seat, place, corner):
                if k == 0:
                    dice[s.seats + seat] = beside(place, corner)
                    break
                k -= 1
    return 2 * s.seats


def beside(place, corner):
    """The place diagonally beside this one."""
    return place + (SIZE if corner // 2 else -SIZE) + (1 if corner % 2 else -1)


def suits(s, dice, seat, place, corner):
    """Whether the first food of a snake may be there: farther from the centre, in no corner, nobody else's."""
    found = beside(place, corner)
    row, column, middle = place // SIZE, place % SIZE, SIZE // 2
    below, right = corner // 2 == 1, corner % 2 == 1
    is_away = (row != middle and below == (row > middle)) or (column != middle and right == (column > middle))
    if not is_away or (found // SIZE % (SIZE - 1) == 0 and found % SIZE % (SIZE - 1) == 0):
        return False
    for other in range(seat):
        if dice[s.seats + other] == found:
            return False
    return True


def deal(s, dice, events):
    """Put snakes and food on the board."""
    if s.turn == 0:
        for seat in range(s.seats):
            place = start_place(dice[seat])
            s.head[seat] = place
            s.snakes[place] = seat + 1
            s.life[place] = LENGTH
        for seat in range(s.seats):
            s.food[dice[s.seats + seat]] = 1
        s.food[CENTRE] = 1
    else:
        for piece in range(dice[0]):
            s.food[dice[1 + piece]] = 1
        if hazards_come(s):
            bring_hazards(s, dice[1 + dice[0]] if hazard_choices(s) > 0 else 0)
    s.dealt = 1


# --- a turn


def step(s, actions, events):
    """All move at once, then those that have not survived are taken away."""
    starve(s)
    for seat in range(s.seats):
        if s.died[seat] == 0:
            s.facing[seat] = actions[seat] + 1
            if stays(s.head[seat], actions[seat]):
                s.head[seat] = moved(s.head[seat], actions[seat])
            else:
                s.died[seat] = -1  # until it is known who else is out
    hurt(s)
    feed(s)
    for seat in range(s.seats):
        if s.health[seat] == 0 and s.died[seat] == 0:
            s.died[seat] = -1
    take_away(s)
    for seat in range(s.seats):
        if s.died[seat] == 0 and has_collided(s, seat):
            s.died[seat] = -2
    take_away(s)
    for seat in range(s.seats):
        if s.died[seat] == 0:
            s.snakes[s.head[seat]] = seat + 1
            s.life[s.head[seat]] = s.length[seat]
        elif s.died[seat] < 0:
            s.died[seat] = s.turn + 1
    s.turn += 1
    s.dealt = 0
    finish(s)


def starve(s):
    """Each snake loses a point of health, and its tail moves on."""
    for place in range(CELLS):
        if s.life[place] > 0:
            s.life[place] -= 1
            if s.life[place] == 0:
                s.snakes[place] = 0
    for seat in range(s.seats):
        if s.died[seat] == 0 and s.health[seat] > 0:
            s.health[seat] -= 1


def stays(place, action):
    """Whether the move stays on the board."""
    row, column = place // SIZE, place % SIZE
    if action == UP:
        return row > 0
    if action == DOWN:
        return row < SIZE - 1
    return column > 0 if action == LEFT else column < SIZE - 1


def moved(place, action):
    """The place beside this one."""
    if action < LEFT:
        return place - SIZE if action == UP else place + SIZE
    return place - 1 if action == LEFT else place + 1


def hurt(s):
    """A head in a hazard costs health, unless there is food with it."""
    for seat in range(s.seats):
        if s.died[seat] == 0 and s.hazards[s.head[seat]] > 0 and s.food[s.head[seat]] == 0:
            s.health[seat] = max(0, s.health[seat] - s.damage)


def feed(s):
    """A head on food eats it: all health again, and the tail stays where it is for a turn."""
    for seat in range(s.seats):
        if s.died[seat] == 0 and s.food[s.head[seat]] > 0:
            s.health[seat] = HEALTH
            if s.length[seat] < MAX_LENGTH:
                s.length[seat] += 1
                for place in range(CELLS):
                    if s.snakes[place] == seat + 1 and s.life[place] < MAX_LENGTH:
                        s.life[place] += 1
    for seat in range(s.seats):
        if s.died[seat] == 0:
            s.food[s.head[seat]] = 0


def take_away(s):
    """Take snakes that are out off the board."""
    for place in range(CELLS):
        if s.snakes[place] > 0 and s.died[s.snakes[place] - 1] != 0:
            s.snakes[place] = 0
            s.life[place] = 0


def has_collided(s, seat):
    """Whether its head is in a body, or meets the head of a snake that is as long."""
    if s.snakes[s.head[seat]] > 0:
        return True
    for other in range(s.seats):
        is_there = other != seat and (s.died[other] == 0 or s.died[other] == -2)
        if is_there and s.head[other] == s.head[seat] and s.length[other] >= s.length[seat]:
            return True
    return False


def finish(s):
    """Whether the match is over now."""
    left = 0
    for seat in range(s.seats):
        left += 1 if s.died[seat] == 0 else 0
    if left < 2:
        s.ended = LAST if left == 1 else NOBODY
    elif s.turn >= s.limit:
        s.ended = LIMIT


def score(s, seat):
    """After how many turns the snake was out; one that is left has a turn more than any other."""
    return s.died[seat] if s.died[seat] > 0 else s.turn + 1


def seat_outcome(s, seat):
    """What became of a snake: after how many turns it was out; otherwise whether it was the last one."""
    if s.died[seat] > 0:
        return Message("battlesnake.out-after", {"turns": s.died[seat]})
    return Message("fate.won" if s.ended == LAST else "fate.played")


# --- what is seen of it


def observe(s, seat, out):
    """The board as this snake sees it."""
    left = 0
    for other in range(s.seats):
        left += 1 if other != seat and s.died[other] == 0 else 0
    for place in range(CELLS):
        is_own = s.snakes[place] == seat + 1
        out[place] = s.life[place] if is_own else 0
        out[CELLS + place] = 0
        out[2 * CELLS + place] = 0 if is_own else s.life[place]
        out[3 * CELLS + place] = 0
        out[4 * CELLS + place] = 0
        out[5 * CELLS + place] = s.food[place]
        out[6 * CELLS + place] = s.health[seat]
        out[7 * CELLS + place] = s.length[seat]
        out[8 * CELLS + place] = left
        out[9 * CELLS + place] = 0 if s.food[place] > 0 else 1 + (s.damage if s.hazards[place] > 0 else 0)
    for other in range(s.seats):
        if s.died[other] == 0:
            plane = 1 if other == seat else 3 if s.length[other] < s.length[seat] else 4
            out[plane * CELLS + s.head[other]] = 1


def possible(s):
    """Whether snakes are whole: heads and bodies are where they say, and nobody is longer than its place allows."""
    if s.turn > s.limit or any(s.died[seat] > s.turn for seat in range(s.seats)) or not fits_map(s):
        return False
    for place in range(CELLS):
        owner = s.snakes[place]
        if owner > s.seats or (owner > 0) != (s.life[place] > 0) or (owner > 0 and s.died[owner - 1] > 0):
            return False
        if owner > 0 and (s.life[place] > s.length[owner - 1] or s.food[place] > 0):
            return False
    if s.dealt == 0 and s.turn == 0:
        return True
    return all(
        s.died[seat] > 0
        or (s.snakes[s.head[seat]] == seat + 1 and s.life[s.head[seat]] == s.length[seat] and s.health[seat] > 0)
        for seat in range(s.seats)
    )


def http():
    """The messages to servers that play it."""
    from dohyo.classics import battlesnake_api

    return battlesnake_api
