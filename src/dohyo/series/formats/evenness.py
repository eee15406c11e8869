"""The order of matches: if a contest stops early, all bots should have played about equally often.

The tables limit how even an order can be: for example, in the perfect design of seven bots at seven tables of three,
any two tables share a bot. So we search for an order, with the least difference that is found quickly.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from math import comb

from dohyo.series.formats.designs import Cyclic, Table, subset

STEPS = 6  # of a search for each table, before it begins anew
SEARCHES = 4  # for one difference
LARGE = 200  # tables: of more than that, one search for a difference, which is no small one
LOOK = 16  # bots that played least, whose tables are looked at in a step
WEIGHT = 4  # how much worse it is to seat a bot that has played once more


def evened(tables: Sequence[Table]) -> list[int]:
    """The numbers of the tables in an order in which everybody has soon, and always, played about as often.

    Everybody has to be at equally many of them. The same tables give the same order on every machine.
    """
    difference = 1 if len(tables) <= LARGE else 3
    while True:
        for salt in range(SEARCHES if difference > 1 and len(tables) <= LARGE else 1):
            order = _Search(tables, difference, salt).run()
            if order is not None:
                return order
        difference += 1


class _Search:
    """A search in depth for an order in which no two bots' matches ever differ by more than `difference`.

    Each step seats one of those who have played least: the one with the fewest tables that can be next.
    """

    def __init__(self, tables: Sequence[Table], difference: int, salt: int) -> None:
        self._tables = tables
        self._difference = difference
        self._rank = [(at * 7919 + salt * 104729) % 1000003 for at in range(len(tables))]
        self._of: dict[int, list[int]] = {}
        for at, table in enumerate(tables):
            for bot in table:
                self._of.setdefault(bot, []).append(at)
        self._count = dict.fromkeys(self._of, 0)
        self._with: list[dict[int, None]] = [dict.fromkeys(self._of)]  # who has played how often
        self._least = 0
        self._left = [True] * len(tables)

    def run(self) -> list[int] | None:
        """The order; none where it was not found soon."""
        order: list[int] = []
        choices = [self._choices()]
        for _ in range(STEPS * len(self._tables)):
            if choices[-1]:
                order.append(choices[-1].pop())
                self._seat(order[-1], 1)
                if len(order) == len(self._tables):
                    return order
                choices.append(self._choices())
            else:
                choices.pop()
                if not order:
                    return None
                self._seat(order.pop(), -1)
        return None

    def _seat(self, table: int, step: int) -> None:
        """Let the table's bots have played once more, or once less."""
        self._left[table] = step < 0
        for bot in self._tables[table]:
            count = self._count[bot]
            del self._with[count][bot]
            self._count[bot] = count + step
            if count + step == len(self._with):
                self._with.append({})
            self._with[count + step][bot] = None
        self._least = next(count for count, bots in enumerate(self._with) if bots)

    def _choices(self) -> list[int]:
        """The tables that can be next, the best one last."""
        least, count = self._least, self._count
        fewest: list[int] | None = None
        for _, bot in zip(range(LOOK), self._with[least], strict=False):
            own = [
                at
                for at in self._of[bot]
                if self._left[at] and max(count[other] for other in self._tables[at]) < least + self._difference
            ]
            if fewest is None or len(own) < len(fewest):
                fewest = own
            if not own:
                break
        return sorted(fewest or (), key=self._cost, reverse=True)

    def _cost(self, table: int) -> tuple[int, int]:
        ahead = sum(WEIGHT ** (self._count[bot] - self._least) for bot in self._tables[table])
        return ahead, self._rank[table]


def pair(bots: int, at: int) -> Table:
    """The pair number `at` (0 to bots (bots - 1) / 2 - 1) of a round-robin, no bot ever more than one match ahead.

    An even number of bots plays day by day, on each of which every bot meets another one (the circle method, Kirkman
    1847). An odd number goes twice round circles that pass through all bots (Walecki, in Lucas 1892): the first meets
    the second, the third the fourth; the second time round the second meets the third.
    """
    if bots % 2 == 0:
        day, place = divmod(at, bots // 2)
        circle = bots - 1
        return (day + place) % circle, (day - place) % circle if place else circle
    circle_number, step = divmod(at, bots)
    return _on_circle(bots, circle_number, 2 * step % bots), _on_circle(bots, circle_number, (2 * step + 1) % bots)


def pairs_abreast(bots: int) -> int:
    """After how many pairs everybody has played equally often again."""
    return bots if bots % 2 else bots // 2


def _on_circle(bots: int, number: int, place: int) -> int:
    """Who is at this place of the circle of this number, of an odd number of bots: to and fro, the last at last."""
    if place == bots - 1:
        return bots - 1
    step = (place + 1) // 2
    return (number + (step if place % 2 else -step)) % (bots - 1)


def _turned(bots: int, base: Table, turns: int) -> list[Table]:
    """The first so many tables that come of one by turning it on from bot to bot, in an even order."""
    tables = [tuple((bot + turn) % bots for bot in base) for turn in range(turns)]
    return [tables[at] for at in evened(tables)]


class Turns:
    """The tables of a cyclic design, those of each round in an even order."""

    def __init__(self, design: Cyclic) -> None:
        self._design = design
        self._last: tuple[int, list[Table]] = (-1, [])

    def table(self, turn: int, at: int) -> Table:
        """The table number `at` (0 to bots - 1) of that round."""
        if self._last[0] != turn:
            bots = self._design.bots
            self._last = turn, _turned(bots, self._design.table(turn, 0), bots)
        return self._last[1][at]


class Subsets:
    """All tables of `size` from `bots` bots, in an order that is even: each with all that come of it by turning it.

    Which come first is spread evenly, as by `designs.subset`. What is known is what was asked for so far.
    """

    def __init__(self, bots: int, size: int) -> None:
        self.bots = bots
        self.size = size
        self.total = comb(bots, size)
        self._bases: list[Table] = []
        self._starts = [0]  # of each base's tables, and where the next one's will
        self._found = self._find()
        self._last: tuple[int, list[Table]] = (-1, [])

    def table(self, at: int) -> Table:
        """The table number `at` (0 to comb(bots, size) - 1), ascending."""
        base = self._base(at)
        if self._last[0] != base:
            turns = self._starts[base + 1] - self._starts[base]
            self._last = base, _turned(self.bots, self._bases[base], turns)
        return tuple(sorted(self._last[1][at - self._starts[base]]))

    def end(self, at: int) -> int:
        """The first number after `at` before which everybody is at equally many tables."""
        return self._starts[self._base(at) + 1]

    def _base(self, at: int) -> int:
        while self._starts[-1] <= at:
            base, turns = next(self._found)
            self._bases.append(base)
            self._starts.append(self._starts[-1] + turns)
        return bisect_right(self._starts, at) - 1

    def _find(self) -> Iterator[tuple[Table, int]]:
        """One table of each circle of them, and how many there are."""
        seen = set()
        for at in range(self.total):
            table = subset(self.bots, self.size, at)
            gaps = [(table[place] - table[place - 1]) % self.bots or self.bots for place in range(self.size)]
            turned = [tuple(gaps[place:] + gaps[:place]) for place in range(self.size)]
            if (least := min(turned)) not in seen:
                seen.add(least)
                yield table, self.bots // turned.count(least)
