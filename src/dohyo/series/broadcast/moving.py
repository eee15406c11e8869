"""What is said of standings that move: who overtakes whom, who leads now, who wins again and again."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence

from dohyo.core.contest import Result
from dohyo.i18n import Message
from dohyo.series.broadcast.interest import Known
from dohyo.series.broadcast.lines import STREAK, Line

MAX_LINES = 3  # at once
MAX_SEEN = 1000
LEAST_MATCHES = 4  # before that, places say little, and change with each match


def moves(before: Mapping[int, Known], now: Mapping[int, Known]) -> list[Line]:
    """What has changed between two standings, the best places first."""
    found = []
    by_place = sorted((each for each in now.items() if each[1].place is not None), key=lambda one: one[1].place or 0)
    for entrant, known in by_place:
        earlier = before.get(entrant)
        if earlier is None or earlier.place is None or known.place is None or known.place >= earlier.place:
            continue
        if known.matches < LEAST_MATCHES:
            continue
        if known.place == 1:
            found.append(Line(Message("broadcast.first", {"name": known.name}), "table"))
        elif (passed := _passed(entrant, before, now)) is not None:
            values = {"name": known.name, "other": passed.name, "place": known.place}
            found.append(Line(Message("broadcast.overtakes", values), "table"))
    return found[:MAX_LINES]


def _passed(entrant: int, before: Mapping[int, Known], now: Mapping[int, Known]) -> Known | None:
    """The best of those that somebody has overtaken."""
    was, place = before[entrant].place or 0, now[entrant].place or 0
    passed = [
        known
        for other, known in now.items()
        if other != entrant and _was_before(before.get(other), was) and (known.place or 0) > place
    ]
    return min(passed, key=lambda known: known.place or 0, default=None)


def _was_before(earlier: Known | None, place: int) -> bool:
    return earlier is not None and earlier.place is not None and earlier.place < place


class Streaks:
    """Who wins again and again, by the results as they come. After a gap in these nothing is known any more."""

    def __init__(self) -> None:
        self._wins: dict[int, int] = {}
        self._seen: deque[int] = deque(maxlen=MAX_SEEN)  # numbers of results
        self._count: int | None = None  # how many there were

    def new(self, results: Sequence[Result], count: int) -> list[tuple[int, int]]:
        """Take the last results, of so many in all; who has now won how often in a row, where it is worth a word."""
        fresh = [result for result in results if result.fixture.number not in self._seen]
        if self._count is None or count - self._count > len(fresh):
            self._wins.clear()  # also at first: nobody knows what was before
        self._count = count
        found = []
        for result in sorted(fresh, key=lambda each: each.at):
            self._seen.append(result.fixture.number)
            for entrant, place in zip(result.fixture.seats, result.places, strict=False):
                alone = place == 1 and result.places.count(1) == 1
                self._wins[entrant] = self._wins.get(entrant, 0) + 1 if alone else 0
                if alone and self._wins[entrant] >= STREAK and self._wins[entrant] in (STREAK, 5, 10, 20, 50, 100):
                    found.append((entrant, self._wins[entrant]))
        return found
