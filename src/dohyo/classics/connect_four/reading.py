"""Connect four, what a bot's class sees: its number and the board, read from what the seat is sent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dohyo.classics.connect_four.protocol import TEXTS
from dohyo.classics.connect_four.rules import COLUMNS, HEIGHT, LAYOUT, ROWS
from dohyo.core import observation
from dohyo.core.observation import all_actions, next_turn

ALL = all_actions(TEXTS)
FREE = "."


class ConnectFourObservation(observation.Observation, frozen=True, kw_only=True):
    """The seat's number, and `rows`, the top one first: `.` is a free cell, `0` and `1` are the players' stones."""

    seat: int
    rows: tuple[str, ...]

    def state(self) -> Any:
        """A state of the rules that looks like this."""
        s = LAYOUT.new()
        for row, line in enumerate(self.rows):
            for column, sign in enumerate(line):
                if sign != FREE:
                    s.stones[int(sign)] |= 1 << column * HEIGHT + ROWS - 1 - row
                    s.turn += 1
        return s


def is_whole(lines: Sequence[str], before: Any) -> bool:
    """Whether the six rows have come behind the number."""
    return len(lines) > ROWS


def read(lines: Sequence[str], before: ConnectFourObservation | None, answered: str) -> ConnectFourObservation:
    """The number of the seat, and six rows."""
    number, *rows = lines
    free = tuple(ALL[column] for column in range(COLUMNS) if rows[0][column] == FREE)
    return ConnectFourObservation(
        lines=tuple(lines),
        own_turn=next_turn(before),
        legal_actions=free,
        seat=int(number),
        rows=tuple(rows),
    )
