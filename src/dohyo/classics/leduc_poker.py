"""Leduc poker: six cards of three ranks, one each, one open; two rounds with two raises each."""

from dohyo.core.flat import Layout, uniform

SEATS = 2
ACTIONS = 3
FOLD, CALL, RAISE = 0, 1, 2
RANKS, OF_A_RANK = 3, 2
DICE = 2
RAISES = 2  # in a round
LAYOUT = Layout(
    "LeducPoker",
    ("turn", "i1", 0),
    ("ended", "i1", 0),
    ("mover", "i1", 0),
    ("round", "i1", 0),
    ("raises", "i1", 0),  # in this round
    ("said", "i1", 0),  # turns of this round
    ("card", "i1", 2),  # its rank, 1 to 3
    ("open", "i1", 0),  # the rank of the open card, 0 before the second round
    ("moves", "i1", (2, 4)),  # by round: 1 fold, 2 call, 3 raise
    ("paid", "i1", 2),
)
HIDDEN = {"card": "others"}
MEANINGS = {
    "turn": "turns so far",
    "mover": "whose turn it is",
    "round": "0 before the open card, 1 after",
    "raises": "in this round",
    "said": "turns of this round so far",
    "card": "its own card",
    "open": "the open card",
    "moves": "what was done, four places for each round: f a fold, c a call, r a raise",
    "paid": "what the seat has put into the pot",
}
OWNERS = ()  # the moves are words
DRAWN = ("round", "card", "open", "moves", "paid")
SIGNS = {"card": ".JQK", "open": ".JQK", "moves": ".fcr"}
PER_SEAT = ("paid",)
RANGES = {
    "turn": (0, 8),
    "ended": (0, 2),
    "mover": (0, 1),
    "round": (0, 1),
    "raises": (0, 2),
    "said": (0, 4),
    "moves": (0, 3),
    "paid": (0, 13),
}
SHOWN, FOLDED = 1, 2
REASONS = {SHOWN: "the cards are shown", FOLDED: "one has folded"}


def start(s, setup, seats):
    """An ante of one each into the pot."""
    s.paid[0] = s.paid[1] = 1


def acts(s, seat):
    """Seat 0 begins each round."""
    return s.mover == seat


def needs_dice(s):
    """Before the first round, and for the open card."""
    return s.card[0] == 0 or (s.round == 1 and s.open == 0)


def left(s, rank):
    """How many cards of a rank are left to draw."""
    return OF_A_RANK - (s.card[0] == rank) - (s.card[1] == rank)


def roll(s, source, dice):
    """Two cards at first, then one of those that are left."""
    if s.card[0] == 0:
        first = uniform(source, RANKS * OF_A_RANK)
        second = uniform(source, RANKS * OF_A_RANK - 1)
        if second >= first:
            second += 1
        dice[0] = 1 + first // OF_A_RANK
        dice[1] = 1 + second // OF_A_RANK
        return 2
    rest = uniform(source, RANKS * OF_A_RANK - 2)
    rank = 1
    while rest >= left(s, rank):
        rest -= left(s, rank)
        rank += 1
    dice[0] = rank
    return 1


def deal(s, dice, events):
    """A card each, or the open one."""
    if s.card[0] == 0:
        s.card[0], s.card[1] = dice[0], dice[1]
    else:
        s.open = dice[0]


def is_legal(s, seat, action):
    """To fold needs a raise before it; two raises are the most."""
    if action == FOLD:
        return s.paid[1 - seat] > s.paid[seat]
    return action == CALL or (action == RAISE and s.raises < RAISES)


def step(s, actions, events):
    """Fold, pay what the other has paid, or 2 more (4 in the second round)."""
    seat = s.mover
    action = actions[seat]
    s.moves[s.round * 4 + s.said] = action + 1
    s.turn += 1
    s.said += 1
    s.mover = 1 - seat
    if action == FOLD:
        s.ended = FOLDED
        return
    s.paid[seat] = s.paid[1 - seat]
    if action == RAISE:
        s.paid[seat] += 2 + 2 * s.round
        s.raises += 1
    elif s.said > 1:
        s.raises = s.said = s.mover = 0
        if s.round == 1:
            s.ended = SHOWN
        s.round = 1


def strength(s, seat):
    """A pair with the open card comes before any rank."""
    return s.card[seat] + (10 if s.card[seat] == s.open else 0)


def score(s, seat):
    """What the seat has won; before the end, what it has paid so far."""
    if s.ended == FOLDED:
        return s.paid[1 - seat] if s.mover == seat else -s.paid[seat]
    if s.ended == SHOWN and strength(s, seat) >= strength(s, 1 - seat):
        return s.paid[seat] if strength(s, seat) > strength(s, 1 - seat) else 0
    return -s.paid[seat]


def possible(s):
    """Whether these moves, with these cards, lead to it."""
    same = LAYOUT.new()
    start(same, {}, SEATS)
    same.card = s.card
    for move in s.moves:
        if move != 0 and same.ended == 0 and 0 not in s.card:
            if needs_dice(same):
                same.open = s.open
            if needs_dice(same) or not is_legal(same, same.mover, move - 1):
                return False
            step(same, [move - 1] * SEATS, None)
    if needs_dice(same):
        same.open = s.open  # 0 where it is not dealt yet
    cards = [*s.card, s.open]
    enough = all(cards.count(rank) <= OF_A_RANK for rank in range(1, RANKS + 1))
    return enough and LAYOUT.as_dict(same) == LAYOUT.as_dict(s)


def text(action):
    """An action's word."""
    return "fold" if action == FOLD else "call" if action == CALL else "raise"
