"""The end of a match by its operator's rule, before the game's own rules end it. No input or output.

The rule stands in the match's setup, and what it looks at stands in the replay's turns: so whoever plays a replay
again finds the same end by the same code. docs/decisions/0031-a-match-may-end-by-the-operators-rule.md says why.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

from dohyo.core.replay import Turn

DRAW, RESIGN = "adjudicated-draw", "adjudicated-resign"
REASONS = (DRAW, RESIGN)  # the keys of why such a match ended


class Verdict(NamedTuple):
    """How a match ends by the rule: why, and the seat that has won; none in a draw."""

    reason: str
    winner: int | None


def places_of(verdict: Verdict, seats: int) -> list[int]:
    """Each seat's place by a verdict."""
    return [1 if verdict.winner in (None, seat) else 2 for seat in range(seats)]


class Adjudicator(Protocol):
    """What looks at one match of two seats, turn by turn."""

    def after(self, state: Any, turn: Turn) -> Verdict | None:
        """The verdict after this turn, which led to this state; none while the match goes on."""
