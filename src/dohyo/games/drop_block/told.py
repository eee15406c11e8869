"""What a sample bot in Python is told: the board of each of its turns, and what is not told with it.

A position is two numbers, and nobody tells which is the row: the rule texts say the first, the contest's own referee
sent the column first. Whoever steps up or down changes its row, so the first step that anybody makes tells which
number that is. Until then both boards are taken to be possible.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from dohyo.games.drop_block.protocol import ACTION_OF, LETTERS, READY
from dohyo.games.drop_block.rules import ACTIONS, BLOCKS, DOWN, LAYOUT, NOTHING, SEATS, UP


def play_by(choose: Callable[[int, list[Any]], int]) -> None:
    """Answer turn after turn until the match is over: what `choose(me, boards)` says, the number of a letter.

    `boards` are those of which one is the true one: two until somebody has made a step.
    """
    print(READY, flush=True)
    row_first, before = None, None
    with suppress(EOFError):
        while True:
            me, board = read_board()
            if row_first is None and before is not None:
                row_first = told_first(before, board)
            before = board
            boards = {True: [board], False: [turned(board)], None: [board, turned(board)]}[row_first]
            print(LETTERS[choose(me, boards)], flush=True)


def best_letter(
    me: int,
    boards: list[Any],
    mind: Any,
    prepare: Callable[[Any, int, Any], None],
    worth_of: Callable[[Any, int, int, Any], float],
) -> int:
    """The number of the letter that is worth the most to player `me` over the boards that may be the true one.

    `prepare(board, me, mind)` thinks of what is the same for all letters, `worth_of(board, me, letter, mind)` of one.
    """
    if boards[0].row[me] < 0 or boards[0].stun[me] > 0:
        return NOTHING  # whatever I say changes nothing
    worths = [0.0] * ACTIONS
    for board in boards:
        prepare(board, me, mind)
        for letter in range(ACTIONS):
            worths[letter] += worth_of(board, me, letter, mind)
    return worths.index(max(worths))


def read_board() -> tuple[int, Any]:
    """Read the 13 lines of a turn: who I am, and the board; of a position the first number is taken to be the row."""
    board = LAYOUT.new()
    me = int(input())
    board.turn = int(input())
    board.block = [int(block) for _ in range(BLOCKS) for block in input().split()]
    for player in range(SEATS):
        row, column, facing, stun = input().split()
        board.row[player], board.column[player] = int(row), int(column)
        board.facing[player], board.stun[player] = ACTION_OF[facing], int(stun)
    input()  # the word EOD ends the turn's input
    return me, board


def told_first(before: Any, now: Any) -> bool | None:
    """Whether the row is told first, as both boards were read; None where nobody has made a step.

    `before` and `now` are the boards as they were told in two turns of mine, one after the other: each player has
    acted once in between. Who has made a step faces where it went.
    """
    for player in range(SEATS):
        first = abs(now.row[player] - before.row[player])
        second = abs(now.column[player] - before.column[player])
        if first + second == 1:
            return bool((first == 1) == (now.facing[player] in (UP, DOWN)))
    return None


def turned(board: Any) -> Any:
    """The board, if the columns are told first."""
    other = LAYOUT.copy(board)
    other.row, other.column = other.column, other.row
    return other
