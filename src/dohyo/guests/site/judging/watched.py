"""Matches of ladders that somebody watches while they are played: one at a time of each ladder, and only then.

A web server says that somebody watches by touching a file (`watch`); the judge lets the next match of that ladder be
written turn by turn (`Told`), and all others are played as ever. So a ladder that nobody watches costs nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from time import time
from typing import NamedTuple

import msgspec

from dohyo.executors.messages import Executor, MatchOrder, MatchReport

FRESH = 20.0  # seconds for which it counts that somebody watches
AGAIN = 5.0  # seconds after which a server says so again
GAP = 6.0  # seconds between two matches that are written: quick bots play many a second, and nobody could follow
MATCH = re.compile(r"ladder-([0-9]+)-match-([0-9]+)")


class OnAir(NamedTuple):
    """A match that is or was written: when something was written last, its number in its ladder, and its file."""

    at: float
    number: int
    path: Path
    file: int

    def is_same(self, other: OnAir | None) -> bool:
        """Whether the other one is the same match, not one of its number that was begun again."""
        return other is not None and (self.number, self.file) == (other.number, other.file)


def watch(live: Path, ladder: int) -> None:
    """Say that somebody watches a ladder at this moment."""
    with suppress(OSError):  # a full disk: then nothing is shown
        _mark(live, ladder).touch(mode=0o600)


def is_watched(live: Path, ladder: int) -> bool:
    """Whether somebody watches it."""
    try:
        return time() - _mark(live, ladder).stat().st_mtime < FRESH
    except OSError:
        return False


def on_air(live: Path, ladder: int) -> OnAir | None:
    """The match of a ladder that was begun last among those that were written; none if there is none."""
    found: list[OnAir] = []
    for path in live.glob(f"ladder-{ladder}-match-*"):
        named = MATCH.fullmatch(path.name)
        with suppress(OSError):
            if named is not None:
                status = path.stat()
                found.append(OnAir(status.st_mtime, int(named[2]), path, status.st_ino))
    return max(found) if found else None


def _mark(live: Path, ladder: int) -> Path:
    return live / f"ladder-{ladder}-watched"


class Told:
    """An executor whose matches of one ladder are written where somebody watches, one after the other."""

    def __init__(self, executor: Executor, live: Path, ladder: int) -> None:
        self._executor = executor
        self._live = live
        self._ladder = ladder
        self._key: str | None = None  # of the order that is written
        last = on_air(live, ladder)
        self._begun = 0.0 if last is None else last.at

    @property
    def workers(self) -> int:
        """How many matches are played at once."""
        return self._executor.workers

    def __enter__(self) -> Told:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def play(self, orders: Iterable[MatchOrder]) -> Iterator[MatchReport]:
        """Play the orders; their reports."""
        self._key = None
        for report in self._executor.play(map(self._told, orders)):
            if report.key == self._key:
                self._key = None
            yield report

    def close(self) -> None:
        """End whatever runs."""
        self._executor.close()

    def _told(self, order: MatchOrder) -> MatchOrder:
        if self._key is not None or order.referee is not None or not is_watched(self._live, self._ladder):
            return order
        if time() - self._begun < GAP:
            return order
        self._key, self._begun = order.key, time()
        path = self._live / f"ladder-{self._ladder}-match-{order.key}"
        for older in self._live.glob(f"ladder-{self._ladder}-match-*"):  # who still reads them has them open
            with suppress(OSError):
                older.unlink()
        return msgspec.structs.replace(order, told=str(path))
