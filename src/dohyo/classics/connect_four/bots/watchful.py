"""A player of connect four that watches: it looks two turns ahead, and counts the rows that are still to be had.

How it thinks
-------------
1. A column that makes four in a row wins: take it.
2. A column where the other one would make four: take it, before it does.
3. Of the others, none that lets the other one make four right on top of my stone.
4. Among what is left, the column with the most rows of four through the cell that no stone of the other's blocks;
   those that have stones of mine already count for more.

It draws no lots: the same board always gets the same answer.
"""

COLUMNS, ROWS = 7, 6
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))
NEARER = (1, 4, 16, 64)  # what a row of four cells is worth with so many stones of mine in it


def lines_through(column, row):
    """Every row of four cells on the board that this cell is part of."""
    for across, up in DIRECTIONS:
        for first in range(-3, 1):
            cells = [(column + (first + i) * across, row + (first + i) * up) for i in range(4)]
            if all(0 <= x < COLUMNS and 0 <= y < ROWS for x, y in cells):
                yield cells


LINES = {(x, y): list(lines_through(x, y)) for x in range(COLUMNS) for y in range(ROWS)}


def makes_four(board, cell, who):
    """Whether a stone of this player's on a free cell is four in a row."""
    return any(all(at == cell or board.get(at) == who for at in line) for line in LINES[cell])


def worth(board, cell, who):
    """What a free cell is worth to a player, by the rows of four that it can still have there."""
    total = 0
    for line in LINES[cell]:
        stones = [board[at] for at in line if at in board]
        if all(owner == who for owner in stones):
            total += NEARER[len(stones)]
    return total


def judge(board, cell, me):
    """How good a stone on this cell is, for me to move: larger is better."""
    other = 1 - me
    if makes_four(board, cell, me):
        return 4_000_000
    if makes_four(board, cell, other):
        return 2_000_000
    above = (cell[0], cell[1] + 1)
    if above in LINES and makes_four(board, above, other):
        return -1_000_000
    return worth(board, cell, me) + worth(board, cell, other) - abs(cell[0] - COLUMNS // 2)


def choose(me, rows):
    """The best column. `rows` are six texts from the top: . a free cell, 0 and 1 the players' stones."""
    board = {}  # (column, row from the bottom) -> whose stone
    for y, row in enumerate(reversed(rows)):
        for x, letter in enumerate(row):
            if letter != ".":
                board[x, y] = int(letter)
    landings = [(x, next(y for y in range(ROWS) if (x, y) not in board)) for x in range(COLUMNS) if rows[0][x] == "."]
    return max(landings, key=lambda cell: judge(board, cell, me))[0]


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
