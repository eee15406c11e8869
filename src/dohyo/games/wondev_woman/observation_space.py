"""Wondev Woman, what a learner sees: planes over 7 x 7 cells; enemies in the fog, and their points, are not in it.

No player is sent the other's points, so they are not included here either. Written over a flat state, as all rules.

What a program is sent says `protocol.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dohyo.core.flat import flat
from dohyo.core.game import Plane
from dohyo.games.wondev_woman.board import (
    HOLE,
    MAX_SIZE,
    TOP,
    cell_of,
    sees,
    slot_of,
    x_of,
    y_of,
)
from dohyo.games.wondev_woman.rules import ROUNDS

KIND = "i1"
SHAPE: tuple[int, ...] = (MAX_SIZE, MAX_SIZE)
SIZE = MAX_SIZE * MAX_SIZE  # numbers in a plane
MAX_POINTS = 127

HEIGHT_AT, UNITS_AT, ENEMY_AT, SEEN_AT, POINTS_AT, LEFT_AT, TURN_AT = 0, 1, 3, 4, 5, 6, 7

PLANES: Sequence[Plane] = (
    Plane("height", HOLE, TOP + 1, "-1 a hole, or outside a smaller board; 0 to 3 in play; 4 out of play"),
    Plane("own-0", 0, 1, "1 where the seat's unit 0 stands"),
    Plane("own-1", 0, 1, "1 where the seat's unit 1 stands; nowhere in leagues with one unit"),
    Plane("enemy", 0, 1, "1 where an enemy stands that the seat sees"),
    Plane("seen", 0, 1, "1 where the seat sees who stands; everywhere without fog"),
    Plane("points", 0, MAX_POINTS, "everywhere: the seat's own points, at most 127"),
    Plane("left", 0, 100, "everywhere: how much of the match is left, in percent of its 200 rounds"),
    Plane("turn", 0, 1, "everywhere: 1 when the seat moves now"),
)


@flat
def observe(s: Any, seat: int, out: Any) -> None:
    """Fill `out` with what the seat sees."""
    points = s.points[seat] if s.points[seat] < MAX_POINTS else MAX_POINTS
    left = 100 * (ROUNDS - s.rounds) // ROUNDS
    turn = 1 if s.mover == seat else 0
    clear = 1 if s.fog == 0 else 0
    at = 0
    for y in range(MAX_SIZE):
        for x in range(MAX_SIZE):
            inside = y < s.size and x < s.size
            out[at] = s.height[cell_of(x, y)] if inside else HOLE
            out[UNITS_AT * SIZE + at] = 0
            out[(UNITS_AT + 1) * SIZE + at] = 0
            out[ENEMY_AT * SIZE + at] = 0
            out[SEEN_AT * SIZE + at] = clear
            out[POINTS_AT * SIZE + at] = points
            out[LEFT_AT * SIZE + at] = left
            out[TURN_AT * SIZE + at] = turn
            at += 1
    if s.dealt == 1:
        for unit in range(s.units):
            show_surroundings(s.at[slot_of(seat, unit)], out)
            out[(UNITS_AT + unit) * SIZE + plane_at(s.at[slot_of(seat, unit)])] = 1
            enemy = s.at[slot_of(1 - seat, unit)]
            if sees(s, seat, enemy):
                out[ENEMY_AT * SIZE + plane_at(enemy)] = 1


@flat
def show_surroundings(cell: int, out: Any) -> None:
    """Mark what a unit on this cell sees, whatever the fog: its own cell and those beside it."""
    row = y_of(cell)
    column = x_of(cell)
    for y in range(row - 1, row + 2):
        for x in range(column - 1, column + 2):
            if 0 <= y < MAX_SIZE and 0 <= x < MAX_SIZE:
                out[SEEN_AT * SIZE + y * MAX_SIZE + x] = 1


@flat
def plane_at(cell: int) -> int:
    """A cell's place in a plane."""
    return y_of(cell) * MAX_SIZE + x_of(cell)
