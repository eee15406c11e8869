"""Connect four, what a learner sees: the board twice, once for each player's stones.

Compiled it is 84 bytes from two integers, a shift and a mask for each.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from connect_four.rules import COLUMNS, HEIGHT, ROWS
from dohyo.core.flat import flat
from dohyo.core.game import Plane

KIND = "i1"
SHAPE: tuple[int, ...] = (ROWS, COLUMNS)  # the top row first
PLANES: Sequence[Plane] = (
    Plane("mine", 0, 1, "1 where the seat has a stone"),
    Plane("theirs", 0, 1, "1 where the other seat has a stone"),
)


@flat
def observe(s: Any, seat: int, out: Any) -> None:
    """Fill `out` with both planes of what `seat` sees; nothing is hidden."""
    put_plane(s.stones[seat], out, 0)
    put_plane(s.stones[1 - seat], out, ROWS * COLUMNS)


@flat
def put_plane(stones: int, out: Any, start: int) -> None:
    """Write one player's stones into `out`, from `start` on."""
    for row in range(ROWS):
        for column in range(COLUMNS):
            out[start + row * COLUMNS + column] = stones >> (column * HEIGHT + ROWS - 1 - row) & 1
