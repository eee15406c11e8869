"""Drop-Block's simplest player: any of the six letters. A place to start from."""

import os
import sys

# This file is called random.py as well: without this line, the next one would find it instead of Python's module.
sys.path.pop(0)
import random

# Dohyo gives every bot a seed of its own, so that a match can be played again exactly; without one, each run differs.
chance = random.Random(os.environ.get("DOHYO_SEED"))


def read_turn():
    """Read the 13 lines that a turn begins with."""
    me = int(input())  # which of the four players I am: 0, 1, 2 or 3
    turn = int(input())
    blocks = [[int(block) for block in input().split()] for _ in range(6)]
    players = []
    for _ in range(4):
        row, column, facing, stun = input().split()
        players.append((int(row), int(column), facing, int(stun)))
    input()  # the word EOD ends the turn's input
    return me, turn, blocks, players


def choose(me, turn, blocks, players):
    """Choose what to do: U, R, D or L to move, A to attack, N for nothing. Your own ideas go here."""
    return chance.choice("URDLAN")


try:
    print("READY", flush=True)  # within a second of the start
    while True:
        print(choose(*read_turn()), flush=True)
except EOFError:
    pass  # the match is over
