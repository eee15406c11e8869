"""Looks four stones ahead: takes a win, stops one, and otherwise likes what is near the centre.

It reads the board as every game in one file writes it, of any size. Among equal columns chance decides.
"""

import os
import random
import sys

DEPTH = 4  # stones that it looks ahead
WON = 1_000_000
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))
chance = random.Random(os.environ.get("DOHYO_SEED"))


class Position:
    """A board whose stones can be dropped and taken back."""

    def __init__(self, rows, columns, inarow, stones):
        self.rows, self.columns, self.inarow, self.stones = rows, columns, inarow, stones
        self.filled = [sum((row, column) in stones for row in range(rows)) for column in range(columns)]
        self.order = sorted(range(columns), key=lambda column: abs(2 * column - columns + 1))

    def open(self):
        """The columns with room, those near the centre first."""
        return [column for column in self.order if self.filled[column] < self.rows]

    def drop(self, column, whose):
        """Put a stone down; whether it makes a row."""
        place = self.rows - 1 - self.filled[column], column
        self.stones[place] = whose
        self.filled[column] += 1
        return any(1 + self.count(place, direction, whose) >= self.inarow for direction in DIRECTIONS)

    def take_back(self, column):
        """Take the highest stone of a column away."""
        self.filled[column] -= 1
        del self.stones[self.rows - 1 - self.filled[column], column]

    def count(self, place, direction, whose):
        """How many stones of the same player lie beside this one on a line, to both sides."""
        found = 0
        for sign in (1, -1):
            row, column = place[0] + sign * direction[0], place[1] + sign * direction[1]
            while self.stones.get((row, column)) == whose:
                found += 1
                row, column = row + sign * direction[0], column + sign * direction[1]
        return found

    def value(self, whose, depth, low, high):
        """What the position is worth for whoever is to move."""
        columns = self.open()
        if not columns or depth == 0:
            return self.looks(whose)
        for column in columns:
            found = WON + depth if self.drop(column, whose) else -self.value(1 - whose, depth - 1, -high, -low)
            self.take_back(column)
            low = max(low, found)
            if low >= high:
                break
        return low

    def looks(self, whose):
        """Own stones near the centre less the other's, in halves of a column."""
        return sum((self.columns - abs(2 * at[1] - self.columns + 1)) * (1 if owner == whose else -1)
                   for at, owner in self.stones.items())  # fmt: skip


def choose(seat, seen):
    """The best column."""
    rows, columns, inarow = (int(seen[name][0][0]) for name in ("rows", "columns", "inarow"))
    board = seen["board"]
    stones = {(row, column): "XO".index(board[row][column])
              for row in range(rows) for column in range(columns) if board[row][column] in "XO"}  # fmt: skip
    position = Position(rows, columns, inarow, stones)
    values = {}
    for column in position.open():
        wins = position.drop(column, seat)
        values[column] = 2 * WON if wins else -position.value(1 - seat, DEPTH - 1, -2 * WON, 2 * WON)
        position.take_back(column)
    best = max(values.values())
    return chance.choice([column for column, value in values.items() if value == best])


def main():
    """Read one prompt after the other."""
    seen = {}
    for line in sys.stdin:
        name, *words = line.split()
        seen.setdefault(name, []).append(words)
        if name == "legal":
            print(choose(int(seen["seat"][0][0]), seen), flush=True)
            seen = {}


main()
