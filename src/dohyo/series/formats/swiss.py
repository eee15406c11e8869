"""Swiss: in each of `rounds` rounds, bots of equal points meet; rematches are avoided as long as possible."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dohyo.core.contest import Entrant, Result
from dohyo.core.options import Option, from_to, whole
from dohyo.series.formats.base import TABLE, FormatInfo, Seats, Standing, Terms
from dohyo.series.formats.pairing import paired
from dohyo.series.formats.points import ranked
from dohyo.series.formats.seeding import RATINGS, SEEDING, InSeries

USUAL_TABLE = 2


class Swiss(InSeries):
    """A round is a batch. Each table plays `series` seeds, each once from every seat: seats are always even.

    A series' points are the share of the others whom a bot was placed before, from 0 to 1; to be level with one
    counts half (`base.credit`). Bots without a table have a bye: those with the fewest byes so far, the lowest among
    them. A bye is worth a won series at tables of two, and half of one at larger tables, where several bots may have
    it. A bot that is absent in a round gets nothing.
    """

    info = FormatInfo(
        "swiss",
        (
            Option("series", 1, from_to(1, 1000), "seeds that each table plays in a round", whole(1, 1000)),
            SEEDING,
            RATINGS,
            TABLE,
        ),
        joins=True,
    )

    def __init__(self, terms: Terms) -> None:
        super().__init__(terms, terms.table(USUAL_TABLE), terms.options["series"])
        self.full = 2 * (self.size - 1) * self.size * self.count  # credit of a series won altogether

    def draw(self, entrants: Sequence[Entrant]) -> Iterable[Sequence[Seats]]:
        """The next round's tables, from the top."""
        if self.batch >= self.terms.rounds:
            return []
        books = Books(self, entrants)
        here = set(self.here(entrants))
        order = [entrant for entrant in books.order() if entrant in here]
        drawn = books.pairs(order) if self.size == 2 else books.grouped(order, self.size)
        return self.series(drawn)

    def matches_in_all(self, sizes: Sequence[int]) -> int | None:
        """The matches of all rounds, if those that are left are as large as the last one; none before the first."""
        return sum(sizes) + max(0, self.terms.rounds - len(sizes)) * sizes[-1] if sizes else None

    def standing(self, entrants: Sequence[Entrant], so_far: Sequence[Result] = ()) -> list[Standing]:
        """By points, then by the sum of the opponents' points (Buchholz)."""
        books = Books(self, entrants)
        rows = []
        for entrant in entrants:
            at = entrant.number
            points, strength = books.points[at] / self.full, books.strength(at) / self.full
            byes = books.byes[at]
            remark = "format.byes" if byes else ""
            rows.append((books.key(at), Standing(at, 0, points, self.matches(at), (strength,), remark, byes)))
        return ranked(rows)


class Books:
    """What follows from the rounds so far: points, byes, who met whom how often."""

    def __init__(self, swiss: Swiss, entrants: Sequence[Entrant]) -> None:
        swiss.seeding.enter(entrants)
        self._rank = swiss.seeding.rank
        self.points = {entrant.number: 0 for entrant in entrants}
        self.byes = dict.fromkeys(self.points, 0)
        self.met: dict[int, dict[int, int]] = {number: {} for number in self.points}
        bye = swiss.full if swiss.size == 2 else swiss.full // 2
        for at, played in enumerate(swiss.history):
            seated = {bot for table in played for bot in table}
            for entrant in entrants:
                if entrant.number not in seated and entrant.plays_in(at):
                    self.points[entrant.number] += bye
                    self.byes[entrant.number] += 1
            for sums in played.values():
                for bot, earned in sums.items():
                    self.points[bot] += earned
                    for other in sums.keys() - {bot}:
                        self.met[bot][other] = self.met[bot].get(other, 0) + 1

    def strength(self, bot: int) -> int:
        """The sum of its opponents' points (Buchholz), each as often as it was met."""
        return sum(times * self.points[other] for other, times in self.met[bot].items())

    def key(self, bot: int) -> tuple[int, int]:
        """What ranks a bot: the greater the better."""
        return self.points[bot], self.strength(bot)

    def order(self) -> list[int]:
        """All bots from the top; equal ones as they are seeded."""
        return sorted(self.points, key=lambda bot: (*(-part for part in self.key(bot)), self._rank(bot)))

    def pairs(self, order: list[int]) -> list[Seats]:
        """The field in pairs; of an odd number one bot has a bye."""
        for met in range(1 + max((max(self.met[bot].values(), default=0) for bot in order), default=0)):
            for resting in self._resting(order):
                field = [bot for bot in order if bot != resting]
                mates = self._mates(field, met)
                if mates:
                    return [(field[one], field[mates[one]]) for one in range(len(field)) if one < mates[one]]
        return []

    def _resting(self, order: list[int]) -> list[int | None]:
        """Who may have the bye, the first choice first; nobody where the field is even."""
        if len(order) % 2 == 0:
            return [None]
        fewest = min(self.byes[bot] for bot in order)
        return [bot for bot in reversed(order) if self.byes[bot] == fewest]

    def _mates(self, field: list[int], met: int) -> list[int]:
        """Each one's opponent, by place in the field, when two may have met so often before; empty: impossible."""

        def allowed(one: int, other: int) -> bool:
            return self.met[field[one]].get(field[other], 0) <= met

        def wishes(left: list[int]) -> list[int]:
            """Within equal points the upper half meets the lower; then those with fewer points, from the top."""
            points = self.points[field[left[0]]]
            equal = [place for place in left if self.points[field[place]] == points]
            half = len(equal) // 2
            near = sorted(range(1, len(equal)), key=lambda place: abs(place - half))
            return [equal[place] for place in near] + left[len(equal) :]

        return paired(len(field), allowed, wishes)

    def grouped(self, order: list[int], size: int) -> list[Seats]:
        """The field in tables, filled from the top with the next bots that were met least; the rest have a bye."""
        spare = len(order) % size
        lowest_first = order[::-1]
        resting = set(sorted(lowest_first, key=lambda bot: self.byes[bot])[:spare])
        left = [bot for bot in order if bot not in resting]
        drawn = []
        while left:
            table = [left.pop(0)]
            while len(table) < size:
                meetings = [sum(self.met[bot].get(other, 0) for other in table) for bot in left]
                table.append(left.pop(meetings.index(min(meetings))))
            drawn.append(tuple(table))
        return drawn
