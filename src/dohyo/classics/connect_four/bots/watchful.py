"""A player of connect four that watches: it looks two turns ahead, and counts the rows that are still to be had.

How it thinks
-------------
1. A column that makes four in a row wins: take it.
2. A column where the other one would make four: take it, before it does.
3. Of the others, none that lets the other one make four right on top of my stone.
4. Among what is left, the column with the most rows of four through the cell that no stone of the other's blocks;
   those that have stones of mine already count for more.

It draws no lots: the same board always gets the same answer.

What it thinks is a `policy` in the language of rules, which `dohyo.rl` and `dohyo.search` compile and ask without a
process. So it uses whole numbers and loops only, and looks at a state: the game's own there, here what it has read.
"""

COLUMNS, ROWS = 7, 6
HEIGHT = 8  # a column's cells are so many bits of a number, the lowest first
ACROSS, UP = (0, 1, 1, 1), (1, 0, 1, -1)  # the directions of a row of four
NEARER = (1, 4, 16, 64)  # what a row of four cells is worth with so many stones of mine in it
WIN, DEFENCE, TRAP = 4_000_000, 2_000_000, -1_000_000


def flat(function):
    """The mark of functions that Dohyo may compile; the one of `dohyo.core.flat`, without its import."""
    function.__flat__ = True
    return function


@flat
def policy(s, seat, options, count, luck):
    """The best column for this player."""
    best, most = 0, 2 * TRAP
    for column in range(COLUMNS):
        row = 0
        while row < ROWS and (s.stones[0] | s.stones[1]) >> (column * HEIGHT + row) & 1:
            row += 1
        if row < ROWS:
            found = judge(s.stones[seat], s.stones[1 - seat], column, row)
            if found > most:
                best, most = column, found
    return best


@flat
def judge(mine, theirs, column, row):
    """How good a stone on this cell is, for me to move: larger is better. Stones are the bits of two numbers."""
    if makes_four(mine, theirs, column, row):
        return WIN
    if makes_four(theirs, mine, column, row):
        return DEFENCE
    if row + 1 < ROWS and makes_four(theirs, mine, column, row + 1):
        return TRAP
    aside = column - COLUMNS // 2
    return worth(mine, theirs, column, row) + worth(theirs, mine, column, row) - (aside if aside > 0 else -aside)


@flat
def makes_four(own, other, column, row):
    """Whether a stone of the first player's on a free cell is four in a row."""
    for way in range(len(ACROSS)):
        for first in range(-3, 1):
            if stones_in(own, other, column, row, way, first) == 3:
                return True
    return False


@flat
def worth(own, other, column, row):
    """What a free cell is worth to the first player, by the rows of four that it can still have there."""
    total = 0
    for way in range(len(ACROSS)):
        for first in range(-3, 1):
            stones = stones_in(own, other, column, row, way, first)
            if stones >= 0:
                total += NEARER[stones]
    return total


@flat
def stones_in(own, other, column, row, way, first):
    """How many own stones a row of four has; -1 where it leaves the board, or the other one has a stone in it."""
    stones = 0
    for at in range(first, first + 4):
        x, y = column + at * ACROSS[way], row + at * UP[way]
        if x < 0 or x >= COLUMNS or y < 0 or y >= ROWS or other >> (x * HEIGHT + y) & 1:
            return -1
        stones += own >> (x * HEIGHT + y) & 1
    return stones


class Board:
    """What was read, under the name that a state has."""

    def __init__(self, rows):
        """`rows` are six texts from the top: . a free cell, 0 and 1 the players' stones."""
        self.stones = [0, 0]
        for y, row in enumerate(reversed(rows)):
            for x, letter in enumerate(row):
                if letter != ".":
                    self.stones[int(letter)] |= 1 << (x * HEIGHT + y)


def choose(me, rows):
    """The best column on a board of these rows."""
    return policy(Board(rows), me, None, 0, None)


def main():
    """Answer turn after turn until the match is over."""
    try:
        while True:
            me = int(input())
            print(choose(me, [input() for _ in range(ROWS)]), flush=True)
    except EOFError:
        pass


if __name__ == "__main__":
    main()
