"""Which cores each worker gets, so that matches side by side do not take each other's time."""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import pairwise

SIBLINGS = "/sys/devices/system/cpu/cpu{core}/topology/thread_siblings_list"


def shares(cores: Sequence[int], workers: int) -> list[list[int]]:
    """The cores of each worker: disjoint runs of `cores` as equal as can be; one each in turn where they are few."""
    if workers >= len(cores):
        return [[cores[worker % len(cores)]] for worker in range(workers)]
    bounds = [worker * len(cores) // workers for worker in range(workers + 1)]
    return [list(cores[start:end]) for start, end in pairwise(bounds)]


def by_neighbourhood(cores: Sequence[int]) -> list[int]:
    """Cores in an order in which those that are one core in truth (two threads of it) stand beside each other."""
    return sorted(cores, key=lambda core: (_first_sibling(core), core))


def _first_sibling(core: int) -> int:
    try:
        with open(SIBLINGS.format(core=core)) as file:
            return int(file.read().split(",")[0].split("-")[0])
    except (OSError, ValueError):
        return core


def stay_on(cores: Sequence[int]) -> None:
    """Run on these cores alone, and so do all programs that are started from now on, where the system can do that."""
    if cores and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, cores)
