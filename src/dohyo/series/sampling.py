"""What a sample says of the whole: how many of all matches can differ when so many of a sample did."""

from __future__ import annotations

from math import inf, lgamma, log

LEVEL = 0.95
NEARLY = 1e-8  # of a probability's logarithm: what sums of floats may be off, far more than they are
NOTHING = 1e-18  # of a sum: smaller terms do not change it


def most_differing(population: int, sample: int, differing: int, level: float = LEVEL) -> int:
    """The upper end of a one-sided interval for how many of `population` matches differ.

    `differing` of `sample` matches differed, which were drawn without putting one back. It is the largest number with
    which so few are still seen with a probability of more than 1 - `level` (hypergeometric). Takes a few milliseconds
    for a sample of hundreds, less than a second for one of hundreds of thousands. Raises `ValueError` for numbers
    that do not fit together.
    """
    if not 0 <= differing <= sample <= population:
        raise ValueError(f"{differing} of {sample} of {population}")
    if sample == 0:
        return population
    low, high = differing, population - (sample - differing)
    least = log(1 - level) + NEARLY
    while low < high:  # the probability falls as more differ
        middle = (low + high + 1) // 2
        if _log_of_at_most(differing, population, middle, sample) > least:
            low = middle
        else:
            high = middle - 1
    return low


def _log_of_at_most(differing: int, population: int, bad: int, sample: int) -> float:
    """The logarithm of the probability that at most `differing` of a sample are bad, of which there are `bad`.

    Terms are summed downwards from the last one, each as a multiple of that, so no sum is too small for a float.
    """
    good = population - bad
    count = min(differing, bad, sample)
    first = _log_comb(bad, count) + _log_comb(good, sample - count) - _log_comb(population, sample)
    term = total = 1.0
    while count > max(0, sample - good):
        before, term = term, term * count * (good - sample + count) / ((bad - count + 1) * (sample - count + 1))
        total += term
        count -= 1
        if total == inf or (term < before and term < NOTHING * total):
            break
    return first + log(total)


def _log_comb(whole: int, part: int) -> float:
    return lgamma(whole + 1) - lgamma(part + 1) - lgamma(whole - part + 1)
