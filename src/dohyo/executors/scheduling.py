"""How matches are divided among workers: which orders travel together, and which cores each worker runs on."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, pairwise
from typing import Self

from dohyo.executors.messages import MatchOrder, MatchReport
from dohyo.i18n import ENGLISH

SECONDS = 1.0
MOST = 200  # orders: a lost worker's are played again
WEIGHT = 0.2  # of the newest match in the running mean
SPREAD = 2  # chunks for each worker at the end of a batch, so that nobody waits for the last one long
MAX_DEATHS = 3  # of workers by one match
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


class Pending:
    """An order that has not been reported, and how many workers it has killed."""

    def __init__(self, order: MatchOrder) -> None:
        self.order = order
        self.deaths = 0

    def given_up(self, worker: str = "") -> MatchReport:
        """The report of an order that has killed too many workers, the last one of this name."""
        error = ENGLISH.say("match-kills-workers", times=self.deaths)
        return MatchReport(self.order.key, error=error, worker=worker, attempts=self.deaths)


class Dealer:
    """An executor with several workers: it takes orders from the caller as they need them, and deals them in chunks.

    A subclass says how they are played (`_play`), and how whatever runs is ended (`close`).
    """

    def __init__(self, workers: int) -> None:
        self._chunks = ChunkSizer(workers)
        self._playing: Iterator[MatchReport] | None = None
        self._orders: Iterator[MatchOrder] = iter(())
        self._waiting: deque[Pending] = deque()  # orders that no worker has
        self._are_all = True  # whether `_waiting` holds all that are left

    @property
    def workers(self) -> int:
        """Matches at once."""
        return self._chunks.workers

    def play(self, orders: Iterable[MatchOrder]) -> Iterator[MatchReport]:
        """Play all orders; their reports."""
        self._stop_playing()
        self._orders, self._are_all = iter(orders), False
        self._playing = self._play()
        return self._playing

    def _play(self) -> Iterator[MatchReport]:
        raise NotImplementedError

    def _fetch(self) -> int:
        """Take orders from the caller, a few chunks ahead, so that the end is seen before it is there.

        Returns the size of the next chunk.
        """
        wanted = 2 * self.workers * self._chunks.size() - len(self._waiting)
        if wanted > 0 and not self._are_all:
            fetched = [Pending(order) for order in islice(self._orders, wanted)]
            self._waiting += fetched
            self._are_all = len(fetched) < wanted
        return self._chunks.size(len(self._waiting) if self._are_all else None)

    def _deal(self, size: int) -> list[Pending]:
        """The next orders, at most so many."""
        return [self._waiting.popleft() for _ in range(min(size, len(self._waiting)))]

    def _stop_playing(self) -> None:
        """Give up what is still being played."""
        if self._playing is not None:
            self._playing.close()  # type: ignore[attr-defined]
            self._playing = None

    def close(self) -> None:
        """End whatever runs."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


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
