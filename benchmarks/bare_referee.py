"""A referee of connect four as one writes it in an evening, for `compared.py`: two programs, pipes, nothing else.

    python benchmarks/bare_referee.py PROGRAM PROGRAM

No clock, no verdicts, no sandbox, no replay. It prints the one line of JSON that psyleague reads.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence

COLUMNS, ROWS = 7, 6
WAYS = ((1, 0), (0, 1), (1, 1), (1, -1))


def has_four(board: list[list[str]], column: int, row: int) -> bool:
    """Whether the stone there is one of four in a row."""
    for right, up in WAYS:
        count = 1
        for side in (1, -1):
            x, y = column + side * right, row + side * up
            while 0 <= x < COLUMNS and 0 <= y < ROWS and board[y][x] == board[row][column]:
                count, x, y = count + 1, x + side * right, y + side * up
        if count >= 4:
            return True
    return False


def play(commands: Sequence[str]) -> int:
    """The seat that wins, or -1; `commands` are the two programs."""
    programs = [
        subprocess.Popen([command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for command in commands
    ]
    board = [["."] * COLUMNS for _ in range(ROWS)]
    winner = -1
    for turn in range(COLUMNS * ROWS):
        seat = turn % 2
        pipes = programs[seat]
        assert pipes.stdin is not None
        assert pipes.stdout is not None
        pipes.stdin.write("\n".join([str(seat), *("".join(row) for row in reversed(board))]) + "\n")
        pipes.stdin.flush()
        column = int(pipes.stdout.readline())
        row = next(row for row in range(ROWS) if board[row][column] == ".")
        board[row][column] = str(seat)
        if has_four(board, column, row):
            winner = seat
            break
    for program in programs:
        program.communicate()
    return winner


if __name__ == "__main__":
    won = play(sys.argv[1:3])
    ranks = [0, 0] if won < 0 else [int(won != 0), int(won != 1)]
    print(json.dumps({"ranks": ranks, "errors": [0, 0], "test_data": {}, "player_data": [{}, {}]}))
