"""Shoot-Em-Up's simplest robot: any action that does not leave the board. A place to start from."""

import os
import sys

# This file is called random.py as well: without this line, the next one would find it instead of Python's module.
sys.path.pop(0)
import random

# Dohyo gives every bot a seed of its own, so that a match can be played again exactly; without one, each run differs.
chance = random.Random(os.environ.get("DOHYO_SEED"))

DIRECTIONS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0)]
ACTIONS = [("M", dx, dy) for dx, dy in [(0, 0), *DIRECTIONS]] + [("S", dx, dy) for dx, dy in DIRECTIONS]


def choose(x, y):
    """Choose what to do on square (x, y): ("M", dx, dy) to move, ("S", dx, dy) to shoot. Your own ideas go here."""
    while True:
        kind, dx, dy = chance.choice(ACTIONS)
        if kind == "S" or (0 <= x + dx <= 9 and 0 <= y + dy <= 9):
            return kind, dx, dy


x = y = 0
for line in sys.stdin:
    what, *numbers = line.split()
    if what[0] in "WLD":
        continue  # won, lost: another combat may follow; D is what a person wants shown, and here is nothing to show
    if what == "P":  # a combat begins, and this is our square
        x, y = int(numbers[0]), int(numbers[1])
    # H and N say whether the opponent has just hit us, and from where. This robot does not mind.
    kind, dx, dy = choose(x, y)
    if kind == "M":
        x, y = x + dx, y + dy
    print(kind, dx, dy, flush=True)
