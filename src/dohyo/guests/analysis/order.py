"""In which order the turns of a match are judged, where nobody knows yet for how many of them the time is enough.

Theory of operation
-------------------
Turns are called by their place in the match. First come the last one and the first, then the middle, the quarters,
and so on (`halves`): whenever the time ends, what was judged is spread evenly over the match.

Between two places that were judged a seat's chance may be lower at the end than at the beginning: a fall. Of all
stretches the one with the largest fall is halved first, until the fall lies between two turns that follow each other,
or is too small. What is being judged at the moment counts for half of the fall on each side, so several threads do
not all go to one place.

Where one seat is asked for, its own turns come before those of the others, and only its falls count.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from heapq import heappop, heappush
from itertools import pairwise

from dohyo.guests.analysis.falls import FALL


def halves(count: int) -> Iterator[int]:
    """All numbers below `count` in the order of halves: the last, the first, the middle, the quarters, and so on.

    After any number of them, the widest gap between neighbours is hardly more than twice the narrowest one. Among
    gaps of one size those in both halves of the match are filled in turn.
    """
    last = count - 1
    yield from sorted({last, 0}, reverse=True) if count > 0 else ()
    taken, order = {last, 0}, [0]
    while len(taken) < count:
        for at in order:
            middle = (2 * at + 1) * last // (2 * len(order))
            if middle not in taken:
                taken.add(middle)
                yield middle
        order = [2 * at for at in order] + [2 * at + 1 for at in order]


class Order:
    """Which places of a match are judged next, by what was judged so far."""

    def __init__(self, count: int, own: Sequence[int] | None = None, seat: int | None = None) -> None:
        """`own` are the places in which this `seat` acts, in order; without them, all are alike."""
        self._own = range(count) if own is None else own
        self._seat = seat
        self._chances: dict[int, tuple[float, ...]] = {}  # by place; of those that are being judged: as is guessed
        self._places: list[int] = []  # the same places, in order
        self._stretches: list[tuple[float, int, int]] = []  # the largest fall first; some are out of date
        ends = [place for place in (count - 1, 0) if place >= 0]
        inner = (self._own[at] for at in halves(len(self._own)))
        self._evenly = (place for some in (ends, inner, halves(count)) for place in some)
        self.taken: list[int] = []  # all that were given out, in this order

    def evenly(self) -> int | None:
        """The next place in the order of halves; none if all were given out."""
        place = next((one for one in self._evenly if one not in self._chances), None)
        return None if place is None else self._take(place)

    def in_a_fall(self) -> int | None:
        """A place in the middle of the largest fall; none where no fall is left that is worth a look."""
        while self._stretches:
            fall, begin, end = heappop(self._stretches)
            if self._after(begin) == end and fall == -self._fall(begin, end):
                return self._take(self._middle(begin, end))
        return None

    def put(self, place: int, chance: tuple[float, ...]) -> None:
        """A place was judged: each seat's chance there."""
        self._chances[place] = chance
        at = bisect_left(self._places, place)
        if at:
            self._note(self._places[at - 1], place)
        if at + 1 < len(self._places):
            self._note(place, self._places[at + 1])

    def falls(self) -> list[int]:
        """Where falls begin that are worth a look, the largest first; each goes to the next place that was judged."""
        found = {begin: self._fall(begin, end) for begin, end in pairwise(self._places)}
        return sorted((begin for begin, fall in found.items() if fall >= FALL), key=lambda begin: -found[begin])

    def _take(self, place: int) -> int:
        """This place is judged from now on."""
        at = bisect_left(self._places, place)
        around = [self._chances[one] for one in self._places[max(0, at - 1) : at + 1]]
        known = [one for one in around if one]
        self._places.insert(at, place)
        self.taken.append(place)
        self.put(place, tuple(sum(each) / len(known) for each in zip(*known, strict=True)))
        return place

    def _fall(self, begin: int, end: int) -> float:
        """By how much the chance falls between two places: of the seat that was asked for, or of any."""
        before, after = self._chances[begin], self._chances[end]
        falls = [one - other for one, other in zip(before, after, strict=False)]  # nothing, where one is not known
        return max(falls if self._seat is None else falls[self._seat : self._seat + 1], default=0.0)

    def _note(self, begin: int, end: int) -> None:
        """Remember the fall between two neighbours, if there is one to be looked into."""
        fall = self._fall(begin, end)
        if end - begin > 1 and fall >= FALL:
            heappush(self._stretches, (-fall, begin, end))

    def _after(self, place: int) -> int | None:
        """The next place that was judged, or is being judged."""
        at = bisect_left(self._places, place) + 1
        return self._places[at] if at < len(self._places) else None

    def _middle(self, begin: int, end: int) -> int:
        """The place to look at between two: one of the asked seat's own turns, if there are any."""
        first, last = bisect_right(self._own, begin), bisect_left(self._own, end)
        return self._own[(first + last) // 2] if first < last else (begin + end) // 2
