"""The game's own sentences, and which of them describes a seat's result."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from dohyo import i18n
from dohyo.i18n import Message

CATALOGUE = i18n.load(Path(__file__).parent / "i18n")


def has_fallen(s: Any, seat: int) -> bool:
    """Whether a player is no longer on the board: it is still asked, and its answers do nothing."""
    return s.row[seat] < 0  # type: ignore[no-any-return]


def seat_outcome(s: Any, seat: int) -> Message:
    """A player's result: a key of the catalogue, and the turn."""
    if s.row[seat] >= 0:
        return Message("drop-block.stood")
    if s.fallen_at[seat] < 0:
        return Message("drop-block.absent")
    return Message("drop-block.fell", {"turn": s.fallen_at[seat]})
