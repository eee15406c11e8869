"""The game's own sentences, and which of them describes a seat's result."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from dohyo import i18n
from dohyo.games.wondev_woman.board import POINTS
from dohyo.games.wondev_woman.rules import score
from dohyo.i18n import Message

CATALOGUE = i18n.load(Path(__file__).parent / "i18n")


def seat_outcome(s: Any, seat: int) -> Message:
    """A player's result."""
    if s.out[seat] == 1:
        return Message("wondev-woman.left", {"score": score(s, seat)})
    if s.goal == POINTS:
        return Message("wondev-woman.stayed", {"score": score(s, seat)})
    return Message("wondev-woman.on-top" if score(s, seat) == 1 else "wondev-woman.below")
