"""The game's own sentences, and which of them describes a seat's result."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from dohyo import i18n
from dohyo.games.shoot_em_up import rules
from dohyo.i18n import Message

CATALOGUE = i18n.load(Path(__file__).parent / "i18n")

LOST = {
    rules.SHOT_DOWN: "shoot-em-up.was-shot",
    rules.LEFT_BOARD: "shoot-em-up.walked-off",
    rules.PROGRAM_ERROR: "shoot-em-up.failed",
}


def seat_outcome(s: Any, seat: int) -> Message:
    """A robot's result."""
    if s.ended == 0 or s.loser < 0:
        return Message("shoot-em-up.drew", {"turns": s.turn})
    return Message(LOST[s.ended] if s.loser == seat else "shoot-em-up.won", {"turns": s.turn})
