"""Shoot-Em-Up, what a learner sees: nine numbers, all about its own robot; nothing of the other one.

Whether its shots hit, a robot never learns. Written over a flat state, as all rules are.

What a program is sent says `protocol.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dohyo.core.flat import flat
from dohyo.core.game import Plane
from dohyo.games.shoot_em_up.rules import LIVES, SEATS, WIDTH

KIND = "i1"
SHAPE: tuple[int, ...] = ()

PLANES: Sequence[Plane] = (
    Plane("x", 0, WIDTH - 1, "the robot's column, from the left"),
    Plane("y", 0, WIDTH - 1, "its row, from above"),
    Plane("hits", 0, LIVES, "how often it was hit, as far as it knows"),
    Plane("hit", 0, 1, "1: it was hit since its last action"),
    Plane("from-x", -1, 1, "where the last hit came from, a step to the right; 0 before the first hit"),
    Plane("from-y", -1, 1, "the same, a step down"),
    Plane("spent", 0, 1, "1: its last action was a shot, and the next shot has no power"),
    Plane("left", 0, 100, "how much of the combat is left, in percent of its pairs of actions"),
    Plane("turn", 0, 1, "1 when it moves now"),
)


@flat
def observe(s: Any, seat: int, out: Any) -> None:
    """Fill `out` with what the seat knows; before its first action it has not been told of hits yet."""
    told = s.told[seat]
    hits = s.hits[seat] if told == 1 else s.hits[seat] - s.was_hit[seat]
    last = SEATS * s.limit
    out[0] = s.x[seat]
    out[1] = s.y[seat]
    out[2] = hits
    out[3] = s.was_hit[seat] if told == 1 else 0
    out[4] = s.hit_x[seat] if hits > 0 else 0
    out[5] = s.hit_y[seat] if hits > 0 else 0
    out[6] = 1 if s.shot[seat] != 0 else 0
    out[7] = 100 * (last - s.turn) // last if last > s.turn else 0
    out[8] = 1 if s.turn % SEATS == seat else 0
