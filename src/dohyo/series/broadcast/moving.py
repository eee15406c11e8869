"""What is said of standings that move: who overtakes whom, who leads now, who wins again and again."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence

from dohyo.core.contest import Result
from dohyo.i18n import Message
from dohyo.series.broadcast.interest import Known
from dohyo.series.broadcast.lines import Line

MAX_LINES = 3  # at once
TOLD = (3, 5, 8, 12, 20, 30, 50, 100)  # wins in a row
MAX_SEEN = 1000
LEAST_MATCHES = 4  # before that, places say little, and change with each match


def moves(before: Mapping[int, Known], now: Mapping[int, Known]) -> list[Line]:
    """What has changed between two standings, the best places first."""
    found = []
    leaders = sum(known.place == 1 for known in now.values())  # who shares the first place has not taken it
    by_place = sorted((each for each in now.items() if each[1].place is not None), key=lambda one: one[1].place or 0)
    for entrant, known in by_place:
        earlier = before.get(entrant)
        if earlier is None or earlier.place is None or known.place is None or known.place >= earlier.place:
            continue
        if known.matches < LEAST_MATCHES:
            continue
        if known.place == 1 and leaders == 1:
            found.append(Line(Message("broadcast.first", {"name": known.name}), "table"))
        elif known.place > 1 and (passed := _passed(entrant, before, now)) is not None:
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
    """Who wins again and again, by the results as they come.

    After a gap in these, and where the beginning was not seen, nothing is known of somebody before a match that was
    not won.
    """

    def __init__(self) -> None:
        self._wins: dict[int, int] = {}  # by entrant, where that is known
        self._seen: deque[int] = deque(maxlen=MAX_SEEN)  # numbers of results
        self._count: int | None = None  # how many there were

    def new(self, results: Sequence[Result], count: int) -> list[tuple[int, int]]:
        """Take the last results, of so many in all; who has now won how often in a row, where it is worth a word.

        Nothing is said of the results that are there at first.
        """
        fresh = [result for result in results if result.fixture.number not in self._seen]
        is_first, missed = self._count is None, count - (self._count or 0) > len(fresh)
        if missed:
            self._wins.clear()
        self._count = count
        found = []
        for result in sorted(fresh, key=lambda each: each.at):
            self._seen.append(result.fixture.number)
            for entrant, place in zip(result.fixture.seats, result.places, strict=False):
                if not (place == 1 and result.places.count(1) == 1):
                    self._wins[entrant] = 0
                elif entrant in self._wins or not missed:
                    self._wins[entrant] = wins = self._wins.get(entrant, 0) + 1
                    if wins in TOLD and not is_first:
                        found.append((entrant, wins))
        return found
