"""Connect four, what a learner sees: the board twice, once for each player's stones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dohyo.classics.connect_four.rules import COLUMNS, HEIGHT, ROWS
from dohyo.core.flat import flat, put_bits
from dohyo.core.game import Plane

KIND = "i1"
SHAPE: tuple[int, ...] = (ROWS, COLUMNS)  # the top row first
PLANES: Sequence[Plane] = (
    Plane("mine", 0, 1, "1 where the seat has a stone"),
    Plane("theirs", 0, 1, "1 where the other seat has a stone"),
)

LAST_ROW, DOWN = ROWS - 1, -1  # bits of a column count from its bottom


@flat
def observe(s: Any, seat: int, out: Any) -> None:
    """Fill `out` with both planes of what `seat` sees; nothing is hidden."""
    put_bits(s.stones[seat], LAST_ROW, DOWN, HEIGHT, ROWS, COLUMNS, out, 0)
    put_bits(s.stones[1 - seat], LAST_ROW, DOWN, HEIGHT, ROWS, COLUMNS, out, ROWS * COLUMNS)
