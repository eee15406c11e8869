"""Round-robin: everybody meets everybody, or as evenly as can be where tables have more seats."""

from __future__ import annotations

from collections.abc import Sequence, Set
from itertools import islice, permutations
from math import comb

from dohyo.core.contest import Entrant, Fixture, Result
from dohyo.core.errors import OperatorError
from dohyo.core.options import Option, either, one_of, one_word, yes_no
from dohyo.series.formats import evenness
from dohyo.series.formats.base import BY_SHARE, TABLE, FormatInfo, NumberedSet, Seats, Terms, rotations
from dohyo.series.formats.designs import Cyclic
from dohyo.series.formats.late import LATE, LateSets
from dohyo.series.formats.scheduled import BATCH, Scheduled

USUAL_TABLE = 8  # where a game seats a range
MAX_ORDERED = 5  # bots at a table that plays in all orders: 120 matches a seed
MAX_COUNTED = 100_000  # sets that are counted one by one
SEATINGS = ("all", "rotations", "balanced")


class RoundRobin(Scheduled):
    """`rounds` times every table there is, or a balanced design.

    `all` plays every table in every order, `rotations` once from every seat. `balanced` plays one table a round and
    bot (`Cyclic`): each bot sits equally often in each seat. With `rotate` each table plays its seed once from every
    seat, otherwise once.

    A bot that enters later plays the sets that it misses (`late`). At balanced tables the others then have not played
    equally often, and places go by points a match.
    """

    info = FormatInfo(
        "round-robin",
        (
            Option(
                "seating",
                None,
                one_word(SEATINGS),
                "which tables, and in which orders",
                one_of(*SEATINGS),
            ),
            Option(
                "rotate",
                True,
                either("yes", "no"),
                "balanced: play each table's seed from every seat",
                yes_no,
            ),
            TABLE,
        ),
        joins=True,
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
        if self.seating == "all" and size > MAX_ORDERED:
            raise OperatorError("format-all-orders", table=size)
        self.turns = evenness.Turns(Cyclic(bots, size))
        self.subsets = evenness.Subsets(bots, size)
        self.tables = comb(bots, size)  # a round
        if self.seating == "balanced":
            self.tables = 1 if self.rotate and size == bots else bots
        super().__init__(terms, terms.rounds * self.tables)
        of_newcomer = (1 if self.tables == 1 else size) if self.seating == "balanced" else 0
        self.late = LateSets(size, terms.rounds, of_newcomer, self.orders)
        self.has_late = False

    def check_new(self) -> None:
        """Raise `OperatorError` for `rotate` where it would change nothing: it is for `balanced` alone."""
        if not self.terms.options["rotate"] and self.seating != "balanced":
            raise OperatorError("format-rotate-idle", seating=self.seating)

    def seatings(self, number: int) -> Sequence[Seats]:
        """The set of that number."""
        turn, at = divmod(number, self.tables)
        bots = self.terms.entrants
        if self.seating == "balanced":
            return self.orders(self.turns.table(turn, at))
        return self.orders(evenness.pair(bots, at) if self.size == 2 else self.subsets.table(at))

    def orders(self, table: Seats) -> Sequence[Seats]:
        """The orders in which a table plays a set."""
        if self.seating == "balanced":
            return rotations(table) if self.rotate else [table]
        return rotations(table) if self.seating == "rotations" else list(permutations(table))

    def enter(self, entrants: Sequence[Entrant]) -> None:
        """Whether somebody enters later."""
        super().enter(entrants)
        self.entrants = entrants
        self.has_late = any(entrant.since > 0 for entrant in entrants)

    @property
    def placed_by(self) -> str:
        """What decides places first: points a match, where results were taken out or newcomers sit at few tables."""
        is_uneven = self.has_gaps or (self.has_late and self.seating == "balanced")
        return BY_SHARE if is_uneven else super().placed_by

    def worth(self, points: float, matches: int) -> float:
        """What places go by: points, or points a match where not all have played as often."""
        return points / max(1, matches) if self.placed_by == BY_SHARE else points

    def next(self, entrants: Sequence[Entrant]) -> list[Fixture]:
        """The next batch: whole blocks, and as much of what newcomers miss as fits in."""
        self.enter(entrants)
        blocks, _, late = self._batch(self.sets, self.late, self.batch)
        return list(self.fixtures([*blocks, *([late] if late else [])]))

    def _batch(
        self, start: int, late: LateSets, batch: int
    ) -> tuple[list[list[NumberedSet]], int, list[NumberedSet]]:
        """The blocks of a batch, the set after them, and the sets of newcomers."""
        here = {entrant.number for entrant in self.entrants if entrant.plays_in(batch)}
        blocks, end = self.course(start, here)
        if not self.has_late:
            return blocks, end, []
        most = max(1, BATCH // len(self.seatings(0)))
        return blocks, end, list(islice(late.missing(self.entrants, here), most))

    def after(self, numbers: Set[int]) -> int:
        """The number of the next set of the course; sets of newcomers are counted for themselves."""
        return max((number + 1 for number in numbers if number < LATE), default=self.sets)

    def learn(self, results: Sequence[Result]) -> None:
        """Count points, and which sets of newcomers these were."""
        super().learn(results)
        tables = {self.seeds.number(played.fixture.seed): played.fixture.seats for played in results}
        self.late.take(table for number, table in tables.items() if number >= LATE)

    def matches_in_all(self, sizes: Sequence[int]) -> int | None:
        """How many matches the contest has in all, if nobody else comes or goes; none if that is not known."""
        if not self.has_late:
            return super().matches_in_all(sizes)
        if self.total > MAX_COUNTED:
            return None
        start, late, left = self.sets, self.late.copy(), 0
        for batch in range(self.batch, len(sizes) + 1 + self.total):  # the drawn ones first
            blocks, start, missing = self._batch(start, late, batch)
            late.take(seatings[0] for _, seatings in missing)
            count = sum(len(seatings) for sets in [*blocks, missing] for _, seatings in sets)
            left += count if batch >= len(sizes) else 0
            if batch >= len(sizes) and not count and start >= self.total:
                break
        return sum(sizes) + left

    def end(self, number: int) -> int:
        """The first set after the block of this set."""
        turn, at = divmod(number, self.tables)
        if self.seating == "balanced":
            return (turn + 1) * self.tables
        if self.size == 2:
            abreast = evenness.pairs_abreast(self.terms.entrants)
            return turn * self.tables + (at // abreast + 1) * abreast
        return turn * self.tables + self.subsets.end(at)
