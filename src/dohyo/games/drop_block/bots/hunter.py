"""A player of Drop-Block that hunts: it walks to where an attack is likely to drop somebody, and strikes there.

How it thinks
-------------
It tries each of the six letters on a copy of the board, judges what may follow, and takes the best. Three questions:

* How likely will my prey fall? `survival` lets it walk at random until all blocks that are loose now have fallen. In
  the middle of a block it is two steps from safety: if the block falls before its second turn, it is lost. From a
  corner it escapes more often.
* Can I be caught? The same function, with my best walk in the place of a random one, says whether I could still get
  away if an enemy attacked me now. There is time for a long hunt, and none for a second life: safety comes first.
* How far is it to the next square to attack from? That leads the way when there is nothing to gain at once.

A position is told as two numbers, and nobody tells which is the row: the rule texts say the first, the contest's own
referee sent the column first. Whoever steps up or down changes its row, so the first step that anybody makes tells
which number that is. Until then both boards are taken to be possible, and the letter that is best for both is played.

It draws no lots: the same board always gets the same answer.

The thinking is in the game's `careful.py`, in the language of rules, so that `dohyo.rl`, searches and the sample bot
`sensei` compile it and ask it without a process. Here is what makes a program of it. Asked as a `policy`, it knows
which number is the row.
"""

from dohyo.core.flat import Layout
from dohyo.core.policies import flat_in
from dohyo.games.drop_block.careful import FIELDS, careful, measure_steps, worth_of
from dohyo.games.drop_block.rules import LAYOUT

LETTERS = "URDLAN"
MIND = Layout("Mind", *FIELDS)  # what it thinks in


@flat_in(*FIELDS)
def policy(s, seat, options, count, luck):
    """What it does on this seat, as the number of a letter."""
    return careful(s, seat, luck)


def choose(me, boards):
    """The best letter for player `me`, where each of these boards may be the true one."""
    if boards[0].row[me] < 0 or boards[0].stun[me] > 0:
        return "N"  # whatever I say changes nothing
    mind = MIND.new()
    worths = [0] * len(LETTERS)
    for board in boards:
        measure_steps(board, me, mind)
        for letter in range(len(LETTERS)):
            worths[letter] += worth_of(board, me, letter, mind)
    return LETTERS[worths.index(max(worths))]


def told_first(before, now):
    """Which number of a position comes first, "row" or "column"; None where nobody has made a step.

    `before` and `now` are the boards as they were told in two turns of mine, one after the other: each player has
    acted once in between. Who has made a step faces where it went.
    """
    if before is None:
        return None
    for player in range(len(now.row)):
        first = abs(now.row[player] - before.row[player])
        second = abs(now.column[player] - before.column[player])
        if first + second == 1:
            return "row" if (first == 1) == (LETTERS[now.facing[player]] in "UD") else "column"
    return None


def turned(board):
    """The board, if the columns are told first."""
    other = LAYOUT.copy(board)
    other.row, other.column = board.column, board.row
    return other


def read_board():
    """Read the 13 lines of a turn: who I am, and the board; of a position the first number is taken to be the row."""
    board = LAYOUT.new()
    me = int(input())
    board.turn = int(input())
    board.block = [int(block) for _ in range(6) for block in input().split()]
    for player in range(4):
        row, column, facing, stun = input().split()
        board.row[player], board.column[player] = int(row), int(column)
        board.facing[player], board.stun[player] = LETTERS.index(facing), int(stun)
    input()  # the word EOD ends the turn's input
    return me, board


def main():
    """Answer turn after turn until the match is over."""
    print("READY", flush=True)
    first, before = None, None
    try:
        while True:
            me, board = read_board()
            first = first or told_first(before, board)
            before = board
            boards = {"row": [board], "column": [turned(board)], None: [board, turned(board)]}
            print(choose(me, boards[first]), flush=True)
    except EOFError:
        pass


if __name__ == "__main__":
    main()
