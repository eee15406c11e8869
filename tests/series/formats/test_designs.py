"""Tables worked out beforehand: pairs, subsets, cyclic designs; and seeds."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, permutations
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dohyo.series.formats.designs import Cyclic, subset
from dohyo.series.formats.seeds import Lots, Seeds


@given(st.integers(2, 12).flatmap(lambda bots: st.tuples(st.just(bots), st.integers(2, bots))))
def test_every_subset_comes_once(bots_and_size: tuple[int, int]) -> None:
    """Counting through the subsets gives each of them once, ascending within."""
    bots, size = bots_and_size
    found = [subset(bots, size, at) for at in range(comb(bots, size))]
    assert sorted(found) == list(combinations(range(bots), size))


def test_subsets_soon_have_everybody() -> None:
    """Of 230,300 tables of four, the first 500 have each of 50 bots about equally often."""
    sat = Counter(bot for at in range(500) for bot in subset(50, 4, at))
    assert len(sat) == 50
    assert max(sat.values()) < 3 * min(sat.values())


def gap_of(design: Cyclic, rounds: int) -> int:
    """How many more tables the pair that meets most often shares than the one that meets least."""
    bases = [design.table(turn, 0) for turn in range(rounds)]
    met = Counter((one - other) % design.bots for base in bases for one, other in permutations(base, 2))
    times = [met[distance] for distance in range(1, design.bots)]
    return max(times) - min(times)


@pytest.mark.parametrize("size", [2, 3, 4, 5, 8])
def test_cyclic_designs_are_even(size: int) -> None:
    """From 4 to 100 bots, after any number of rounds: seats are equal, and pairs to within two tables."""
    for bots in (*range(max(4, size), 20), 25, 50, 51, 100):
        design = Cyclic(bots, size)
        for turn in range(3):
            tables = [design.table(turn, at) for at in range(bots)]
            assert all(sorted(column) == list(range(bots)) for column in zip(*tables, strict=True))
            assert all(len(set(table)) == size for table in tables)
        assert max(gap_of(design, rounds) for rounds in (1, 2, 3, 10, 40)) <= 2, (bots, size)


@pytest.mark.parametrize(("bots", "size"), [(7, 3), (7, 4), (13, 4), (5, 4), (11, 5)])
def test_perfect_designs_are_found(bots: int, size: int) -> None:
    """Where a perfect difference set exists, one round has each pair equally often."""
    design = Cyclic(bots, size)
    met = Counter(two for at in range(bots) for two in combinations(sorted(design.table(0, at)), 2))
    assert len(met) == comb(bots, 2)
    assert len(set(met.values())) == 1


def test_one_round_joins_everybody() -> None:
    """After one round the results connect all bots: neighbours sit together."""
    for bots in (4, 9, 50, 100):
        design = Cyclic(bots, min(4, bots))
        tables = [set(design.table(0, at)) for at in range(bots)]
        assert all(any({bot, (bot + 1) % bots} <= table for table in tables) for bot in range(bots))


def test_a_table_does_not_depend_on_how_far_the_design_was_used() -> None:
    """The tables of two rounds are the same before and after the hundredth was looked up."""
    fresh, used = Cyclic(50, 4), Cyclic(50, 4)
    used.table(99, 0)
    assert fresh.table(1, 7) == used.table(1, 7)


@given(seed=st.integers(0, 2**63 - 1), numbers=st.sets(st.integers(0, 2**32 - 1)))
def test_seeds_never_repeat(seed: int, numbers: set[int]) -> None:
    """Each set has a seed of its own, which tells its number."""
    seeds = Seeds(seed)
    drawn = {seeds.of(number) for number in numbers}
    assert len(drawn) == len(numbers)
    assert all(0 <= one < 2**63 for one in drawn)
    assert {seeds.number(one) for one in drawn} == numbers


SEEDS = [9186561581720269881, 3093982073800125569, 5850409318116419546]
ORDER = [9, 7, 0, 2, 4, 8, 5, 1, 3, 6]


def test_seeds_and_lots_stay_as_they_are() -> None:
    """A contest that was stopped finds its own matches again in a later version: these numbers never change."""
    assert [Seeds(7).of(number) for number in range(3)] == SEEDS
    assert Lots(7, 2).shuffled(range(10)) == ORDER
    assert 0 <= min(Lots(7, 0).draw() for _ in range(50)) < 1
