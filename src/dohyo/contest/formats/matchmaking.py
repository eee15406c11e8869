"""Pairing by ratings: bots with similar ratings meet, and bots with few results play more."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from dohyo.contest.formats.base import Seats
from dohyo.contest.formats.seeds import Lots
from dohyo.contest.ladder_ratings import BETA, LadderRating

EAGER = 4.0  # so many times as often as the best known bot one plays at most
LOOK = 8  # how many neighbours on either side are looked at, for each other seat
LOAD, AGAIN, CHANCE = 0.5, 1.0, 0.5  # what a table in the batch, a meeting in it, and lots weigh against distance


class Matchmaking:
    """One batch's tables. `bots` are all that take part, `rating` tells what is known of them."""

    def __init__(self, bots: Sequence[int], rating: Callable[[int], LadderRating], lots: Lots) -> None:
        self.ratings = {bot: rating(bot) for bot in bots}
        self.lots = lots
        self._order = sorted(lots.shuffled(bots), key=lambda bot: self.ratings[bot].mu)
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
        distance = abs(mine.mu - its.mu) / math.sqrt(mine.sigma**2 + its.sigma**2 + 2 * BETA**2)
        again = self._met.get(frozenset((one, other)), 0)
        load = self._load[other] / self._eager[other]
        return distance + LOAD * load + AGAIN * again + CHANCE * self.lots.draw()

    def _table(self, size: int) -> Seats:
        """A table for the bot that is most behind with its matches, with the best suited bots near it."""
        first = min(self._order, key=lambda bot: ((self._load[bot] + 1) / self._eager[bot], self._turn[bot]))
        at = self._order.index(first)
        reach = LOOK * (size - 1)
        start = max(0, min(at - reach, len(self._order) - 2 * reach - 1))
        near = [bot for bot in self._order[start : start + 2 * reach + 1] if bot != first]
        costs = {bot: self.cost(first, bot) for bot in near}
        return self.seat((first, *sorted(near, key=lambda bot: costs[bot])[: size - 1]))
