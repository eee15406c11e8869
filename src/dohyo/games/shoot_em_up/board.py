"""The board as the program `arena` prints it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dohyo.games.shoot_em_up.rules import MOVES, WIDTH, X_OF, Y_OF

MARKS = ("+", "-")  # shots, by seat
LETTERS = ("Y", "O")


def board(s: Any, last: Sequence[int | None]) -> list[str]:
    """Eleven lines: both robots, and both last actions where they were shots; the first robot above all.

    Shots are drawn from beside the shooter to the edge, those without power too.
    """
    squares = [["."] * WIDTH for _ in range(WIDTH)]
    for seat in (1, 0):
        action = last[seat]
        if action is not None and action >= MOVES:
            x, y = s.x[seat] + X_OF[action], s.y[seat] + Y_OF[action]
            while 0 <= x < WIDTH and 0 <= y < WIDTH:
                squares[y][x] = MARKS[seat]
                x += X_OF[action]
                y += Y_OF[action]
    for seat in (1, 0):
        squares[s.y[seat]][s.x[seat]] = LETTERS[seat]
    return ["!", *("! " + "".join(row) for row in squares)]
