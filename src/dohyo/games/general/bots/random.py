"""Plays any game of one file: answers with one of its legal actions, each as likely. A place to start from."""

import os
import sys

# This file is called random.py as well: without this line, the next one would find it instead of Python's module.
sys.path.pop(0)
import random

# Dohyo gives every bot a seed of its own, so that a match can be played again exactly; without one, each run differs.
chance = random.Random(os.environ.get("DOHYO_SEED"))


def choose(state, legal):
    """Choose an action. `state` has each field's rows by its name: a row is a list of words."""
    return chance.choice(legal)  # your own ideas go here


state = {}
for line in sys.stdin:
    name, *words = line.split()
    if name == "legal":  # the last line of a turn
        print(choose(state, words), flush=True)
        state = {}
    else:
        state.setdefault(name, []).append(words)
