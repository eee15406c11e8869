"""The board as the program `arena` prints it."""

from __future__ import annotations

from typing import Any

from dohyo.games.shoot_em_up.rules import WIDTH, X_OF, Y_OF

MARKS = ("+", "-")  # shots, by seat
LETTERS = ("Y", "O")


def board(s: Any) -> list[str]:
    """Eleven lines: both robots, and both last actions if they were shots; the first robot covers everything else.

    Shots are drawn from beside the shooter to the edge, those without power too.
    """
    squares = [["."] * WIDTH for _ in range(WIDTH)]
    for seat in (1, 0):
        for x, y in crossed(s, seat):
            squares[y][x] = MARKS[seat]
    for seat in (1, 0):
        squares[s.y[seat]][s.x[seat]] = LETTERS[seat]
    return ["!", *("! " + "".join(row) for row in squares)]


def crossed(s: Any, seat: int) -> list[tuple[int, int]]:
    """The squares that a robot's last action crossed, from beside it to the edge; none if that was no shot."""
    squares = []
    action = s.shot[seat]
    x, y = s.x[seat] + X_OF[action], s.y[seat] + Y_OF[action]
    while action and 0 <= x < WIDTH and 0 <= y < WIDTH:
        squares.append((x, y))
        x, y = x + X_OF[action], y + Y_OF[action]
    return squares
