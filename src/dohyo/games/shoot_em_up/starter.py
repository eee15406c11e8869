"""Shoot-Em-Up: the input of a turn, and what may be answered, for `dohyo new bot`."""

from __future__ import annotations

from collections.abc import Mapping

from dohyo.core.options import Value
from dohyo.core.starter import Message, Messages, Number, Starter
from dohyo.games.shoot_em_up.protocol import text
from dohyo.games.shoot_em_up.rules import MOVES, WIDTH, X_OF

STAY = "M 0 0"
SQUARE = (
    Number("x", f"P: your square, 0 to {WIDTH - 1} from the left"),
    Number("y", f"P: your square, 0 to {WIDTH - 1} from the top"),
)
SHOOTER = (Number("dx", "H: the shooter's direction, -1, 0 or 1"), Number("dy", "H: the same, downwards"))


def starter(setup: Mapping[str, Value]) -> Starter:
    """The input: one line a turn."""
    return Starter(
        turn=(
            Messages(
                (
                    Message("P", "a combat begins on square x y", SQUARE),
                    Message("N", "you were not hit"),
                    Message("H", "you were hit, from direction dx dy", SHOOTER),
                    Message("W", "you have won; another P may follow", answered=False),
                    Message("L", "you have lost; another P may follow", answered=False),
                    Message("D", "the operator's words, for your own use", answered=False),
                )
            ),
        ),
        answers=(STAY, *(text(action) for action in range(MOVES, len(X_OF)))),
        help=(
            "M dx dy: move by -1, 0 or 1 each way. Off the board is deadly, so remember your square.",
            "S dx dy: shoot in that direction, not 0 0. Right after a shot the gun is empty.",
            "The starter only stays or shoots, which is never deadly.",
        ),
        seed=17,
        turns=40,
    )
