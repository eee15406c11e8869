"""Pairing by ratings: bots that cannot be told apart meet, and bots with few results play more.

A difference between two bots counts only as far as it is greater than what is not known of them. Were it taken as it
is, bots that by luck seemed further apart would meet no more, nothing would correct the error, and ratings fitted to
such results would be far less certain than they could be (`docs/decisions/0028-*.md`).
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence

from dohyo.series.formats.base import Seats
from dohyo.series.formats.seeds import Lots
from dohyo.series.ratings.ladder_ratings import BETA, LadderRating

EAGER = 4.0  # so many times as often as the best known bot one plays at most
DOUBT = 3.0  # so many deviations of a difference are taken for chance
LOOK = 8  # how many neighbours on either side are looked at at least, for each other seat
MAX_LOOKED = 64  # how many bots are looked at at most, for each other seat: drawn by lot from more
LOAD, AGAIN, CHANCE = 0.5, 1.0, 0.5  # what a table in the batch, a meeting in it, and lots weigh against distance


class Matchmaking:
    """One batch's tables. `bots` are all that take part, `rating` tells what is known of them."""

    def __init__(self, bots: Sequence[int], rating: Callable[[int], LadderRating], lots: Lots) -> None:
        self.ratings = {bot: rating(bot) for bot in bots}
        self.lots = lots
        self._order = sorted(lots.shuffled(bots), key=lambda bot: self.ratings[bot].mu)
        self._means = [self.ratings[bot].mu for bot in self._order]
        self._least_known = max((rating.sigma for rating in self.ratings.values()), default=0.0)
        known = min((rating.sigma for rating in self.ratings.values()), default=1.0)
        self._eager = {bot: min(EAGER, rating.sigma / known) for bot, rating in self.ratings.items()}
        self._turn = {bot: at for at, bot in enumerate(lots.shuffled(bots))}
        self._load = dict.fromkeys(bots, 0)
        self._met: dict[frozenset[int], int] = {}

    def tables(self, count: int, size: int) -> list[Seats]:
        """So many tables, one after the other; none when there are not bots enough for one."""
        if len(self._order) < size:
            return []
        return [self._table(size) for _ in range(count)]

    def seat(self, table: Seats) -> Seats:
        """Note that this table is played."""
        for at, bot in enumerate(table):
            self._load[bot] += 1
            for other in table[:at]:
                both = frozenset((bot, other))
                self._met[both] = self._met.get(both, 0) + 1
        return table

    def cost(self, one: int, other: int) -> float:
        """How badly the other suits: their distance in deviations, and how much they played in this batch."""
        mine, its = self.ratings[one], self.ratings[other]
        unsure = mine.sigma**2 + its.sigma**2
        surely = max(0.0, abs(mine.mu - its.mu) - DOUBT * math.sqrt(unsure))
        distance = surely / math.sqrt(unsure + 2 * BETA**2)
        again = self._met.get(frozenset((one, other)), 0)
        load = self._load[other] / self._eager[other]
        return distance + LOAD * load + AGAIN * again + CHANCE * self.lots.draw()

    def _table(self, size: int) -> Seats:
        """A table for the bot that is most behind with its matches, with the best suited bots near it."""
        first = min(self._order, key=lambda bot: ((self._load[bot] + 1) / self._eager[bot], self._turn[bot]))
        near = self._near(first, size - 1)
        costs = {bot: self.cost(first, bot) for bot in near}
        return self.seat((first, *sorted(near, key=lambda bot: costs[bot])[: size - 1]))

    def _near(self, first: int, seats: int) -> list[int]:
        """Its neighbours, and all who cannot be told apart from it; of very many, some."""
        at, reach = self._order.index(first), LOOK * seats
        start = max(0, min(at - reach, len(self._order) - 2 * reach - 1))
        end = start + 2 * reach + 1
        mine = self.ratings[first]
        unsure = DOUBT * math.hypot(mine.sigma, self._least_known)
        start = min(start, bisect_left(self._means, mine.mu - unsure))
        end = max(end, bisect_right(self._means, mine.mu + unsure))
        near = [bot for bot in self._order[start:end] if bot != first]
        if len(near) > MAX_LOOKED * seats:
            for turn in range(MAX_LOOKED * seats):
                other = turn + int(self.lots.draw() * (len(near) - turn))
                near[turn], near[other] = near[other], near[turn]
            del near[MAX_LOOKED * seats :]
        return near
