"""Gauntlet: one bot, the candidate, against all others."""

from __future__ import annotations

from collections.abc import Sequence

from dohyo.core.contest import Entrant
from dohyo.core.options import Option
from dohyo.series.formats.base import BY_SHARE, TABLE, FormatInfo, Seats, Terms, rotations
from dohyo.series.formats.designs import Cyclic
from dohyo.series.formats.evenness import Turns
from dohyo.series.formats.named import BOT, bot, number_of
from dohyo.series.formats.points import a_match
from dohyo.series.formats.scheduled import Scheduled

USUAL_TABLE = 2


class Gauntlet(Scheduled):
    """`rounds` times the candidate against each other bot; at larger tables the others are chosen by a cyclic design.

    Each table plays its seed once from every seat. The candidate plays more matches than each of the others, so
    places go by points a match.
    """

    info = FormatInfo(
        "gauntlet",
        (Option("candidate", 0, BOT, "who plays against all others", bot), TABLE),
        waits=False,
        extends=True,
        counts_open_batch=True,
        passes_over=True,
        placed_by=BY_SHARE,
    )

    def __init__(self, terms: Terms) -> None:
        self.size = terms.table(USUAL_TABLE)
        self.candidate: int | None = None
        self.turns = Turns(Cyclic(terms.entrants - 1, self.size - 1)) if self.size > 2 else None
        self.tables = 1 if self.size == terms.entrants else terms.entrants - 1  # a round
        super().__init__(terms, terms.rounds * self.tables)

    def enter(self, entrants: Sequence[Entrant]) -> None:
        """Raises `OperatorError` when the candidate is none of those who were there at the start."""
        super().enter(entrants)
        field = [entrant for entrant in entrants if entrant.number < self.terms.entrants]
        self.candidate = number_of("candidate", self.terms.options["candidate"], field)

    def seatings(self, number: int) -> Sequence[Seats]:
        """The set of that number."""
        assert self.candidate is not None
        turn, at = divmod(number, self.tables)
        table = self.turns.table(turn, at) if self.turns else (at,)
        others = tuple(other + (other >= self.candidate) for other in table)  # its number is left out
        return rotations((self.candidate, *others))

    def end(self, number: int) -> int:
        """The first set after the block of this set: all of the others have met the candidate equally often."""
        return (number // self.tables + 1) * self.tables

    def worth(self, points: float, matches: int) -> float:
        """Points a match, by which places go; who has played none is last."""
        return a_match(points, matches)

    def remark(self, entrant: int) -> str:
        """The key of what the table says of the candidate; nothing of others."""
        return "format.candidate" if entrant == self.candidate else ""
