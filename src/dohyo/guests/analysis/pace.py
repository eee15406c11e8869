"""How much of a match can be judged in a time: for how long each position, and when the time is over.

Theory of operation
-------------------
A position needs some time to be worth it: a few hundred playouts, and in a large game each takes long. So before
anything else it is measured how long that is (`Pace.measure`). Each position gets its share of the time that is left,
less where positions take longer than they are given, but not less than was measured; they are judged one after the
other, in an order that is good to be ended anywhere (`order.py`), until the time is over. So the end comes in time
also where the machine gets busier meanwhile.
A few are judged however late it is.

In a game that hides something, what a seat knows has to be followed through all turns, judged or not. Where that
takes too long, fewer seats are followed.
"""

from __future__ import annotations

import time
from collections.abc import Callable

MOST = 1.0  # seconds for a turn
ALONE = 10.0  # the same, where the time is for nothing else
FEWEST = 8  # positions that are judged at any rate
LOOKS = 2  # at a position, when it is measured: the first one also fills caches


class Budget:
    """How long each position may be searched, `most` seconds. The time runs from now on."""

    def __init__(self, seconds: float, playouts: int | None, threads: int, most: float = MOST) -> None:
        self.playouts, self.threads, self.most = playouts, threads, most
        self._start, self._seconds = time.monotonic(), seconds

    def end(self, part: float) -> float | None:
        """The moment of `time.monotonic` by which this part is done; none: no limit."""
        return None if self.playouts is not None else self._start + part * self._seconds

    def left(self, part: float) -> float:
        """The seconds until this part is over, for all threads together; only where there is a limit."""
        return max(0.0, self._start + part * self._seconds - time.monotonic()) * self.threads

    def each(self, part: float, left: int) -> float | None:
        """The seconds of each of the `left` positions that are to be done by the end of this part; none: no limit."""
        return None if self.playouts is not None else min(MOST, self.left(part) / max(left, 1))


class Pace:
    """For how long each of many positions is judged by the end of a part of the time, and whether that is over."""

    def __init__(self, budget: Budget, part: float) -> None:
        self._budget, self._part = budget, part
        self._least = 0.0  # seconds for a position; less is not worth while
        self._given = self._took = 0.0  # seconds of all positions

    def measure(self, look: Callable[[float], object]) -> None:
        """Measure what a look takes of a core, however busy that is; it is given the seconds that it may take.

        Less than that is not worth while.
        """
        if self._budget.playouts is None:
            for _ in range(LOOKS):
                begin = time.thread_time()
                look(self._budget.left(self._part) / self._budget.threads / FEWEST)
                self._least = time.thread_time() - begin

    def for_part(self, part: float) -> Pace:
        """The pace by which it goes on up to the end of another part, with what is known of how long a look takes."""
        found = Pace(self._budget, part)
        found._least, found._given, found._took = self._least, self._given, self._took
        return found

    def each(self, left: int) -> float | None:
        """The seconds of the next position, where so many are `left`; none: no limit."""
        if self._budget.playouts is not None:
            return None
        seconds = self._budget.left(self._part)
        share = min(self._budget.most, seconds / max(left, 1)) / self._slower
        return min(max(self._least, share), seconds / self._budget.threads)

    def took(self, given: float | None, seconds: float) -> None:
        """A position took so long, where it was given so much."""
        if given is not None:
            self._given += given
            self._took += seconds

    def is_over(self, done: int) -> bool:
        """Whether no more is judged, after so many."""
        return self._budget.playouts is None and done >= FEWEST and self._budget.left(self._part) <= 0

    def planned(self, left: int, done: int = 0) -> int:
        """For how many of the `left` positions the time is enough, as far as is known now, after so many."""
        if self._budget.playouts is not None or self._least <= 0:
            return left
        enough = self._budget.left(self._part) / (self._least * self._slower)
        return min(left, max(FEWEST - done, round(min(enough, left))))

    @property
    def _slower(self) -> float:
        """How many times as long as they were given positions took: on a busy machine, or in one hard to judge."""
        return max(1.0, self._took / self._given) if self._given else 1.0


def followed_on(budget: Budget, part: float, seats: int, seconds: float) -> int:
    """How many of these seats are followed on through a match by the end of a part of the time, the last one to it.

    To follow all of them takes so many `seconds` of a thread more.
    """
    if budget.playouts is not None or not seats:
        return seats
    left = budget.left(part)
    return seats if seconds <= left else max(int(seats * left / seconds), 1) if left > 0 else 0
