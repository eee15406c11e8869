"""Formats whose whole course is settled beforehand: the set of each number, whatever comes of it."""

from __future__ import annotations

from collections.abc import Sequence

from dohyo.contest.fixtures import Entrant, Fixture, Played
from dohyo.contest.formats.kinds import Batches, Seats, Standing, Tally, Terms, ranked

BATCH = 1000  # fixtures: enough for many machines, and little to hold


class Scheduled(Batches):
    """A course of `total` sets, cut into batches.

    Its field is the first `terms.entrants` entrants. Sets with a bot that takes no part at present are passed over;
    those at the end of a batch come again with the next one.
    """

    def __init__(self, terms: Terms, total: int) -> None:
        super().__init__(terms)
        self.total = total
        self.tally = Tally()

    def seatings(self, number: int) -> Sequence[Seats]:
        """The set of that number, each bot in each seat as the format has it."""
        raise NotImplementedError

    def next(self, entrants: Sequence[Entrant]) -> list[Fixture]:
        """The next batch: as many whole sets as make up `BATCH` fixtures."""
        self.enter(entrants)
        here = set(self.here(entrants))
        sets: list[tuple[int, Sequence[Seats]]] = []
        fixtures = 0
        for number in range(self.sets, self.total):
            seatings = self.seatings(number)
            if here.issuperset(seatings[0]):
                sets.append((number, seatings))
                fixtures += len(seatings)
            if fixtures >= BATCH:
                break
        return list(self.fixtures(sets))

    def learn(self, results: Sequence[Played]) -> None:
        """Points are all that is kept."""
        self.tally.add(results)

    def standing(self, entrants: Sequence[Entrant]) -> list[Standing]:
        """By points: a bot's share of the others at its table whom it was placed before, summed over its matches."""
        tally = self.tally
        rows = []
        for entrant in entrants:
            at = entrant.number
            points = tally.points.get(at, 0.0)
            rows.append(((round(points, 6),), Standing(at, 0, points, tally.matches.get(at, 0))))
        return ranked(rows)
