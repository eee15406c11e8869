"""Goofspiel: everybody bids a card for each prize, all at once; a seat's hand is its own secret."""

from dohyo.core.flat import Layout, uniform

SEATS = (2, 4)
CARDS = 6
ACTIONS = CARDS + 1  # the number on the card that is bid
TURNS = "simultaneous"
CHANCE = "at the start"
DICE = CARDS

LAYOUT = Layout(
    "Goofspiel",
    ("seats", "i1", 0),  # filled at the start
    ("turn", "i1", 0),
    ("prize", "i1", 0),
    ("prizes", "i1", CARDS),  # in the order in which they come
    ("hand", "i1", (4, CARDS)),  # 1 where the seat still has the card
    ("bid", "i1", 4),
    ("points", "i1", 4),
)
HIDDEN = {"prizes": "everyone", "hand": "others"}
RANGES = {
    "seats": (2, 4),
    "turn": (0, 6),
    "prize": (0, 6),
    "prizes": (0, 6),
    "hand": (0, 1),
    "bid": (0, 6),
    "points": (0, 21),
}
REASONS = {1: "all prizes are gone"}


def start(s, setup, seats):
    """Deal every seat a hand."""
    for at in range(seats * CARDS):
        s.hand[at] = 1


def needs_dice(s):
    """The prizes are shuffled before the first turn."""
    return s.prize == 0


def roll(s, source, dice):
    """The prizes in any order."""
    for at in range(CARDS):
        dice[at] = at + 1
    for at in range(CARDS - 1):
        other = at + uniform(source, CARDS - at)
        kept = dice[at]
        dice[at] = dice[other]
        dice[other] = kept
    return CARDS


def deal(s, dice, events):
    """Lay the prizes out, the first one open."""
    for at in range(CARDS):
        s.prizes[at] = dice[at]
    s.prize = s.prizes[0]


def is_legal(s, seat, action):
    """Whether the seat has this card."""
    return action >= 1 and s.hand[seat * CARDS + action - 1] == 1


def step(s, actions, events):
    """The highest bid takes the prize; equal ones take nothing."""
    best = 0
    shared = 0
    for seat in range(s.seats):
        s.bid[seat] = actions[seat]
        s.hand[seat * CARDS + actions[seat] - 1] = 0
        if s.bid[seat] > s.bid[best]:
            best = seat
    for seat in range(s.seats):
        if seat != best and s.bid[seat] == s.bid[best]:
            shared = 1
    if shared == 0:
        s.points[best] += s.prize
    s.turn += 1
    s.prize = s.prizes[s.turn] if s.turn < CARDS else s.prize


def over(s):
    """Whether all cards are played."""
    return s.turn == CARDS


def score(s, seat):
    """A seat's points; the most win."""
    return s.points[seat]
