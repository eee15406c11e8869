"""The sets of bots that join a round-robin after it began: only those that they miss.

A newcomer meets everybody who is there and entered before it, as often as these meet each other; nothing that was
played is played again. These sets have numbers of their own, from `LATE` on, in the order in which they are drawn, so
that the course of the others, and its seeds, stay as they were. Which of them are still missing follows from the
results that were taken in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations

from dohyo.core.contest import Entrant
from dohyo.series.formats.base import NumberedSet, Seats

LATE = 1 << 31  # the number of the first set of a newcomer; the others' are below
Seatings = Callable[[Seats], Sequence[Seats]]


class LateSets:
    """What newcomers still have to play: `count` sets were drawn so far, `done` says how often each table met there.

    With `tables`, each newcomer sits at so many tables a round, whose other seats go around; without, at every table
    that there is. `seatings` are those in which a table plays a set.
    """

    def __init__(self, size: int, rounds: int, tables: int, seatings: Seatings) -> None:
        self._size = size
        self._rounds = rounds
        self._tables = tables
        self._seatings = seatings
        self.count = 0
        self.done: Counter[frozenset[int]] = Counter()
        self.of: Counter[int] = Counter()

    def copy(self) -> LateSets:
        """A copy, to be counted on with."""
        new = LateSets(self._size, self._rounds, self._tables, self._seatings)
        new.count, new.done, new.of = self.count, self.done.copy(), self.of.copy()
        return new

    def take(self, tables: Iterable[Iterable[int]]) -> None:
        """These were drawn, a set each: the newcomer of a table is the last who entered."""
        for table in tables:
            bots = frozenset(table)
            self.count += 1
            self.done[bots] += 1
            self.of[max(bots)] += 1

    def missing(self, entrants: Sequence[Entrant], here: Iterable[int]) -> Iterator[NumberedSet]:
        """The sets that are missing among those who are `here`, round after round."""
        present = sorted(here)
        newcomers = {entrant.number for entrant in entrants if entrant.since > 0}
        late = [number for number in present if number in newcomers]
        wanted = self._around(late, present) if self._tables else self._all(late, present)
        for number, table in enumerate(wanted, LATE + self.count):
            yield number, self._seatings(table)

    def _all(self, late: Sequence[int], present: Sequence[int]) -> Iterator[Seats]:
        """Every table with a newcomer and those who entered before it, once a round."""
        fewest = min((self.done[frozenset(table)] for table in self._tables_of(late, present)), default=self._rounds)
        for turn in range(fewest, self._rounds):
            yield from (table for table in self._tables_of(late, present) if self.done[frozenset(table)] <= turn)

    def _tables_of(self, late: Sequence[int], present: Sequence[int]) -> Iterator[Seats]:
        """Every table with a newcomer and those who entered before it."""
        for newcomer in late:
            before = [number for number in present if number < newcomer]
            yield from ((*others, newcomer) for others in combinations(before, self._size - 1))

    def _around(self, late: Sequence[int], present: Sequence[int]) -> Iterator[Seats]:
        """So many tables a round; the others come in turn, and the newcomer moves on by a seat."""
        for newcomer in late:
            before = [number for number in present if number < newcomer]
            if len(before) < self._size - 1:
                continue
            for at in range(self.of[newcomer], self._rounds * self._tables):
                first = at * (self._size - 1)
                others = [before[(first + more) % len(before)] for more in range(self._size - 1)]
                seat = at % self._size
                yield (*others[:seat], newcomer, *others[seat:])
