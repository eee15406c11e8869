"""What a sample says of all matches."""

from __future__ import annotations

from math import comb

import pytest

from dohyo.guests.verify.again import most_differing


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


def test_every_small_case_against_whole_numbers() -> None:
    """What is summed in floats is what whole numbers give, ties included: 1 of 20 is not more than 5 of 100."""
    for population in (1, 2, 5, 12, 20, 40):
        for sample in range(1, population + 1):
            for differing in range(sample + 1):
                everything, fitting = comb(population, sample), []
                for bad in range(differing, population - sample + differing + 1):
                    seen = sum(
                        comb(bad, count) * comb(population - bad, sample - count) for count in range(differing + 1)
                    )
                    if 20 * seen > everything:
                        fitting.append(bad)
                assert most_differing(population, sample, differing) == max(fitting)


def test_half_of_a_long_contest() -> None:
    """Terms too small and too large for a float: near what the normal distribution says, and told at once."""
    population, sample = 1_000_000, 500_000
    for differing in (0, 1000, 250_000, 500_000):
        most = most_differing(population, sample, differing)
        share = most / population
        deviation = 1.645 * (share * (1 - share) / sample * (1 - sample / population)) ** 0.5
        assert abs(differing / sample - (share - deviation)) < 1e-5


def test_numbers_that_do_not_fit() -> None:
    """More than there is, or fewer than none, is a mistake of the caller's."""
    for numbers in ((5, 6, 0), (5, 3, 4), (5, 3, -1)):
        with pytest.raises(ValueError, match="of"):
            most_differing(*numbers)
