"""The history of a king of the hill: who was first in the standing after each match."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec


class Reign(msgspec.Struct):
    """Matches, one after the other, after each of which the same bots were first; by number, ascending.

    `firsts` counts who came first in these matches, shared first places for each.
    """

    holders: tuple[int, ...]
    first: int
    last: int
    matches: int = 1
    firsts: dict[int, int] = {}


class Hill(msgspec.Struct):
    """All reigns, in order, and the match in which each entrant played first."""

    reigns: list[Reign]
    entered: dict[int, int]

    @property
    def matches(self) -> int:
        """How many matches there were."""
        return sum(reign.matches for reign in self.reigns)

    @property
    def late(self) -> list[tuple[int, int]]:
        """Entrants that were not in the first match: (match, entrant), in order."""
        start = min(self.entered.values(), default=0)
        return sorted((match, entrant) for entrant, match in self.entered.items() if match > start)

    def add(self, match: int, leaders: Sequence[int], firsts: Sequence[int]) -> None:
        """One more match: who is first after it, and who came first in it.

        A bot stays king as long as no other is before it; there are several kings while they are level.
        """
        before = self.reigns[-1].holders if self.reigns else ()
        holders = tuple(bot for bot in before if bot in leaders) or tuple(sorted(leaders))
        if holders == before:
            self.reigns[-1].last = match
            self.reigns[-1].matches += 1
        else:
            self.reigns.append(Reign(holders, match, match, 1, {}))
        own = self.reigns[-1].firsts
        for bot in firsts:
            own[bot] = own.get(bot, 0) + 1
