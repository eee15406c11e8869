"""Who is seeded where in an elimination, and how a series is judged: what its two formats share."""

from __future__ import annotations

from collections.abc import Sequence

from dohyo.contest.fixtures import Entrant, Played
from dohyo.contest.formats.kinds import Batches, Seats, Terms, rotations, tables
from dohyo.core.errors import OperatorError
from dohyo.core.options import Option, Value

Series = dict[frozenset[int], dict[int, int]]  # who met whom in a batch, and the credit of each


def numbers(value: Value) -> tuple[float, ...]:
    """Read numbers, from a list or separated by commas."""
    parts = value.split(",") if isinstance(value, str) else value
    return tuple(float(part) for part in parts)


RATINGS = Option(
    "ratings", (), "a number for each bot, in the order of entering", "seeds: the greatest first", numbers
)


class Elimination(Batches):
    """Whoever loses a series is out, or nearly so. A batch is a round of series of `rounds` seeds each.

    The field is who takes part in the first batch; it is seeded by `ratings`, or in the order of entering. Each seed
    of a series is played once from every seat. Equal in a series, the better seeded goes on.
    """

    placed_by = "rounds"

    def __init__(self, terms: Terms, size: int) -> None:
        super().__init__(terms)
        self.size = size
        self.history: list[Series] = []
        self._ratings: tuple[float, ...] = terms.options["ratings"]
        if self._ratings and len(self._ratings) != terms.entrants:
            raise OperatorError("format-ratings", given=len(self._ratings), entrants=terms.entrants)

    def field(self, entrants: Sequence[Entrant]) -> list[int]:
        """Who plays at all, the best seeded first."""
        here = [
            entrant.number for entrant in entrants if entrant.plays_in(0) and entrant.number < self.terms.entrants
        ]
        return sorted(here, key=lambda bot: (-self._ratings[bot] if self._ratings else 0, bot))

    def series(self, drawn: Sequence[Seats]) -> list[list[Seats]]:
        """The sets of the series between these."""
        return [rotations(table) for table in drawn for _ in range(self.terms.rounds)]

    def learn(self, results: Sequence[Played]) -> None:
        """Who met whom, and the credit of each."""
        self.history.append(tables(results))

    def matches(self, bot: int) -> int:
        """How many matches a bot has played."""
        return sum(bot in table for played in self.history for table in played) * self.size * self.terms.rounds
