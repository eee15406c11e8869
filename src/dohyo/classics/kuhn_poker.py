"""Kuhn poker: three cards, one each, and one bet."""

from dohyo.core.flat import Layout, uniform

SEATS = 2
ACTIONS = 2
PASS, BET = 0, 1
CARDS = 3
DICE = 2
CHANCE = "at the start"
LAYOUT = Layout(
    "KuhnPoker",
    ("turn", "i1", 0),
    ("ended", "i1", 0),
    ("card", "i1", 2),  # 1 to 3
    ("moves", "i1", 3),  # what was done: 1 a pass, 2 a bet
    ("paid", "i1", 2),
)
HIDDEN = {"card": "others"}
MEANINGS = {
    "turn": "turns so far",
    "ended": "0 not yet, 1 the cards are shown, 2 one has folded",
    "card": "its own card",
    "moves": "what was done in each turn: p a pass, b a bet",
    "paid": "what the seat has put into the pot",
}
OWNERS = ()  # the moves are words
DRAWN = ("turn", "card", "moves", "paid")
SIGNS = {"card": ".JQK", "moves": ".pb"}
RANGES = {"turn": (0, 3), "ended": (0, 2), "paid": (0, 2), "moves": (0, 2)}
SHOWN, FOLDED = 1, 2
REASONS = {SHOWN: "the cards are shown", FOLDED: "one has folded"}


def start(s, setup, seats):
    """An ante of one each into the pot."""
    s.paid[0] = s.paid[1] = 1


def needs_dice(s):
    """Cards are dealt before the first turn."""
    return s.card[0] == 0


def roll(s, source, dice):
    """Two different cards."""
    dice[0] = 1 + uniform(source, CARDS)
    dice[1] = 1 + uniform(source, CARDS - 1)
    if dice[1] >= dice[0]:
        dice[1] += 1
    return 2


def deal(s, dice, events):
    """A card each."""
    s.card[0], s.card[1] = dice[0], dice[1]


def is_legal(s, seat, action):
    """To pass (check or fold) and to bet (or call) are always allowed."""
    return action == PASS or action == BET


def step(s, actions, events):
    """A pass before a bet is a check; after one it is a fold."""
    seat = s.turn % 2
    bet_before = s.turn > 0 and s.moves[s.turn - 1] == 2
    s.moves[s.turn] = actions[seat] + 1
    s.paid[seat] += actions[seat]
    s.turn += 1
    if bet_before:
        s.ended = SHOWN if actions[seat] == BET else FOLDED
    elif s.turn == 2 and actions[seat] == PASS:
        s.ended = SHOWN


def score(s, seat):
    """What the seat has won; before the end, what it has paid so far."""
    if s.ended == 0:
        return -s.paid[seat]
    first = 1 - (s.turn - 1) % 2 if s.ended == FOLDED else 0 if s.card[0] > s.card[1] else 1
    return s.paid[1 - first] if seat == first else -s.paid[seat]


def possible(s):
    """Whether these moves, with these cards, lead to it."""
    same = LAYOUT.new()
    start(same, {}, SEATS)
    same.card = s.card
    for move in s.moves:
        if move != 0 and same.ended == 0 and 0 not in s.card:
            step(same, [move - 1] * SEATS, None)
    return LAYOUT.as_dict(same) == LAYOUT.as_dict(s) and (s.card[0] != s.card[1] or s.card[0] == 0)


def text(action):
    """An action's word."""
    return "bet" if action == BET else "pass"
