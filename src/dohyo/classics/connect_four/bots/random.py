"""Connect four's simplest player: any of the columns that have room. A place to start from."""

import os
import sys

# This file is called random.py as well: without this line, the next one would find it instead of Python's module.
sys.path.pop(0)
import random

# Dohyo gives every bot a seed of its own, so that a match can be played again exactly; without one, each run differs.
chance = random.Random(os.environ.get("DOHYO_SEED"))


def choose(me, rows):
    """Choose a column. `rows` are six texts from the top: . a free cell, 0 and 1 the players' stones."""
    return chance.choice([column for column in range(7) if rows[0][column] == "."])  # your own ideas go here


try:
    while True:
        me = int(input())
        rows = [input() for _ in range(6)]
        print(choose(me, rows), flush=True)
except EOFError:
    pass  # the match is over
