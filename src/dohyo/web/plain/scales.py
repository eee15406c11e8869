"""Where a value stands in a drawing, with round values to mark."""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec


class Scale(msgspec.Struct, frozen=True):
    """Values from `low` to `high` along a drawing, with round ones to mark."""

    low: float
    high: float
    ticks: tuple[float, ...]

    def at(self, value: float) -> str:
        """The position of a value, in percent; values outside are placed on the edge."""
        return f"{100 * self.share(value):.2f}%"

    def share(self, value: float) -> float:
        """Where a value is, from 0 to 1."""
        return min(1.0, max(0.0, (value - self.low) / (self.high - self.low)))


def scale(values: Sequence[float], most: int = 5, room: float = 0.06, low: float | None = None) -> Scale:
    """A scale for values, with margins and at most that many marks; `low`, if given, is its beginning."""
    least, greatest = min(values) if low is None else low, max(values)
    span = (greatest - least) or max(abs(greatest), 1.0)
    start = least - room * span if low is None else low
    end = greatest + room * span
    step = _step((end - start) / most)
    first = math.ceil(start / step)
    ticks = tuple(step * number for number in range(first, math.floor(end / step) + 1))
    return Scale(start, end, ticks)


def _step(wanted: float) -> float:
    """The next round number: 1, 2 or 5 of a power of ten."""
    power = 10.0 ** math.floor(math.log10(wanted))
    return next((nice * power for nice in (1, 2, 5) if nice * power >= wanted), 10 * power)
