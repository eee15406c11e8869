"""What a sample says of the whole: how many of all matches can differ when so many of a sample did."""

from __future__ import annotations

from math import comb

LEVEL = 0.95
PARTS = 1_000_000  # of 1, as probabilities are compared


def most_differing(population: int, sample: int, differing: int, level: float = LEVEL) -> int:
    """The upper end of a one-sided interval for how many of `population` matches differ.

    `differing` of `sample` matches differed, which were drawn without putting one back. It is the largest number with
    which so few are still seen with a probability of more than 1 - `level` (hypergeometric, exact). Raises
    `ValueError` for numbers that do not fit together.
    """
    if not 0 <= differing <= sample <= population:
        raise ValueError(f"{differing} of {sample} of {population}")
    if sample == 0:
        return population
    low, high = differing, population - (sample - differing)
    all_samples = comb(population, sample)
    while low < high:  # the probability falls as more differ
        middle = (low + high + 1) // 2
        seen = sum(comb(middle, count) * comb(population - middle, sample - count) for count in range(differing + 1))
        if seen * PARTS > all_samples * round((1 - level) * PARTS):  # whole numbers: no float holds them
            low = middle
        else:
            high = middle - 1
    return low
