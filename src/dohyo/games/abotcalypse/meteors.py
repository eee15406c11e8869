"""aBOTcalypse, meteors: one enters every turn, and each flies straight until it hits or leaves the board."""

from __future__ import annotations

from typing import Any

from dohyo.core.flat import flat
from dohyo.games.abotcalypse.board import BY_METEOR, CLASSIC, MAX_METEORS, TOP
from dohyo.games.abotcalypse.classic import hit as classic_hit
from dohyo.games.abotcalypse.directions import ACROSS, FIRST, UPWARD
from dohyo.games.abotcalypse.post import hit as post_hit


@flat
def hit(s: Any, x: int, y: int, cause: int, events: Any) -> bool:
    """A shot or a meteor is in a square; whether it ends there."""
    if s.rules == CLASSIC:
        return classic_hit(s, x, y, cause, events)
    return post_hit(s, x, y, cause, events)


@flat
def fly_meteors(s: Any, events: Any) -> None:
    """Every meteor steps, a new one enters at the top without stepping; each then hits, the oldest first."""
    left = 0
    for m in range(s.meteors):
        s.meteor_x[m] += ACROSS[s.meteor_angle[m] - FIRST]
        s.meteor_y[m] += UPWARD[s.meteor_angle[m] - FIRST]
    if s.meteors < MAX_METEORS:
        s.meteor_x[s.meteors] = float(s.next_x)
        s.meteor_y[s.meteors] = float(TOP)
        s.meteor_angle[s.meteors] = s.next_angle
        s.meteors += 1
    for m in range(s.meteors):
        if not hit(s, int(s.meteor_x[m]), int(s.meteor_y[m]), BY_METEOR, events):
            s.meteor_x[left] = s.meteor_x[m]
            s.meteor_y[left] = s.meteor_y[m]
            s.meteor_angle[left] = s.meteor_angle[m]
            left += 1
    for m in range(left, s.meteors):
        s.meteor_x[m] = 0.0
        s.meteor_y[m] = 0.0
        s.meteor_angle[m] = 0
    s.meteors = left
