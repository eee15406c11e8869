"""Seeds of a batch's matches that the caller names, one a slot."""

from __future__ import annotations

from typing import Any

MOST = (1 << 63) - 1


def of_slots(seed: Any, count: int) -> Any:
    """A seed a slot as an array (count,) of int64; none where a single number was given.

    Raises `ValueError` for another count or numbers outside 0 .. 2**63 - 1, `TypeError` for what is no whole number.
    """
    import numpy

    if hasattr(seed, "__index__") and not getattr(seed, "shape", ()):
        return None
    numbers = list(seed)
    if any(isinstance(one, bool) or not hasattr(one, "__index__") for one in numbers):
        raise TypeError("seeds are whole numbers")
    if len(numbers) != count:
        raise ValueError(f"a seed for each of the {count} games is wanted, or one for all, not {len(numbers)}")
    if any(not 0 <= one <= MOST for one in numbers):
        raise ValueError("seeds are from 0 to 2**63 - 1")
    return numpy.array([int(one) for one in numbers], numpy.int64)


def of_all(each: Any) -> int:
    """One seed that follows from a seed a slot."""
    import numpy

    words = numpy.concatenate([each & 0xFFFFFFFF, each >> 32]).astype(numpy.uint32)
    return int(numpy.random.SeedSequence(words.tolist()).generate_state(1, numpy.uint64)[0]) & MOST


def none_given(count: int) -> Any:
    """What a batch remembers of seeds where none were given, (count, 2) int64; see `given`."""
    import numpy

    found = numpy.zeros((count, 2), numpy.int64)
    found[:, 1] = -1
    return found


def given(each: Any) -> Any:
    """What a batch remembers of a seed a slot, (n, 2) int64: the seed, and which game of the slot has it."""
    import numpy

    return numpy.stack([each, numpy.zeros(len(each), numpy.int64)], 1)
