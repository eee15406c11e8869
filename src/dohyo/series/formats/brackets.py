"""The bracket of a knock-out as data: rounds of pairings, played or not, for code that draws them.

A round's pairings are in the order in which a tree shows them: the bots of a pairing come from neighbouring pairings
of the round before, so that lines between them do not cross. If more than two play at a table, several go on, to
different tables, and there is no such order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final

import msgspec

# The sides of a bracket.
MAIN: Final = "main"
WINNERS: Final = "winners"
LOSERS: Final = "losers"
FINAL: Final = "final"

# The states of a pairing: played to its end; being played, or next; not drawn yet; only played if necessary; a bye; a
# bot was absent when it should have played.
OVER: Final = "over"
OPEN: Final = "open"
LATER: Final = "later"
MAYBE: Final = "maybe"
BYE: Final = "bye"
ABSENT: Final = "absent"


class Slot(msgspec.Struct, frozen=True, omit_defaults=True):
    """A place in a pairing.

    `entrant` is None if it is not known yet; `seed` counts from 1, the best; `beaten` is how many opponents it was
    placed before in the series, those level with it counting half. `source` is the pairing that it comes from, by its
    number (from 0) in the round before on the same side.
    """

    entrant: int | None = None
    seed: int = 0
    beaten: float = 0.0
    goes_on: bool = False
    source: int | None = None


class Pairing(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who meets whom, best seeded first; without slots nobody plays, and it only fills a place in the tree.

    `batch` is that of its matches, if it has any; `played` is how many of its `matches` have a result. `level` says
    that results did not decide who goes on.
    """

    slots: tuple[Slot, ...]
    state: str
    batch: int | None = None
    played: int = 0
    matches: int = 0
    level: bool = False

    @property
    def entrants(self) -> frozenset[int]:
        """Those of its bots who are known."""
        return frozenset(slot.entrant for slot in self.slots if slot.entrant is not None)


class Round(msgspec.Struct, frozen=True):
    """The pairings of a round, which has a number from 1 on its side."""

    side: str
    number: int
    pairings: tuple[Pairing, ...]


class Bracket(msgspec.Struct, frozen=True):
    """All rounds, side by side, in the order in which they are played on each; `champion` once that is known.

    `ties_by` is what decides in a series that ends level: lot or rating.
    """

    rounds: tuple[Round, ...]
    champion: int | None = None
    ties_by: str = "lot"

    def sides(self) -> list[tuple[Round, ...]]:
        """The rounds of each side."""
        names = dict.fromkeys(each.side for each in self.rounds)
        return [tuple(each for each in self.rounds if each.side == name) for name in names]


def is_tree(rounds: Sequence[Round]) -> bool:
    """Whether lines can be drawn from each pairing of these to one of the next round, in order."""
    for before, after in pairwise(rounds):
        led = [slot.source for pairing in after.pairings for slot in pairing.slots if slot.source is not None]
        if led != [at for at, pairing in enumerate(before.pairings) if pairing.slots and _leads(pairing)]:
            return False
    return True


def _leads(pairing: Pairing) -> bool:
    """Whether a bot goes on from it, now or later."""
    return pairing.state in (OPEN, LATER, MAYBE) or any(slot.goes_on for slot in pairing.slots)


def arranged(rounds: Sequence[Round]) -> tuple[Round, ...]:
    """The rounds, each in the order in which the next one takes from it; pairings that lead to none come last."""
    found = list(rounds)
    for at in range(len(found) - 1, 0, -1):
        before, after = found[at - 1], found[at]
        sources = [slot.source for pairing in after.pairings for slot in pairing.slots if slot.source is not None]
        order = list(dict.fromkeys([*sources, *range(len(before.pairings))]))
        moved = {old: new for new, old in enumerate(order)}
        found[at - 1] = msgspec.structs.replace(before, pairings=tuple(before.pairings[old] for old in order))
        found[at] = msgspec.structs.replace(after, pairings=tuple(_led(each, moved) for each in after.pairings))
    return tuple(found)


def _led(pairing: Pairing, moved: Mapping[int, int]) -> Pairing:
    slots = tuple(
        slot if slot.source is None else msgspec.structs.replace(slot, source=moved[slot.source])
        for slot in pairing.slots
    )
    return msgspec.structs.replace(pairing, slots=slots)


def is_level(slots: Sequence[Slot]) -> bool:
    """Whether one bot goes on and another, which beat as many, does not."""
    on = [slot.beaten for slot in slots if slot.goes_on]
    return any(not slot.goes_on and slot.beaten >= min(on, default=slot.beaten + 1) for slot in slots)
