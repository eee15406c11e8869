"""How long a player may think."""

from __future__ import annotations

import msgspec


class Clock(msgspec.Struct, frozen=True, omit_defaults=True):
    """Time limits, all in seconds of wall-clock time.

    `turn` for every turn, `first` for a player's first one (as `turn` when none), `ready` for a program to say that
    it is ready, where the game's protocol asks for that.
    """

    turn: float
    first: float | None = None
    ready: float = 1.0
    preset: str = ""

    def limit(self, is_first: bool) -> float:
        """Seconds allowed for a turn."""
        return self.first if is_first and self.first is not None else self.turn
