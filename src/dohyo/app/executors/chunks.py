"""How many orders travel together: about a second's worth, so that a short match does not pay for its journey."""

from __future__ import annotations

SECONDS = 1.0
MOST = 200  # orders: a lost worker's are played again
WEIGHT = 0.2  # of the newest match in the running mean
SPREAD = 2  # chunks for each worker at the end of a batch, so that nobody waits for the last one long


class Chunks:
    """The size of the next chunk, from what matches took so far; the first chunks are of one match each.

    `workers` may change while matches are played.
    """

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._mean = 0.0  # seconds a match; 0 before the first

    def took(self, seconds: float) -> None:
        """A match took so long."""
        self._mean = seconds if not self._mean else self._mean + WEIGHT * (seconds - self._mean)

    def size(self, left: int | None = None) -> int:
        """Orders of the next chunk, at least one; `left` are all that there are (none: more than one can say)."""
        wanted = min(MOST, int(SECONDS / self._mean)) if self._mean else 1
        if left is not None:
            wanted = min(wanted, -(-left // (SPREAD * self.workers)))
        return max(1, wanted)
