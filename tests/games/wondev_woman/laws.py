"""What the laws need to know of Wondev Woman."""

from __future__ import annotations

import random
from typing import Any

from dohyo.games.wondev_woman import board
from dohyo.games.wondev_woman.rules import LAYOUT

MARKS = {
    "push": 25,
    "score": 80,
    "cancel": 8,
    "out": 10,
}  # how often each must have happened in what the law of frames draws
SETUPS: list[dict[str, Any]] = [
    {},
    {"league": "wood1"},
    {"league": "wood2"},
    {"league": "wood3"},
    {"map": "square"},
    {"map": "diamond"},
    {"map": "random", "league": "wood1"},
]
UNEVEN = "01230/12321/23432/12321/01230"
LEVEL = "00000/00000/00000/00000/00000"
PLAYED: list[dict[str, Any]] = [  # what sample bots play
    {"map": "square"},
    {"map": "random", "league": "wood1"},
    {"map": "diamond", "league": "wood2"},
    {"map": "square", "league": "wood3"},
    {"grid": UNEVEN},
    {"grid": UNEVEN, "league": "wood3"},
    {"grid": "33333/33333/33333/33333/33333", "league": "wood2"},
    {"grid": "0.0.0.0/.0.0.0./0.0.0.0/.0.0.0./0.0.0.0/.0.0.0./0.0.0.0"},
    {"grid": LEVEL, "units": "0,0/1,1/3,3/4,4", "league": "wood1"},
    {"grid": "03000/33000/00000/00000/00000", "units": "0,0/4,4", "league": "wood2"},
]


def unseen(state: Any, seat: int, chance: random.Random) -> Any:
    """A state that looks the same to `seat`: an enemy in the fog stands elsewhere in it; none where all is seen."""
    enemies = [board.slot_of(1 - seat, unit) for unit in range(state.units)]
    hidden = [slot for slot in enemies if not board.sees(state, seat, state.at[slot])]
    free = [
        cell
        for cell in range(board.CELLS)
        if 0 <= state.height[cell] <= board.TOP
        and not board.is_taken(state, cell)
        and not board.sees(state, seat, cell)
    ]
    if not hidden or not free:
        return None
    changed = LAYOUT.copy(state)
    slot = chance.choice(hidden)
    board.leave(changed, slot)
    board.place(changed, slot, chance.choice(free))
    return changed
