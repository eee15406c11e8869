"""How much of a match can be judged in a time: for how long each position, and which turns.

Theory of operation
-------------------
A position takes some time however little it is given: a few playouts, and in a large game each takes long. So before
anything else it is measured how long one takes at least (`Pace.measure`). As many turns are judged as the time is
enough for, evenly spread over the match, its last turn always. That is reckoned anew from span to span, so that the
end comes in time also where positions later in the match take longer, or the machine gets busy: there they lie
further apart. A few turns are judged however late it is.

In a game that hides something, what a seat knows has to be followed through all turns, judged or not. Where that
alone would take more than its part of the time, fewer seats are followed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from math import ceil

MOST = 1.0  # seconds for a turn
WORTH = 2  # times the least that a position takes: less is not worth while
FEWEST = 8  # turns of a match that are judged at any rate
FOLLOWING = 0.5  # of the first look that following what seats know may take
LOOKS = 2  # at a position, when it is measured: the first one also fills caches


class Budget:
    """How long each position may be searched. The time runs from now on."""

    def __init__(self, seconds: float, playouts: int | None, threads: int) -> None:
        self.playouts = playouts
        self._start, self._seconds, self._threads = time.monotonic(), seconds, threads

    def end(self, part: float) -> float | None:
        """The moment of `time.monotonic` by which this part is done; none: no limit."""
        return None if self.playouts is not None else self._start + part * self._seconds

    def left(self, part: float) -> float:
        """The seconds until this part is over, for all threads together; only where there is a limit."""
        return max(0.0, self._start + part * self._seconds - time.monotonic()) * self._threads

    def each(self, part: float, left: int) -> float | None:
        """The seconds of each of the `left` positions that are to be done by the end of this part; none: no limit."""
        return None if self.playouts is not None else min(MOST, self.left(part) / max(left, 1))


class Pace:
    """Which turns are judged by the end of a part of the time; all of them where there is no limit."""

    def __init__(self, budget: Budget, part: float, turns: int) -> None:
        self._budget, self._part, self._turns = budget, part, turns
        self._cost = self._following = 0.0  # seconds of a thread: for a turn that is judged, and for any turn
        self._next = 0  # turn that is judged

    @property
    def is_free(self) -> bool:
        """Whether all turns are judged, however long it takes."""
        return self._budget.playouts is not None

    def measure(self, looks: Sequence[tuple[float, Callable[[], object]]]) -> None:
        """Measure what a turn takes at least: how often each look is taken in a turn on average, and the look."""
        if self.is_free:
            return
        for times, look in looks:
            for _ in range(LOOKS):
                begin = time.monotonic()
                look()
                took = time.monotonic() - begin
            self._cost += times * took

    def follow(self, seats: int, begin: int, turns: int, seconds: float) -> int:
        """How many of these seats can be followed on: so many `turns` from `begin` on took these thread seconds."""
        if self.is_free or not seats:
            return seats
        self._following = seconds / turns
        left = self._following * (self._turns - begin - turns)
        share = FOLLOWING * self._budget.left(self._part)
        kept = seats if left <= share else int(seats * share / left)
        self._following *= kept / seats
        return kept

    def among(self, span: range) -> list[int]:
        """The turns of this span that are judged; spans come in order."""
        step, found = self._step(span.start), []
        while self._next < span.stop:
            found.append(self._next)
            self._next = min(self._next + step, max(self._turns - 1, self._next + 1))
        return found

    def planned(self, begin: int) -> int:
        """How many turns are judged from this one on, as far as is known now."""
        left = self._turns - begin
        return min(left, ceil(left / self._step(begin)) + (self._step(begin) > 1))

    def _step(self, begin: int) -> int:
        """Every how many turns one is judged, from this one on."""
        left = self._turns - begin
        if self.is_free or self._cost <= 0 or left <= 0:
            return 1
        seconds = self._budget.left(self._part) - self._following * left
        few = ceil(FEWEST * left / self._turns)
        return max(1, ceil(left / max(seconds / (WORTH * self._cost), few)))
