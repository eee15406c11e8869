"""How much of the way's delay is given back, and how long a lost connection is waited for.

Both have a bound, whatever somebody lets his machine pretend.
"""

from __future__ import annotations

FIRST = 0.5  # seconds that are there for the first answer
GAIN = 0.25  # seconds that are added with each answer: light takes 0.2 around the earth and back
MOST = 1.0  # seconds that are there at most, and so for one answer
# Seconds for which a match waits in all for a bot whose connection is lost: a router starts again in less, and the
# others of the match wait no longer than this.
PATIENCE = 30.0


class Forgiveness:
    """How much delay may still be given back in a match, in seconds; as lichess does, a quota that grows again."""

    def __init__(self) -> None:
        self.left = FIRST

    def take(self, delay: float) -> float:
        """Give back a delay, as far as there is something left; how much."""
        given = max(0.0, min(delay, self.left))
        self.left = min(MOST, self.left - given + GAIN)
        return given
