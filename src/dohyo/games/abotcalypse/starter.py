"""aBOTcalypse: the view of a turn, and what may be answered, for `dohyo new bot`."""

from __future__ import annotations

from collections.abc import Mapping

from dohyo.core.options import Value
from dohyo.core.starter import Places, Starter, TextRows
from dohyo.games.abotcalypse.protocol import SIGHT

ACROSS = 2 * SIGHT + 1
SQUARES = ACROSS * ACROSS

ROWS = "from the top; `.` air, `&` rock, `@` meteor, `#` edge, s you, e enemy; S E: on a rock"
ENEMIES = Places("enemies", "the squares of the enemies in sight", "rows", "eE", SQUARES)
METEORS = Places("meteors", "the squares of the meteors in sight", "rows", "@", SQUARES)


def starter(setup: Mapping[str, Value]) -> Starter:
    """The view, which is the same in both rule sets."""
    return Starter(
        turn=(
            TextRows("rows", ROWS, ACROSS, ACROSS),
            Places("me", "your square; -1 -1: a meteor hides it", "rows", "sS", 1, single=True),
            ENEMIES,
            METEORS,
        ),
        answers=("rest", "move left", "move right", "drop left", "drop right", "throw left", "throw right"),
        help=(
            "rest",
            "move D, drop D, throw D or throw D N: D is up, right, down or left, N how far.",
            "The starter leaves out what may kill itself at once: up, which comes back, and down.",
        ),
        seats=8,
        seed=2,
        turns=45,
    )
