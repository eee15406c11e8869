"""The game's own sentences, and which of them says what became of a seat."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from dohyo import i18n
from dohyo.games.abotcalypse import board
from dohyo.i18n import Message

CATALOGUE = i18n.load(Path(__file__).parent / "i18n")

CAUSES = {
    board.BY_FALL: "fall",
    board.BY_ROCK: "rock",
    board.BY_THROW: "throw",
    board.BY_METEOR: "meteor",
    board.BY_COLLISION: "collision",
}


def seat_outcome(s: Any, seat: int) -> Message:
    """What became of a bot."""
    if s.status[seat] == board.ALIVE:
        return Message("abotcalypse.survived")
    return Message(f"abotcalypse.died-by-{CAUSES[s.cause[seat]]}", {"turn": s.score[seat]})
