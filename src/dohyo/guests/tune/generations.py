"""Generations: the format of a tuning's matches. A batch is a generation: candidates that have just entered.

The entrants at the beginning are the opponents. Candidates enter before a batch, and play in it alone: each once in
every seating of a round against these opponents, all on the seed of the generation. Whoever runs the series says who
they are, so it is no format for an operator to choose.
"""

from __future__ import annotations

from collections.abc import Sequence

from dohyo.core.contest import Entrant, Fixture, Result
from dohyo.core.options import Option, whole, yes_no
from dohyo.series.formats.base import BY_SHARE, TABLE, Format, FormatInfo, Standing, Terms
from dohyo.series.formats.comparison import seatings
from dohyo.series.formats.points import PointsCount, a_match

OPPONENTS, ROUNDS, QUESTION = "opponents", "rounds", "question"


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError
    return value


class Generations(Format):
    """So many `opponents` against the candidates that enter with each batch.

    With `rounds` each plays a whole round, otherwise one match, whose seating turns from batch to batch. `question`
    is kept for who goes on with the series.
    """

    info = FormatInfo(
        "generations",
        (
            Option(OPPONENTS, 1, "a number of bots", "the first ones, against whom all play", whole(1, 1000)),
            Option(ROUNDS, True, "yes, no", "whether each candidate has every seat", yes_no),
            Option(QUESTION, "", "a text", "what the series is about", _text),
            TABLE,
        ),
        joins=True,
        waits=False,
        streams=True,
        listed=False,
        placed_by=BY_SHARE,
        untold=(QUESTION,),
    )

    def __init__(self, terms: Terms) -> None:
        super().__init__(terms)
        self.opponents: int = terms.options[OPPONENTS]
        self.round = seatings(self.opponents, terms.options[TABLE.name] or 2)  # of bots, the candidate's number is 0
        self._heard = 0
        self._tally = PointsCount()

    def next(self, entrants: Sequence[Entrant]) -> list[Fixture]:
        """The matches of the candidates that enter with this batch; none without any."""
        self.enter(entrants)
        seed = self.seeds.of(self.batch)
        seatings_of = self.round if self.terms.options[ROUNDS] else [self.round[self.batch % len(self.round)]]
        fixtures: list[Fixture] = []
        for entrant in candidates(entrants, self.opponents, self.batch):
            for seated in seatings_of:
                seats = tuple(entrant.number if bot == 0 else bot - 1 for bot in seated)
                fixtures.append(Fixture(self.batch, self.number + len(fixtures), seats, seed))
        return fixtures

    def hear(self, played: Result, error: str = "") -> None:
        """Count what was played."""
        self._heard += 1

    def advance(self) -> bool:
        """A step for each match."""
        there = self._heard > 0
        self._heard -= there
        return there

    def learn(self, results: Sequence[Result]) -> None:
        """Points are all that is kept."""
        self._tally.add(results)

    def standing(self, entrants: Sequence[Entrant], so_far: Sequence[Result] = ()) -> list[Standing]:
        """By points a match."""
        return self._tally.standing(entrants, a_match, lambda entrant: "")


def candidates(entrants: Sequence[Entrant], opponents: int, batch: int) -> list[Entrant]:
    """Those who enter with a batch, in their order."""
    return [each for each in entrants if each.number >= opponents and each.since == batch]
