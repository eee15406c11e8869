"""How matches are divided among workers: how many orders travel together, and which cores each worker runs on."""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import pairwise

SECONDS = 1.0
MOST = 200  # orders: a lost worker's are played again
WEIGHT = 0.2  # of the newest match in the running mean
SPREAD = 2  # chunks for each worker at the end of a batch, so that nobody waits for the last one long
SIBLINGS = "/sys/devices/system/cpu/cpu{core}/topology/thread_siblings_list"


class ChunkSizer:
    """The size of the next chunk, from the length of earlier matches; the first chunks are of one match each.

    `workers` may change while matches are played.
    """

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._mean = 0.0  # seconds per match; 0 before the first

    def took(self, seconds: float) -> None:
        """Take note of how long a match took."""
        self._mean = seconds if not self._mean else self._mean + WEIGHT * (seconds - self._mean)

    def size(self, left: int | None = None) -> int:
        """The size of the next chunk, at least one; `left` is the number of orders left (none: not known)."""
        wanted = min(MOST, int(SECONDS / self._mean)) if self._mean else 1
        if left is not None:
            wanted = min(wanted, -(-left // (SPREAD * self.workers)))
        return max(1, wanted)


def core_shares(cores: Sequence[int], workers: int) -> list[list[int]]:
    """The cores of each worker: disjoint runs of `cores`, as equal as possible; in turn where there are few cores."""
    if workers >= len(cores):
        return [[cores[worker % len(cores)]] for worker in range(workers)]
    bounds = [worker * len(cores) // workers for worker in range(workers + 1)]
    return [list(cores[start:end]) for start, end in pairwise(bounds)]


def by_physical_core(cores: Sequence[int]) -> list[int]:
    """Cores in an order in which two threads of the same physical core are neighbours."""
    return sorted(cores, key=lambda core: (_first_sibling(core), core))


def _first_sibling(core: int) -> int:
    try:
        with open(SIBLINGS.format(core=core)) as file:
            return int(file.read().split(",")[0].split("-")[0])
    except (OSError, ValueError):
        return core


def pin_to(cores: Sequence[int]) -> None:
    """Run on these cores alone; programs started from now on do the same, if the system can do that."""
    if cores and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, cores)
