"""Formats whose whole schedule is fixed beforehand: each set's number determines it, whatever the results."""

from __future__ import annotations

from collections.abc import Sequence

from dohyo.core.contest import Entrant, Fixture, Result
from dohyo.series.formats.base import Format, NumberedSet, Seats, Standing, Terms
from dohyo.series.formats.points import PointsCount

BATCH = 1000  # fixtures: enough for many machines, and little to hold
LARGEST = 100_000  # fixtures of a block


class Scheduled(Format):
    """A course of `total` sets, cut into batches of whole blocks: after each batch all have played equally often.

    Its field is the first `terms.entrants` entrants. Sets with a bot that is absent at present are skipped; those at
    the end of a batch come again with the next one.
    """

    def __init__(self, terms: Terms, total: int) -> None:
        super().__init__(terms)
        self.total = total
        self.tally = PointsCount()

    def seatings(self, number: int) -> Sequence[Seats]:
        """The set of that number, each bot in each seat as the format has it."""
        raise NotImplementedError

    def end(self, number: int) -> int:
        """The first set after the block that the set of this number is in."""
        raise NotImplementedError

    def next(self, entrants: Sequence[Entrant]) -> list[Fixture]:
        """The next batch: as many whole blocks as make up `BATCH` fixtures."""
        self.enter(entrants)
        return list(self.fixtures(self.course(self.sets, set(self.here(entrants)))[0]))

    def course(self, start: int, here: set[int]) -> tuple[list[list[NumberedSet]], int]:
        """The blocks of the next batch from set `start` on, if these take part, and the set after them."""
        blocks: list[list[NumberedSet]] = []
        fixtures = 0
        while fixtures < BATCH and start < self.total:
            first = self.seatings(start)
            end = min(self.end(start), start + max(1, LARGEST // len(first)), self.total)
            block = [(number, self.seatings(number)) for number in range(start, end)]
            blocks.append([each for each in block if here.issuperset(each[1][0])])
            fixtures += sum(len(seatings) for _, seatings in blocks[-1])
            start = end
        return blocks, start

    def matches_in_all(self, sizes: Sequence[int]) -> int | None:
        """The matches of all sets; no fewer than there have been."""
        return max(sum(sizes), self.total * len(self.seatings(0))) if self.total else sum(sizes)

    def learn(self, results: Sequence[Result]) -> None:
        """Points are all that is kept."""
        self.tally.add(results)

    def standing(self, entrants: Sequence[Entrant], so_far: Sequence[Result] = ()) -> list[Standing]:
        """By points: a bot's share of the others at its table whom it was placed before, summed over its matches."""
        return self.tally.plus(so_far).standing(entrants, self.worth, self.remark)

    def worth(self, points: float, matches: int) -> float:
        """What places go by: points, unless a format says otherwise."""
        return points

    def remark(self, entrant: int) -> str:
        """The key of what the table says of an entrant; usually nothing."""
        return ""
