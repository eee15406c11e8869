"""Looks four stones ahead: takes a win, stops one, and otherwise likes what is near the centre.

It reads the board as every game in one file writes it, of any size. Among equal columns chance decides.

What it thinks is a `policy` in the language of rules: `dohyo.rl` and `dohyo.search` compile it, and ask it without a
process. A board whose stones can be dropped and taken back is in `luck`, of which it has some fields to think in.
"""

import os
import random
import sys

from dohyo.core.cheap_random import LUCK, below
from dohyo.core.flat import Layout, flat
from dohyo.core.policies import flat_in

DEPTH = 4  # stones that it looks ahead
WON = 1_000_000
SIZE = 10  # of the largest board
DOWN, RIGHT = (0, 1, 1, 1), (1, 0, 1, -1)  # the directions of a row
FIELDS = (
    ("negamax_board", "i1", SIZE * SIZE),  # 0 free, else 1 more than whose stone it is
    ("negamax_filled", "i1", SIZE),
    ("negamax_centre", "i8", 0),  # how much nearer to the centre seat 0's stones are, in halves of a column
    ("negamax_best", "i1", SIZE),  # the best columns so far
    # By stones that it looks ahead: the worth that is certain, the one that is enough, columns tried, the one now.
    ("negamax_low", "i8", DEPTH),
    ("negamax_high", "i8", DEPTH),
    ("negamax_tried", "i8", DEPTH),
    ("negamax_column", "i8", DEPTH),
)


@flat_in(*FIELDS)
def policy(s, seat, options, count, luck):
    """One of the best columns."""
    copy_board(s, luck)
    best, equal = -3 * WON, 0
    for k in range(s.columns):
        column = nearest(s, k)
        if luck.negamax_filled[column] < s.rows:
            # Of what is worse than the best so far any number is good enough.
            wins = drop(s, luck, column, seat)
            found = 2 * WON if wins else -value(s, luck, 1 - seat, -2 * WON, 1 - best)
            take_back(s, luck, column)
            if found > best:
                best, equal = found, 0
            if found == best:
                luck.negamax_best[equal] = column
                equal += 1
    return luck.negamax_best[below(luck, equal)] if equal > 0 else options[0]


@flat
def copy_board(s, luck):
    """Put the position where stones can be dropped."""
    luck.negamax_centre = 0
    for column in range(s.columns):
        luck.negamax_filled[column] = s.filled[column]
        for row in range(s.rows):
            stone = s.board[row * SIZE + column]
            luck.negamax_board[row * SIZE + column] = stone
            if stone > 0:
                luck.negamax_centre += centre(s, column) * (3 - 2 * stone)


@flat
def centre(s, column):
    """How near a column is to the centre, in halves of a column."""
    return s.columns - abs(2 * column - s.columns + 1)


@flat
def nearest(s, k):
    """The column at place k of those ordered by how near they are to the centre, the left one of two first."""
    aside = (k + 1) // 2
    return (s.columns - 1) // 2 + (-aside if k % 2 == s.columns % 2 else aside)


@flat
def drop(s, luck, column, whose):
    """Put a stone down; whether it makes a row."""
    row = s.rows - 1 - luck.negamax_filled[column]
    luck.negamax_board[row * SIZE + column] = whose + 1
    luck.negamax_filled[column] += 1
    luck.negamax_centre += centre(s, column) * (1 - 2 * whose)
    for line in range(len(DOWN)):
        down, right = DOWN[line], RIGHT[line]
        if 1 + beside(s, luck, row, column, down, right) + beside(s, luck, row, column, -down, -right) >= s.inarow:
            return True
    return False


@flat
def take_back(s, luck, column):
    """Take the highest stone of a column away."""
    luck.negamax_filled[column] -= 1
    at = (s.rows - 1 - luck.negamax_filled[column]) * SIZE + column
    luck.negamax_centre -= centre(s, column) * (3 - 2 * luck.negamax_board[at])
    luck.negamax_board[at] = 0


@flat
def beside(s, luck, row, column, down, right):
    """How many stones of the same player follow this one in a direction."""
    stone, found = luck.negamax_board[row * SIZE + column], 0
    row, column = row + down, column + right
    while 0 <= row < s.rows and 0 <= column < s.columns and luck.negamax_board[row * SIZE + column] == stone:
        found += 1
        row, column = row + down, column + right
    return found


@flat
def value(s, luck, whose, low, high):
    """What the position is worth for whoever is to move, between `low` and `high`."""
    if next_column(s, luck, 0) < 0:
        return looks(luck, whose)
    last = DEPTH - 2
    luck.negamax_low[0], luck.negamax_high[0], luck.negamax_tried[0] = low, high, 0
    ahead = 0
    while True:
        k = next_column(s, luck, luck.negamax_tried[ahead])
        if k < 0 or luck.negamax_low[ahead] >= luck.negamax_high[ahead]:
            found = luck.negamax_low[ahead]
            if ahead == 0:
                return found
            ahead -= 1
            take_back(s, luck, luck.negamax_column[ahead])
            luck.negamax_low[ahead] = max(luck.negamax_low[ahead], -found)
            continue
        column, mover = nearest(s, k), whose if ahead % 2 == 0 else 1 - whose
        luck.negamax_tried[ahead], luck.negamax_column[ahead] = k + 1, column
        is_row = drop(s, luck, column, mover)
        if is_row or ahead == last or next_column(s, luck, 0) < 0:
            found = WON + last + 1 - ahead if is_row else looks(luck, mover)
            take_back(s, luck, column)
            luck.negamax_low[ahead] = max(luck.negamax_low[ahead], found)
        else:
            luck.negamax_low[ahead + 1] = -luck.negamax_high[ahead]
            luck.negamax_high[ahead + 1] = -luck.negamax_low[ahead]
            luck.negamax_tried[ahead + 1] = 0
            ahead += 1


@flat
def next_column(s, luck, tried):
    """The next place in the order of columns whose column has room; -1 when there is none."""
    for k in range(tried, s.columns):
        if luck.negamax_filled[nearest(s, k)] < s.rows:
            return k
    return -1


@flat
def looks(luck, whose):
    """Own stones near the centre less the other's, in halves of a column."""
    return luck.negamax_centre if whose == 0 else -luck.negamax_centre


class Board:
    """What was read, under the names that a state has."""

    def __init__(self, seen):
        """`seen` has the lines of a prompt by their first word, as lists of the words behind it."""
        self.rows, self.columns, self.inarow = (int(seen[name][0][0]) for name in ("rows", "columns", "inarow"))
        self.board = [".XO#".index(word) for row in seen["board"] for word in row]
        self.filled = [int(word) for word in seen["filled"][0]]


def main():
    """Read one prompt after the other."""
    seen, mind = {}, Layout("Mind", *LUCK.fields, *FIELDS).new()
    mind.word = random.Random(os.environ.get("DOHYO_SEED")).getrandbits(32)
    for line in sys.stdin:
        name, *words = line.split()
        seen.setdefault(name, []).append(words)
        if name == "legal":
            print(policy(Board(seen), int(seen["seat"][0][0]), None, 0, mind), flush=True)
            seen = {}


if __name__ == "__main__":
    main()
