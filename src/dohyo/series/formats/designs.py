"""Which bots share a table, if not all can meet all: pure combinatorics.

For tables of more than two cyclic designs (Bose 1939): one base table for each round, rotated through all bots. Pairs
are in `evenness.py`.
"""

from __future__ import annotations

from itertools import combinations
from math import comb, gcd
from operator import itemgetter

Table = tuple[int, ...]  # bots from 0


def subset(bots: int, size: int, at: int) -> Table:
    """The subset number `at` (0 to comb(bots, size) - 1), ascending, in an order in which every bot soon plays."""
    total = comb(bots, size)
    stride = max(1, total * 618 // 1000)  # near the golden ratio: steps of it spread evenly
    while gcd(stride, total) != 1:
        stride += 1
    rank = at * stride % total
    chosen: list[int] = []
    for bot in range(bots):
        with_bot = comb(bots - bot - 1, size - len(chosen) - 1)
        if rank < with_bot:
            chosen.append(bot)
            if len(chosen) == size:
                break
        else:
            rank -= with_bot
    return tuple(chosen)


class Cyclic:
    """Tables of `size` from `bots` bots, as even in pairs as a greedy search finds.

    A round has one base table, rotated bot by bot: `bots` tables, in which every bot comes once in every position.
    Two bots meet as often as the distance between them is among the base table's distances; so a base table is built
    bot by bot from those whose distances were had least often. In the first round two neighbours sit together, which
    joins all bots. Where a table has all bots, its turns are the same bots in other positions.
    """

    TRIES = 4  # base tables grown in a round
    FEW = 2000  # where there are no more base tables than this, all are tried when the grown ones leave a gap

    def __init__(self, bots: int, size: int) -> None:
        self.bots = bots
        self.size = size
        self._bases: list[Table] = []
        self._met = [0] * bots  # by distance, both ways round: how often each pair of that distance met

    def table(self, turn: int, at: int) -> Table:
        """The table number `at` (0 to bots - 1) of that round."""
        while len(self._bases) <= turn:
            self._bases.append(self._base())
        return tuple((bot + at) % self.bots for bot in self._bases[turn])

    def _base(self) -> Table:
        """The next round's base table."""
        seconds = sorted(range(1, self.bots // 2 + 1), key=lambda bot: self._met[bot])
        if not self._bases:
            seconds = [1]
        best = min((self._judged(self._grown(second)) for second in seconds[: self.TRIES]), key=itemgetter(0))
        if _gap(best[2]) > 1 and comb(self.bots - 1, self.size - 1) <= self.FEW:
            fixed = (0, 1) if not self._bases else (0,)
            others = combinations(range(len(fixed), self.bots), self.size - len(fixed))
            best = min((self._judged((*fixed, *rest)) for rest in others), key=itemgetter(0))
        self._met = best[2]
        return best[1]

    def _judged(self, base: Table) -> tuple[int, Table, list[int]]:
        """How uneven this base table leaves the pairs, itself, and how often each distance has met after it."""
        met = self._met.copy()
        _meet(met, base)
        return sum(count * count for count in met), base, met

    def _grown(self, second: int) -> Table:
        """A base table grown from 0 and `second`, each time by the bot that has met those at it least often."""
        met = self._met.copy()
        base = [0, second]
        _meet(met, (0, second))
        left = [bot for bot in range(1, self.bots) if bot != second]
        while len(base) < self.size:
            # Negative indices wrap round, and so do distances.
            costs = [sum([met[bot - other] for other in base]) for bot in left]
            bot = left.pop(costs.index(min(costs)))
            for other in base:
                _meet(met, (bot, other))
            base.append(bot)
        return tuple(base)


def _gap(met: list[int]) -> int:
    return max(met[1:]) - min(met[1:])


def _meet(met: list[int], table: Table) -> None:
    """Count the distances of a table; half way round both ways are the same, and each such pair meets twice."""
    for at, bot in enumerate(table):
        for other in table[:at]:
            met[bot - other] += 1
            met[other - bot] += 1
