"""Where a curve fell the most."""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Sequence

SPANS = 6  # the longest stretch in which a fall is looked for is so much of a match
MAX_OF_IT = 0.75  # of the largest fall, that may stand for it
FALL = 0.1  # of a chance, that is worth a sentence


def largest_fall(curve: Sequence[float], least: float = FALL) -> tuple[int, int, float, float] | None:
    """Where a curve fell the most within a few turns: places and values at both ends; none if by less than `least`.

    The stretch is the shortest one in which most of that fall happened, often a single turn.
    """
    span = max(1, len(curve) // SPANS)
    most = _deepest(curve, span)
    if most < least:
        return None
    width = 1 + bisect_left(range(1, span), MAX_OF_IT * most, key=lambda width: _deepest(curve, width))
    begin = max(range(len(curve) - width), key=lambda at: curve[at] - curve[at + width])
    return begin, begin + width, curve[begin], curve[begin + width]


def _deepest(curve: Sequence[float], width: int) -> float:
    """The largest fall within so many turns; a match may have a million, so each is looked at once."""
    lowest: deque[int] = deque()  # of the places ahead that may be the lowest, from right to left, ever lower
    most = 0.0
    for at in range(len(curve) - 1, -1, -1):
        if lowest and lowest[0] > at + width:
            lowest.popleft()
        if lowest:
            most = max(most, curve[at] - curve[lowest[0]])
        while lowest and curve[lowest[-1]] >= curve[at]:
            lowest.pop()
        lowest.append(at)
    return most
