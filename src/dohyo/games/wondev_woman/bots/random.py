"""Wondev Woman's simplest player: any of the legal actions, in every league. A place to start from."""

import os
import sys

# This file is called random.py as well: without this line, the next one would find it instead of Python's module.
sys.path.pop(0)
import random

# Dohyo gives every bot a seed of its own, so that a match can be played again exactly; without one, each run differs.
chance = random.Random(os.environ.get("DOHYO_SEED"))


def read_unit():
    """Read where a unit is: x and y, or -1 -1 for an enemy that is not seen."""
    x, y = input().split()
    return int(x), int(y)


def read_turn(size, units):
    """Read what a turn begins with."""
    rows = [input() for _ in range(size)]  # a digit is a cell's height, a dot a hole; 4 is out of play
    mine = [read_unit() for _ in range(units)]
    theirs = [read_unit() for _ in range(units)]
    actions = [input() for _ in range(int(input()))]
    return rows, mine, theirs, actions


def choose(rows, mine, theirs, actions):
    """Choose one of the actions, such as "MOVE&BUILD 0 N SW". Your own ideas go here."""
    if not actions:
        return "ACCEPT-DEFEAT no way to go"  # whatever is said now, the player is out
    return chance.choice(actions)  # a text behind the action is shown to those who watch


try:
    size, units = int(input()), int(input())  # these two lines come once, before the first turn
    while True:
        print(choose(*read_turn(size, units)), flush=True)
except EOFError:
    pass  # the match is over
