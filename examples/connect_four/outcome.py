"""The game's own sentences, and which of them describes a seat's result."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from connect_four import rules
from dohyo import i18n
from dohyo.core.game import Saying

CATALOGUE = i18n.load(Path(__file__).parent / "i18n")


def seat_outcome(s: Any, seat: int) -> Saying:
    """A player's result: a key of the catalogue."""
    if s.ended in (0, rules.FULL):
        return "connect-four.drew", {}
    won = rules.winner(s) == seat
    if s.ended == rules.FOUR:
        return "connect-four.won" if won else "connect-four.lost", {}
    return "connect-four.left" if won else "connect-four.gave-up", {}


def why_illegal(s: Any, seat: int, action: int) -> Saying | None:
    """Why a stone cannot be dropped there; none if it can."""
    if 0 <= action < rules.COLUMNS and rules.landing(s, action) == 0:
        return "connect-four.detail.full-column", {}
    return None
