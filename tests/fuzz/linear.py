"""Whether a reader's time grows in proportion to what it reads, told by a ratio and not by any machine's speed."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

Given = TypeVar("Given")

STEP = 8  # the larger input has so many times the size of the smaller
MOST = 3 * STEP  # times as long: a reader in proportion takes 8, one that is quadratic 64
ENOUGH = 0.05  # seconds of processor time above which a ratio can be told from noise
TRIES = 3


def seconds(read: Callable[[Given], object], given: Given) -> float:
    """The processor time that reading takes."""
    began = time.process_time()
    read(given)
    return time.process_time() - began


def growth(read: Callable[[Given], object], made: Callable[[int], Given], largest: int) -> float:
    """How many times as long it takes to read `made(STEP * n)` as `made(n)`; 0 where `made(largest)` takes no time.

    `n` is found by doubling, so that also what is cubic ends. Each time is the least of several.
    """
    count = STEP
    while seconds(read, made(count)) < ENOUGH:
        count *= 2
        if count > largest:
            return 0
    small, large = made(count // STEP), made(count)
    return min(seconds(read, large) for _ in range(TRIES)) / min(seconds(read, small) for _ in range(TRIES))
