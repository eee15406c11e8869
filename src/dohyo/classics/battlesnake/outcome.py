"""Which sentence describes a snake's result."""

from __future__ import annotations

from typing import Any

from dohyo.classics.battlesnake import LAST
from dohyo.i18n import Message


def seat_outcome(s: Any, seat: int) -> Message:
    """After how many turns it was out; otherwise whether it was the last one."""
    if s.died[seat] > 0:
        return Message("battlesnake.out-after", {"turns": s.died[seat]})
    return Message("fate.won" if s.ended == LAST else "fate.played")
