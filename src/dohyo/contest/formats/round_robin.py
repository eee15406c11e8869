"""Round-robin: everybody meets everybody, or as evenly as can be where tables have more seats."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from math import comb

from dohyo.contest.formats import evenness
from dohyo.contest.formats.base import TABLE, FormatInfo, Seats, Terms, rotations
from dohyo.contest.formats.designs import Cyclic, pair, subset
from dohyo.contest.formats.scheduled import Scheduled
from dohyo.core.errors import OperatorError
from dohyo.core.options import Option, one_of, yes_no

USUAL_TABLE = 8  # where a game seats a range
MOST_ORDERED = 5  # bots at a table that plays in all orders: 120 matches a seed
SEATINGS = ("all", "rotations", "balanced")


class RoundRobin(Scheduled):
    """`rounds` times every table there is, or a balanced design.

    `all` plays every table in every order, `rotations` once from every seat. `balanced` plays one table a round and
    bot (`Cyclic`): each bot sits equally often in each seat. With `rotate` each table plays its seed once from every
    seat, otherwise once.
    """

    info = FormatInfo(
        "round-robin",
        (
            Option(
                "seating",
                None,
                f"one of {', '.join(SEATINGS)}",
                "which tables, and in which orders",
                one_of(*SEATINGS),
            ),
            Option("rotate", True, "yes or no", "balanced: play each table's seed from every seat", yes_no),
            TABLE,
        ),
        waits=False,
        extends=True,
        counts_open_batch=True,
        passes_over=True,
        evens_out=True,
    )

    def __init__(self, terms: Terms) -> None:
        bots = terms.entrants
        self.size = size = terms.table(USUAL_TABLE)
        self.seating = terms.options["seating"] or ("all" if size == 2 else "balanced")
        self.rotate: bool = terms.options["rotate"]
        if self.seating == "all" and size > MOST_ORDERED:
            raise OperatorError("format-all-orders", table=size)
        self.design = Cyclic(bots, size)
        self.turns = evenness.Turns(self.design)
        self.subsets = evenness.Subsets(bots, size)
        self.tables = comb(bots, size)  # a round
        if self.seating == "balanced":
            self.tables = 1 if self.rotate and size == bots else bots
        super().__init__(terms, terms.rounds * self.tables)

    def check_new(self) -> None:
        """See `Format`: `rotate` is for `balanced` alone."""
        if not self.terms.options["rotate"] and self.seating != "balanced":
            raise OperatorError("format-rotate-idle", seating=self.seating)

    @property
    def gap(self) -> int:
        """See `Format`."""
        if self.seating != "balanced":
            return 0
        return self.design.gap(self.terms.rounds) * (self.size if self.rotate else 1)

    def seatings(self, number: int) -> Sequence[Seats]:
        """The set of that number."""
        turn, at = divmod(number, self.tables)
        bots = self.terms.entrants
        if self.seating == "balanced":
            table = (self.turns if self.is_even else self.design).table(turn, at)
            return rotations(table) if self.rotate else [table]
        if self.size == 2:
            table = evenness.pair(bots, at) if self.is_even else pair(bots, at)
        else:
            table = self.subsets.table(at) if self.is_even else subset(bots, self.size, at)
        return rotations(table) if self.seating == "rotations" else list(permutations(table))

    def end(self, number: int) -> int:
        """See `Scheduled`."""
        turn, at = divmod(number, self.tables)
        if self.seating == "balanced":
            return (turn + 1) * self.tables
        if self.size == 2:
            abreast = evenness.pairs_abreast(self.terms.entrants)
            return turn * self.tables + (at // abreast + 1) * abreast
        return turn * self.tables + self.subsets.end(at)
