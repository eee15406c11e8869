"""Whoever stops a contest early has had everybody play about as often: in every format, after every match."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations, islice
from math import comb, factorial

import pytest

from dohyo.core.contest import Fixture
from dohyo.core.errors import OperatorError
from dohyo.core.options import Value
from dohyo.series.formats import all_formats
from dohyo.series.formats.designs import Cyclic
from dohyo.series.formats.evenness import Subsets, Turns, evened, pair
from tests.series.formats.contests import Case, batches, bots

SEATS = [(2, 2), (3, 3), (4, 4), (2, 5), (6, 6), (8, 8), (1, 100)]
FIELDS = [2, 3, 4, 5, 6, 7, 9, 12]
OPTIONS: dict[str, list[dict[str, Value]]] = {
    "round-robin": [{"seating": "all"}, {"seating": "rotations"}, {"seating": "balanced"}, {"rotate": False}],
    "league": [{"bosses": (0, 1), "margin": 2}],
    "ladder": [{"batch": 16}],
    "swiss": [{"series": 1}, {"series": 3}],
}
MAX_MATCHES = 3_000


def cases(name: str) -> Iterator[Case]:
    """Contests of a format, by seats, bots and options."""
    for seats in SEATS:
        for count in FIELDS:
            for options in OPTIONS.get(name, [{}]):
                case = Case(name, seats, 2, bots(count), options, upsets=0)
                try:
                    contest = case.make()
                    size = getattr(contest, "size", 2)
                except OperatorError:
                    continue
                is_all = options.get("seating") in ("all", "rotations")
                if not is_all or comb(count, size) * factorial(size) < MAX_MATCHES:
                    yield case


def apart(fixtures: Iterable[Fixture], field: Iterable[int]) -> int:
    """By how many matches two of these bots differ at most, after any number of matches."""
    played, most = dict.fromkeys(field, 0), 0
    for fixture in fixtures:
        for bot in fixture.seats:
            if bot in played:
                played[bot] += 1
        most = max(most, max(played.values()) - min(played.values()))
    return most


def bound(size: int, options: dict[str, Value]) -> int:
    """What is allowed at tables of so many seats."""
    if size == 2:
        return 2 if options.get("seating") == "balanced" else 1
    return 3 if size < 8 else 4


@pytest.mark.parametrize("name", ["round-robin", "gauntlet", "king-of-the-hill"])
def test_settled_courses_are_even_throughout(name: str) -> None:
    """In duels nobody is ever more than a match ahead, at larger tables three or four (a gauntlet: of the others)."""
    for case in cases(name):
        fixtures = [fixture for batch in batches(case) for fixture in batch]
        field = range(1 if name == "gauntlet" else 0, len(case.entrants))
        if field:
            assert apart(fixtures, field) <= bound(len(fixtures[0].seats), case.options), case


@pytest.mark.parametrize(("size", "count", "most"), [(3, 30, 2), (4, 30, 3), (6, 24, 4)])
def test_large_fields_are_nearly_as_even(size: int, count: int, most: int) -> None:
    """With many bots at large tables it is a match more: as docs/formats.md has it, over the first 6,000 matches."""
    case = Case("round-robin", (size, size), 1, bots(count), {"seating": "rotations"}, upsets=0)
    fixtures = islice((fixture for batch in batches(case) for fixture in batch), 6_000)
    assert apart(fixtures, range(count)) == most


@pytest.mark.parametrize("name", sorted(all_formats()))
def test_batches_are_even(name: str) -> None:
    """In a batch, those who are to play equally often in it are never more than few matches apart.

    A ladder lets near ratings meet, and a league the neighbours of who is next, so there it is some matches more. In
    a comparison the candidate is in every match, and whole rounds alone count.
    """
    if all_formats()[name].info.streams:
        return
    for case in cases(name):
        for batch in batches(case):
            wanted = Counter(bot for fixture in batch for bot in fixture.seats)
            size = len(batch[0].seats)
            for often in set(wanted.values()):
                field = [bot for bot in wanted if wanted[bot] == often]
                rated = 3 * size if name == "ladder" else 2 if name == "league" else 0
                assert apart(batch, field) <= bound(size, case.options) + rated, case


@pytest.mark.parametrize("count", range(2, 40))
def test_pairs_of_a_round(count: int) -> None:
    """Each pair comes once, and nobody is ever more than one match ahead."""
    pairs = [pair(count, at) for at in range(comb(count, 2))]
    assert sorted(tuple(sorted(two)) for two in pairs) == list(combinations(range(count), 2))
    assert apart((Fixture(0, 0, two, 0) for two in pairs), range(count)) <= 1


@pytest.mark.parametrize("size", [2, 3, 4, 6])
def test_all_tables_of_a_round(size: int) -> None:
    """Each table comes once; at the end of a block everybody has been at equally many."""
    for count in range(size, 10):
        subsets = Subsets(count, size)
        tables = [subsets.table(at) for at in range(subsets.total)]
        assert sorted(tables) == list(combinations(range(count), size))
        for at in range(subsets.total):
            sat = Counter(bot for table in tables[: subsets.end(at)] for bot in table)
            assert subsets.end(at) > at
            assert len(set(sat.values())) == 1


@pytest.mark.parametrize("size", [3, 4, 8])
def test_rounds_of_a_design(size: int) -> None:
    """The tables of a round are the design's, in an order in which nobody is far ahead, for classes of any size."""
    for count in (*range(size, 40, 3), 60, 100, 300):
        design = Cyclic(count, size)
        turns = Turns(design)
        tables = [turns.table(1, at) for at in range(count)]
        assert sorted(tables) == sorted(design.table(1, at) for at in range(count))
        assert apart((Fixture(0, 0, table, 0) for table in tables), range(count)) <= bound(size, {})


def test_the_order_stays_as_it_is() -> None:
    """A contest that was stopped finds its own matches again in a later version: these numbers never change."""
    assert [pair(5, at) for at in range(10)] == PAIRS
    assert evened([Cyclic(13, 4).table(0, at) for at in range(13)]) == ORDER
    assert [Subsets(6, 3).table(at) for at in range(20)][::4] == TABLES


PAIRS = [(0, 1), (3, 2), (4, 0), (1, 3), (2, 4), (1, 2), (0, 3), (4, 1), (2, 0), (3, 4)]
ORDER = [0, 1, 2, 10, 3, 4, 5, 6, 9, 7, 8, 11, 12]
TABLES = [(0, 1, 2), (2, 3, 4), (0, 3, 5), (0, 2, 5), (0, 3, 4)]
