"""What the operator may choose before a game of aBOTcalypse."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dohyo.core.options import Option, Value, one_of, whole
from dohyo.games.abotcalypse.board import (
    ALIVE,
    BODY,
    BY_COLLISION,
    CLASSIC,
    GONE,
    HALF,
    MAX_BOTS,
    MAX_METEORS,
    POST,
    WIDTH,
)
from dohyo.games.abotcalypse.directions import ACROSS, FIRST

MAX_TURNS = 1_000_000


def read_columns(value: Value) -> list[int]:
    """The columns in which the bots start: different numbers parted by commas, or a list of them."""
    words = value.split(",") if isinstance(value, str) else value
    columns = [whole(0, WIDTH - 1)(word) for word in words]
    if len(set(columns)) != len(columns):
        raise ValueError
    return columns


OPTIONS = (
    Option(
        "rules",
        "post",
        "post or classic",
        "as the text says, or as the challenge's controller did, quirks and all",
        one_of("post", "classic"),
    ),
    Option("turns", 500, f"1 to {MAX_TURNS}", "turns of a game", whole(1, MAX_TURNS)),
    Option(
        "columns",
        None,
        f"different numbers from 0 to {WIDTH - 1}, parted by commas, one a bot",
        "where the bots start, instead of the dice",
        read_columns,
    ),
)


def start(s: Any, setup: Mapping[str, Value], seats: int) -> None:
    """Write a resolved setup for so many bots into a new state.

    Bots for which no column is given take the free ones from the left.
    """
    s.rules = CLASSIC if setup["rules"] == "classic" else POST
    s.limit = setup["turns"]
    s.bots = seats
    if setup["columns"] is not None:
        columns = list(setup["columns"])
        columns += [x for x in range(WIDTH) if x not in columns][: max(0, seats - len(columns))]
        for b in range(seats):
            s.x[b] = columns[b]
            s.status[b] = ALIVE
        s.dealt = 1


def possible(s: Any) -> bool:
    """Whether a game can come to this state: a replay that somebody wrote by hand may hold any numbers.

    What rules look things up by has to be right here: compiled, they do not look whether it is.
    """
    on_board = all(0 <= x < WIDTH for x in (*s.x, s.next_x)) and all(-1 <= y < WIDTH for y in s.y)
    rocks = all(0 <= height <= WIDTH for height in s.height) and all(0 <= word < 1 << HALF for word in s.rocks)
    count = max(0, s.meteors)
    flying = [*s.meteor_angle[:count], *([s.next_angle] if s.rolled else [])]
    angles = all(FIRST <= angle < FIRST + len(ACROSS) for angle in flying) and not any(s.meteor_angle[count:])
    meteors = 0 <= s.meteors <= MAX_METEORS and all(abs(at) <= 2 * WIDTH for at in (*s.meteor_x, *s.meteor_y))
    bots = 0 < s.bots <= MAX_BOTS and all(GONE <= status <= BODY for status in s.status)
    orders = all(0 <= bot < MAX_BOTS for bot in s.order) and all(0 <= cause <= BY_COLLISION for cause in s.cause)
    flags = all(flag in (0, 1) for flag in (s.dealt, s.rolled, s.crashed)) and s.rules in (POST, CLASSIC)
    times = s.turn >= 0 and 0 < s.limit <= MAX_TURNS
    return on_board and rocks and angles and meteors and bots and orders and flags and times
