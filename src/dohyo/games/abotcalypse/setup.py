"""What the operator may choose before a game of aBOTcalypse."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dohyo.core.options import Option, Value, one_of, whole
from dohyo.games.abotcalypse.board import ALIVE, CLASSIC, POST, WIDTH

MOST_TURNS = 1_000_000


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
    Option("turns", 500, f"1 to {MOST_TURNS}", "turns of a game", whole(1, MOST_TURNS)),
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
