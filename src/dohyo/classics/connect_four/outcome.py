"""The game's own sentences, and which of them describes a seat's result."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from dohyo import i18n
from dohyo.classics.connect_four import rules
from dohyo.i18n import Message

CATALOGUE = i18n.load(Path(__file__).parent / "i18n")


def seat_outcome(s: Any, seat: int) -> Message:
    """A player's result: a key of the catalogue."""
    if s.ended in (0, rules.FULL):
        return Message("connect-four.drew")
    won = rules.winner(s) == seat
    if s.ended == rules.FOUR:
        return Message("connect-four.won" if won else "connect-four.lost")
    return Message("connect-four.left" if won else "connect-four.gave-up")


def why_illegal(s: Any, seat: int, action: int) -> Message | None:
    """Why a stone cannot be dropped there; none if it can."""
    if 0 <= action < rules.COLUMNS and rules.landing(s, action) == 0:
        return Message("connect-four.detail.full-column")
    return None
