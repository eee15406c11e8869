"""What the laws need to know of aBOTcalypse."""

from __future__ import annotations

import random
from typing import Any

from dohyo.games.abotcalypse import rules
from dohyo.games.abotcalypse.board import HALF, POST, WIDTH
from dohyo.games.abotcalypse.protocol import SIGHT

MARKS = {
    "throw": 2000,
    "hit": 30,
    "rock": 40,
    "died": 40,
}  # how often each must have happened in what the law of frames draws
SETUPS: list[dict[str, Any]] = [
    {"turns": 60},
    {"turns": 60, "rules": "classic"},
    {"turns": 5, "columns": "99,0"},
]
PLAYED: list[dict[str, Any]] = [  # what sample bots play
    {"turns": 16},
    {"turns": 16, "rules": "classic"},
    {"turns": 5, "columns": "99,0"},
    {"turns": 5, "columns": "41,40,42,39", "rules": "classic"},
    {"turns": 1},
]


def unseen(s: Any, seat: int, chooser: random.Random) -> Any:
    """A copy in which the meteor to come, and rocks, bots and meteors out of the seat's sight, are others."""
    other = rules.LAYOUT.copy(s)
    other.next_angle = chooser.randrange(-180, 0)
    other.next_x = (s.next_x + chooser.randrange(1, WIDTH)) % WIDTH
    for m in range(s.meteors):
        if abs(s.meteor_x[m] - s.x[seat]) > SIGHT + 2:
            other.meteor_y[m] = chooser.random() * (WIDTH - 1)
    far = [x for x in range(WIDTH) if abs(x - s.x[seat]) > SIGHT]
    for x in far:
        if s.rules == POST:
            other.height[x] = chooser.randrange(5)
        else:
            other.rocks[2 * x] ^= chooser.getrandbits(HALF)
            other.rocks[2 * x + 1] ^= chooser.getrandbits(HALF)
    for b in range(s.bots):
        if s.x[b] in far:
            other.x[b] = chooser.choice(far)
            other.y[b] = other.height[other.x[b]] if s.rules == POST else chooser.randrange(WIDTH)
    return other
