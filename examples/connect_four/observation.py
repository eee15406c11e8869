"""Connect four, what a learner sees: the board twice, once for each player's stones."""

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

EACH_COLUMN = sum(1 << column * HEIGHT for column in range(COLUMNS))  # the lowest cell of every column
LOWEST_BYTE = (1 << HEIGHT) - 1


@flat
def observe(s: Any, seat: int, out: Any) -> None:
    """Fill `out` with both planes of what `seat` sees; nothing is hidden."""
    put_plane(s.stones[seat], out, 0)
    put_plane(s.stones[1 - seat], out, ROWS * COLUMNS)


@flat
def put_plane(stones: int, out: Any, start: int) -> None:
    """Write one player's stones into `out`, from `start` on.

    A row's cells are the same bit of every column, and a column is a byte: shifted down and masked, the integer holds
    the row's seven numbers, byte by byte, and a compiler writes several at once.
    """
    for row in range(ROWS):
        cells = stones >> (ROWS - 1 - row) & EACH_COLUMN
        for column in range(COLUMNS):
            out[start + row * COLUMNS + column] = cells >> (column * HEIGHT) & LOWEST_BYTE
