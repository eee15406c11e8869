"""What a sample says of all matches."""

from __future__ import annotations

from math import comb

import pytest

from dohyo.contest.sampling import most_differing


def test_the_rule_of_three() -> None:
    """No difference in 20 of very many: at most 14 %; in 300: 1 %. Of a sample of everything nothing is open."""
    assert round(most_differing(100_000, 20, 0) / 1000) == 14
    assert round(most_differing(100_000, 300, 0) / 100) == 10  # per mille
    assert most_differing(50, 50, 0) == 0
    assert most_differing(50, 50, 7) == 7
    assert most_differing(50, 0, 0) == 50


@pytest.mark.parametrize(("population", "sample", "differing"), [(10, 4, 0), (10, 4, 1), (40, 7, 3), (6, 5, 5)])
def test_by_its_definition(population: int, sample: int, differing: int) -> None:
    """With the number that is told, so few are seen in more than 5 of 100 samples; with one more, they are not."""

    def seen(bad: int) -> float:
        ways = [comb(bad, count) * comb(population - bad, sample - count) for count in range(differing + 1)]
        return sum(ways) / comb(population, sample)

    most = most_differing(population, sample, differing)
    assert seen(most) > 0.05
    assert most == population - sample + differing or seen(most + 1) <= 0.05


def test_numbers_that_do_not_fit() -> None:
    """More than there is, or fewer than none, is a mistake of the caller's."""
    for numbers in ((5, 6, 0), (5, 3, 4), (5, 3, -1)):
        with pytest.raises(ValueError, match="of"):
            most_differing(*numbers)
