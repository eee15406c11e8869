"""The tests' own small game, made to be seen by learners: it is compiled in no time, and has what others lack.

Both may act at once, dice fall in every turn, something is hidden, and some actions are not legal.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import msgspec

from dohyo.core.flat import flat
from dohyo.core.game import Plane
from tests.core.heap import HEAP

PLANES = (
    Plane("sticks", 0, 100, "on the heap"),
    Plane("secret", 0, 1000, "the seat's own number"),
    Plane("turn", 0, 1000, "turns so far"),
)


@flat
def observe(s: Any, seat: int, out: Any) -> None:
    out[0] = s.sticks
    out[1] = s.secret[seat]
    out[2] = s.turn


SEEN_HEAP = msgspec.structs.replace(
    HEAP, observation=SimpleNamespace(KIND="i2", PLANES=PLANES, SHAPE=(), observe=observe)
)
