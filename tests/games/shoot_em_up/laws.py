"""What the laws need to know of Shoot-Em-Up."""

from __future__ import annotations

import random
from typing import Any

from dohyo.games.shoot_em_up.rules import ACTIONS, LAYOUT, LIVES, MOVES, WIDTH

MARKS = {"shot": 400, "hit": 10, "left": 25}  # how often each must have happened in what the law of frames draws
SETUPS: list[dict[str, Any]] = [{}, {"pairs": 8}, {"places": [2, 3, 2, 3]}]
PLAYED: list[dict[str, Any]] = [  # what sample bots play
    {"pairs": 60},
    {"pairs": 60, "places": [2, 3, 2, 3]},
    {"pairs": 60, "places": [0, 0, 9, 9]},
    {"pairs": 1},
    {"pairs": 0},
]


def unseen(state: Any, seat: int, chance: random.Random) -> Any:
    """A state that looks the same to `seat`: the other robot stands, was hit and has shot otherwise in it."""
    other, changed = 1 - seat, LAYOUT.copy(state)
    while LAYOUT.pack(changed) == LAYOUT.pack(state):
        changed.x[other], changed.y[other] = chance.randrange(WIDTH), chance.randrange(WIDTH)
        changed.hits[other] = chance.randrange(LIVES)
        changed.shot[other] = chance.choice((0, *range(MOVES, ACTIONS)))
        changed.power[other], changed.was_hit[other] = chance.randrange(2), chance.randrange(2)
    return changed
