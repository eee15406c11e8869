"""King of the hill: all bots in one match, `rounds` times."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dohyo.core.contest import Entrant, Result
from dohyo.core.errors import OperatorError
from dohyo.core.options import Option, either, one_of
from dohyo.series.formats.base import Format, FormatInfo, Seats, Standing, Terms
from dohyo.series.formats.hills import Hill
from dohyo.series.formats.points import PointsCount, ranked
from dohyo.series.formats.seeds import Lots

BATCH = 100  # matches


class KingOfTheHill(Format):
    """Each match has its own seed, and moves all bots on by one seat.

    When all bots have had all seats, a new order is drawn: so the numbers of each seat differ by at most one, and
    neighbours change. Bots that enter later, and have no seat left, wait until another leaves.
    """

    info = FormatInfo(
        "king-of-the-hill",
        (
            Option(
                "rank",
                "places",
                either("places", "scores"),
                "what the standing counts first",
                one_of("places", "scores"),
            ),
        ),
        joins=True,
        waits=False,
        counts_open_batch=True,
        seats_all=True,
        draws="hill",
    )

    def __init__(self, terms: Terms) -> None:
        super().__init__(terms)
        self.tally = PointsCount()
        fewest, most = terms.seats
        if not fewest <= terms.entrants <= most:
            key = "format-all-in-one-fixed" if fewest == most else "format-all-in-one"
            raise OperatorError(key, entrants=terms.entrants, fewest=fewest, most=most)

    def draw(self, entrants: Sequence[Entrant]) -> Iterable[Sequence[Seats]]:
        """The next batch's matches, a set each."""
        here = self.here(entrants)[: self.terms.seats[1]]
        if len(here) < self.terms.seats[0]:
            return []
        orders: dict[int, Seats] = {}
        sets = []
        for match in range(self.number, min(self.number + BATCH, self.terms.rounds)):
            cycle, turned = divmod(match, len(here))
            if cycle not in orders:
                orders[cycle] = tuple(Lots(self.terms.seed, cycle).shuffled(here))
            sets.append([orders[cycle][turned:] + orders[cycle][:turned]])
        return sets

    def matches_in_all(self, sizes: Sequence[int]) -> int | None:
        """A match a round; no fewer than there have been."""
        return max(sum(sizes), self.terms.rounds)

    def learn(self, results: Sequence[Result]) -> None:
        """Points and scores are all that is kept."""
        self.tally.add(results)

    def standing(self, entrants: Sequence[Entrant], so_far: Sequence[Result] = ()) -> list[Standing]:
        """By points, then by the sum of scores; with `rank` = scores the other way round."""
        tally = self.tally.plus(so_far)
        rows = []
        for entrant in entrants:
            at = entrant.number
            counted = self._counted(tally, at)
            rows.append((counted, Standing(at, 0, counted[0], tally.matches.get(at, 0), (counted[1],))))
        return ranked(rows)

    def _counted(self, tally: PointsCount, entrant: int) -> tuple[float, float]:
        """What an entrant's place goes by: points and scores, or the other way round."""
        points, scores = (round(own.get(entrant, 0.0), 6) for own in (tally.points, tally.scores))
        return (scores, points) if self.terms.options["rank"] == "scores" else (points, scores)

    def hill(self, results: Iterable[Result]) -> Hill:
        """Who was first after each match, from all results in order."""
        hill, tally = Hill([], {}), PointsCount()
        for played in results:
            if not played.places:
                continue
            tally.add([played])
            number, seats = played.fixture.number, played.fixture.seats
            for entrant in seats:
                hill.entered.setdefault(entrant, number)
            counted = {entrant: self._counted(tally, entrant) for entrant in hill.entered}
            most = max(counted.values())
            firsts = [entrant for entrant, place in zip(seats, played.places, strict=True) if place == 1]
            hill.add(number, [entrant for entrant, own in counted.items() if own == most], firsts)
        return hill
