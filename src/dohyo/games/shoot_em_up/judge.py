"""How `dohyo analyse` judges a position of Shoot-Em-Up: both robots go on as a robot may that sees nothing.

They shoot whenever the gun is ready, back along the line of the last hit, else along a line by chance, the longer the
more often; and in between they walk to the nearest corner. So does the sample bot `gunner`.
"""

from __future__ import annotations

from typing import Any

from dohyo.core.cheap_random import below
from dohyo.core.flat import flat
from dohyo.core.judge import Judge
from dohyo.games.shoot_em_up.rules import ACTIONS, MOVES, WIDTH, X_OF, Y_OF


@flat
def policy(s: Any, seat: int, options: Any, count: int, luck: Any) -> int:
    """What a robot does that knows its own place, and where the last hit came from."""
    x, y = s.x[seat], s.y[seat]
    if s.shot[seat] != 0:
        return (toward_edge(x) + 1) * 3 + toward_edge(y) + 1
    total = 0
    for action in range(MOVES, ACTIONS):
        crossed = squares(x, y, action)
        if crossed > 0 and s.hits[seat] > 0 and X_OF[action] == s.hit_x[seat] and Y_OF[action] == s.hit_y[seat]:
            return action
        total += crossed
    left = below(luck, total)
    for action in range(MOVES, ACTIONS):
        left -= squares(x, y, action)
        if left < 0:
            return action
    return MOVES


@flat
def squares(x: int, y: int, action: int) -> int:
    """How many squares a shot crosses."""
    across = WIDTH
    if X_OF[action] != 0:
        across = WIDTH - 1 - x if X_OF[action] > 0 else x
    if Y_OF[action] != 0:
        down = WIDTH - 1 - y if Y_OF[action] > 0 else y
        across = min(across, down)
    return across


@flat
def toward_edge(place: int) -> int:
    """-1, 0 or 1: toward the nearer end of a row or column."""
    if place == 0 or place == WIDTH - 1:
        return 0
    return -1 if 2 * place < WIDTH else 1


def judge() -> Judge:
    """How `dohyo analyse` judges a position of this game."""
    return Judge(policy=policy, depth=1, blind=True, horizon=600, sharpness=2.85)
