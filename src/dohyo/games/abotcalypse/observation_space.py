"""aBOTcalypse, what a learner sees: its view, 41 x 41 squares with itself in the middle, the top row first.

A meteor hides what else is in its square, as in the view that programs are sent; the meteor to come is nowhere to be
seen. Written over a flat state, as all rules are.

What a program is sent says `protocol.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dohyo.core.flat import flat
from dohyo.core.game import Plane
from dohyo.games.abotcalypse.board import ALIVE, WIDTH, holds_rock
from dohyo.games.abotcalypse.protocol import SIGHT

KIND = "i1"
ACROSS = 2 * SIGHT + 1
SHAPE: tuple[int, ...] = (ACROSS, ACROSS)
SIZE = ACROSS * ACROSS  # numbers in a plane

ROCK_AT, EDGE_AT, ENEMY_AT, METEOR_AT, LEFT_AT = 0, SIZE, 2 * SIZE, 3 * SIZE, 4 * SIZE

PLANES: Sequence[Plane] = (
    Plane("rock", 0, 1, "1 where a rock is; in the middle: under the seat's own bot"),
    Plane("edge", 0, 1, "1 outside the board"),
    Plane("enemy", 0, 1, "1 where another bot is"),
    Plane("meteor", 0, 1, "1 where a meteor is; it hides what else is there"),
    Plane("left", 0, 100, "everywhere: how much of the game is left, in percent of its turns; 0 for a dead bot"),
)


@flat
def observe(s: Any, seat: int, out: Any) -> None:
    """Fill `out` with what the bot sees; a dead one sees nothing."""
    if s.status[seat] != ALIVE:
        for at in range(5 * SIZE):
            out[at] = 0
        return
    show_ground(s, s.x[seat] - SIGHT, s.y[seat] + SIGHT, out)
    left = 100 * (s.limit - s.turn) // s.limit if s.limit > s.turn else 0
    for at in range(SIZE):
        out[ENEMY_AT + at] = 0
        out[METEOR_AT + at] = 0
        out[LEFT_AT + at] = left
    for b in range(s.bots):
        at = square_at(s, seat, s.x[b], s.y[b])
        if s.status[b] == ALIVE and at >= 0 and at != SIZE // 2:  # itself, over whoever is in its square
            out[ENEMY_AT + at] = 1
    for m in range(s.meteors):
        at = square_at(s, seat, int(s.meteor_x[m]), int(s.meteor_y[m]))
        if at >= 0:
            out[METEOR_AT + at] = 1
            out[ENEMY_AT + at] = 0
            out[ROCK_AT + at] = 0


@flat
def show_ground(s: Any, left: int, top: int, out: Any) -> None:
    """Rocks and the board's edge, in the window that begins in this corner."""
    for row in range(ACROSS):
        y = top - row
        at = row * ACROSS
        for x in range(left, left + ACROSS):
            is_inside = 0 <= x < WIDTH and 0 <= y < WIDTH
            out[EDGE_AT + at] = not is_inside
            out[ROCK_AT + at] = is_inside and holds_rock(s, x, y)
            at += 1


@flat
def square_at(s: Any, seat: int, x: int, y: int) -> int:
    """A square's place in a plane of the seat's; -1 where it does not see it."""
    column = x - s.x[seat] + SIGHT
    row = s.y[seat] + SIGHT - y
    if 0 <= column < ACROSS and 0 <= row < ACROSS:
        return row * ACROSS + column  # type: ignore[no-any-return]
    return -1
