"""Results as meetings: for each seed and each pair of bots, how their matches of it came out. The input of a rating.

A match of many seats is read as all its pairs: of each, one is placed before the other or they share a place. The
pairs of a match are not independent, and count less for it: each 3 / (seats + 1). With that weight the results of
equally strong bots say as much of their strengths as if what counts were independent (of so many seats a bot's place
has the variance (seats**2 - 1) / 12, as many independent duels (seats - 1) / 4). It decides how much a match weighs
against one of fewer seats, and against the prior.

Weights are whole multiples of one part of `WHOLE`, so that a sum of them does not depend on its order.
"""

from __future__ import annotations

import itertools
from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from dohyo.core.contest import Result, level

WHOLE = 1 << 30


class Matches(NamedTuple):
    """Matches with the same number of seats, flat: `width` seats and places for each, and its seed."""

    width: int
    seats: Sequence[int]
    places: Sequence[int]  # 1 the best, equal ones shared (`dohyo.core.contest.level`)
    seeds: Sequence[int]  # matches of one seed are one observation


class Meetings(NamedTuple):
    """Who met whom on which seed, ascending by seed, then by pair; seeds are counted from 0.

    Weights are in parts of `WHOLE`; `first` is the lower number of the pair.
    """

    seed: Sequence[int]
    first: Sequence[int]
    second: Sequence[int]
    before: Sequence[int]  # how often the first was placed before the second
    level: Sequence[int]
    behind: Sequence[int]


def weight(seats: int) -> int:
    """What a pair of a match with so many seats counts, in parts of `WHOLE`."""
    return round(3 * WHOLE / (seats + 1))


def matches_of(played: Iterable[Result]) -> list[Matches]:
    """The results by their number of seats; the fixture's seed is the seed."""
    found: dict[int, Matches] = {}
    for one in played:
        width = len(one.places)
        block = found.setdefault(width, Matches(width, array("i"), array("i"), []))
        block.seats.extend(one.fixture.seats)  # type: ignore[attr-defined]
        block.places.extend(one.places)  # type: ignore[attr-defined]
        block.seeds.append(one.fixture.seed)  # type: ignore[attr-defined]
    return list(found.values())


def first_of(matches: Iterable[Matches], count: int) -> list[Matches]:
    """So many of the matches, from the first one on."""
    found = []
    for block in matches:
        wide = count * block.width
        found.append(Matches(block.width, block.seats[:wide], block.places[:wide], block.seeds[:count]))
        count = max(0, count - len(block.seeds))
    return found


def checked(matches: Iterable[Matches], entrants: int) -> list[Matches]:
    """The matches. `ValueError` when parts do not fit each other, or a seat is held by nobody of the entrants."""
    found = list(matches)
    for block in found:
        count = len(block.seeds)
        if not len(block.seats) == len(block.places) == count * block.width:
            raise ValueError("there must be as many places as seats, and a seed for each match")
        if len(block.seats) and not (min(block.seats) >= 0 and max(block.seats) < entrants):
            raise ValueError(f"a seat is held by an entrant that is not one of {entrants}")
    return found


def meetings_of(matches: Sequence[Matches]) -> Meetings:
    """The meetings of all matches, in plain Python."""
    found: dict[tuple[int, int, int], list[int]] = {}
    for block in matches:
        own = weight(block.width)
        for seed, seats, places in rows_of(block):
            known = zip(seats, places, level(places), strict=True)
            for (one, place, tied), (other, its, _) in itertools.combinations(known, 2):
                if one == other or (place == its and not tied):
                    continue
                key = (seed, one, other) if one < other else (seed, other, one)
                ways = found.setdefault(key, [0, 0, 0])
                ahead = (place < its) - (place > its) if one < other else (place > its) - (place < its)
                ways[1 - ahead] += own
    order = sorted(found)
    numbers: dict[int, int] = {}
    for seed, _, _ in order:
        numbers.setdefault(seed, len(numbers))
    ways_of = [found[key] for key in order]
    return Meetings(
        [numbers[seed] for seed, _, _ in order],
        [one for _, one, _ in order],
        [other for _, _, other in order],
        *([ways[at] for ways in ways_of] for at in range(3)),
    )


def rows_of(block: Matches) -> Iterator[tuple[int, Sequence[int], Sequence[int]]]:
    """Each match's seed, seats and places."""
    width = block.width
    for at, seed in enumerate(block.seeds):
        part = slice(at * width, at * width + width)
        yield seed, block.seats[part], block.places[part]


def groups_of(pairs: Iterable[tuple[int, int]], entrants: int) -> list[list[int]]:
    """The entrants in groups that results connect, however indirectly; one group when all are connected.

    Largest first, then by the lowest number. An entrant without a result is a group of its own.
    """
    root = list(range(entrants))

    def top(at: int) -> int:
        while root[at] != at:
            root[at] = root[root[at]]
            at = root[at]
        return at

    for one, other in pairs:
        root[top(one)] = top(other)
    groups: dict[int, list[int]] = {}
    for number in range(entrants):
        groups.setdefault(top(number), []).append(number)
    return sorted(groups.values(), key=lambda group: (-len(group), group))
