"""What the operator may choose before a match of connect four."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dohyo.classics.connect_four import rules
from dohyo.classics.connect_four.protocol import TEXTS
from dohyo.classics.connect_four.rules import COLUMN, COLUMNS, HEIGHT, LAYOUT, SEATS
from dohyo.core.options import Option, Value


def read_moves(value: Value) -> str:
    """The columns of the stones on the board at the start, in the order in which they were dropped."""
    if not isinstance(value, str):
        raise ValueError
    state = LAYOUT.new()
    for word in value:
        if word not in TEXTS[:COLUMNS] or rules.over(state) or not rules.landing(state, int(word)):
            raise ValueError
        rules.step(state, [int(word)] * SEATS, None)
    if rules.over(state):
        raise ValueError
    return value


OPTIONS = (
    Option(
        "moves",
        "",
        "columns in a row, such as 3342, after which the match is not over",
        "stones that lie there at the start, dropped by both players by turns",
        read_moves,
    ),
)


def start(s: Any, setup: Mapping[str, Value], seats: int) -> None:
    """Write a resolved setup into a new state."""
    for word in setup["moves"]:
        rules.step(s, [int(word)] * SEATS, None)


def possible(s: Any) -> bool:
    """Whether a match can come to this state: a replay that somebody wrote by hand may hold any numbers."""
    first, second = s.stones
    if first < 0 or second < 0 or first & second or (first | second) >> COLUMNS * HEIGHT:
        return False
    taken = first | second
    columns = [taken >> column * HEIGHT & (1 << HEIGHT) - 1 for column in range(COLUMNS)]
    if any(column > COLUMN or column & column + 1 for column in columns):
        return False  # a stone above the board, or one that hangs in the air
    dropped = first.bit_count() + second.bit_count()
    gave_up = int(s.ended == rules.GIVEN_UP)
    return bool(dropped == s.turn - gave_up and 0 <= s.ended <= rules.GIVEN_UP)
