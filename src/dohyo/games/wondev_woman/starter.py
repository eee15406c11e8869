"""Wondev Woman: the input of a turn, and what may be answered, for `dohyo new bot`."""

from __future__ import annotations

from collections.abc import Mapping

from dohyo.core.options import Value
from dohyo.core.starter import Line, Number, Record, Records, Starter, TextRows, Word
from dohyo.games.wondev_woman.board import MAX_SIZE

MAX_UNITS = 2  # of a player
MAX_ACTIONS = 128

CELL = Record(
    "Cell",
    "A cell of the board.",
    (Number("x", "0 to size - 1 from the west"), Number("y", "0 to size - 1 from the north")),
)
ACTION = Record(
    "Action",
    "A legal action, such as MOVE&BUILD 0 N SW.",
    (
        Word("kind", "MOVE&BUILD or PUSH&BUILD", 10),
        Number("unit", "which of your units, from 0"),
        Word("first", "where it moves or pushes: N, NE, E, SE, S, SW, W or NW", 2),
        Word("second", "where it builds, or where the pushed enemy goes", 2),
    ),
)


def starter(setup: Mapping[str, Value]) -> Starter:
    """The input, which is the same in all leagues."""
    rows = "from the north; a digit is a cell's height (4: out of play), a dot is a hole"
    return Starter(
        start=(
            Line((Number("size", f"rows of the board, 5 to {MAX_SIZE}, each as long"),)),
            Line((Number("units", "units of a player, 1 or 2"),)),
        ),
        turn=(
            TextRows("rows", rows, MAX_SIZE, MAX_SIZE, "size"),
            Records("own", "where your units stand", CELL, MAX_UNITS, "units"),
            Records("enemies", "where the enemy's stand; -1 -1: not seen", CELL, MAX_UNITS, "units"),
            Records("actions", "all that you may do now", ACTION, MAX_ACTIONS),
        ),
        listed="actions",
        otherwise="ACCEPT-DEFEAT",
        help=(
            "One of the legal actions. A text may stand behind it, after a space: the viewer shows it.",
            "ACCEPT-DEFEAT: give up. With no legal action left you are out (NO-MOVE), whatever you answer.",
        ),
    )
