"""What the laws need to know of aBOTcalypse."""

from __future__ import annotations

import random
from typing import Any

from dohyo.games.abotcalypse import rules
from dohyo.games.abotcalypse.board import POST, WIDTH
from dohyo.games.abotcalypse.protocol import SIGHT

SETUPS: list[dict[str, Any]] = [
    {"turns": 60},
    {"turns": 60, "rules": "classic"},
    {"turns": 5, "columns": "99,0"},
]


def unseen(s: Any, seat: int, chooser: random.Random) -> Any:
    """A copy in which the meteor to come, and rocks and meteors out of the seat's sight, are others."""
    other = rules.LAYOUT.copy(s)
    other.next_angle = chooser.randrange(-180, 0)
    other.next_x = (s.next_x + chooser.randrange(1, WIDTH)) % WIDTH
    for m in range(s.meteors):
        if abs(s.meteor_x[m] - s.x[seat]) > SIGHT + 2:
            other.meteor_y[m] = chooser.random() * (WIDTH - 1)
    standing = set(s.x)
    for x in range(WIDTH):
        if s.rules == POST and abs(x - s.x[seat]) > SIGHT and x not in standing:
            other.height[x] = chooser.randrange(5)
    return other
