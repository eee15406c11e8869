"""Pig: roll the die as long as you dare; who first has 50 points wins."""

from dohyo.core.flat import Layout, uniform

SEATS = 2
GOAL = 50
HOLD, ROLL = 0, 1
ACTIONS = 2
DICE = 1  # numbers of a roll

LAYOUT = Layout(
    "Pig", ("mover", "i1", 0), ("die", "i1", 0), ("pot", "i2", 0), ("points", "i2", SEATS), ("rolling", "i1", 0)
)
RANGES = {"mover": (0, 1), "die": (0, 6), "pot": (0, 60), "points": (0, 110), "rolling": (0, 1)}


def acts(s, seat):
    """Whether it is this seat's turn."""
    return s.mover == seat


def is_legal(s, seat, action):
    """To hold and to roll are always allowed."""
    return HOLD <= action <= ROLL


def step(s, actions, events):
    """Roll, or keep what is in the pot."""
    if actions[s.mover] == ROLL:
        s.rolling = 1
        return
    s.points[s.mover] += s.pot
    s.pot = 0
    s.mover = 1 - s.mover


def needs_dice(s):
    """Whether the die is rolled next."""
    return s.rolling == 1


def roll(s, source, dice):
    """One die."""
    dice[0] = 1 + uniform(source, 6)
    return 1


def deal(s, dice, events):
    """A 1 takes the pot, and the turn."""
    s.die = dice[0]
    s.rolling = 0
    if s.die == 1:
        s.pot = 0
        s.mover = 1 - s.mover
    else:
        s.pot += s.die
        if s.points[s.mover] + s.pot >= GOAL:
            s.points[s.mover] += s.pot
            s.pot = 0


def over(s):
    """Whether somebody has enough."""
    return s.points[0] >= GOAL or s.points[1] >= GOAL


def score(s, seat):
    """A seat's points; the most win."""
    return s.points[seat]


def text(action):
    """An action's word."""
    return "roll" if action == ROLL else "hold"
