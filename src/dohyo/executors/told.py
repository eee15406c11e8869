"""Matches of a series that somebody watches while they are played: a few at a time, and only then.

Who watches says so by a file (`watch`), and may name in it the matches that he would like to see. Who plays the
series lets such a match be written turn by turn (`Told`), and all others are played as ever. So a series that nobody
watches costs nothing. A series is known by a word: `ladder-3`, `contest-1`.
"""

from __future__ import annotations

import os
import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from threading import get_native_id
from time import time
from typing import NamedTuple

import msgspec

from dohyo.executors.messages import Executor, MatchOrder, MatchReport
from dohyo.system.plain_files import open_plain

FRESH = 20.0  # seconds for which it counts that somebody watches
AGAIN = 5.0  # seconds after which it is said again
GAP = 6.0  # seconds between two matches that are written, at least
MATCH = re.compile(r"[a-z]+-[0-9]+-match-([0-9]{1,18})")
MAX_WISHES = 64
MAX_BYTES = 20 * MAX_WISHES  # of the file that says so


class OnAir(NamedTuple):
    """A match that is or was written: when something was written last, its number in its series, and its file."""

    at: float
    number: int
    path: Path
    file: int

    def is_same(self, other: OnAir | None) -> bool:
        """Whether the other one is the same match, not one of its number that was begun again."""
        return other is not None and (self.number, self.file) == (other.number, other.file)


def watch(live: Path, series: str, wishes: Sequence[int] = ()) -> None:
    """Say that somebody watches a series at this moment, and which matches he would like to see, by their numbers.

    Who has no wishes leaves those of others as they are. It is a new file each time, which relays know by that.
    """
    mark = _mark(live, series)
    beside = mark.with_name(f".{mark.name}-{os.getpid()}-{get_native_id()}")
    content = "".join(f"{number}\n" for number in wishes[:MAX_WISHES]).encode() or _content(mark)
    with suppress(OSError):  # a full disk: then nothing is shown
        beside.touch(mode=0o600)
        beside.write_bytes(content)
        os.replace(beside, mark)


def is_watched(live: Path, series: str) -> bool:
    """Whether somebody watches it."""
    try:
        return time() - _mark(live, series).stat().st_mtime < FRESH
    except OSError:
        return False


def wishes(live: Path, series: str) -> frozenset[str]:
    """The keys of the matches that whoever watches would like to see; none if he takes any."""
    words = _content(_mark(live, series)).split()
    return frozenset(word.decode() for word in words[:MAX_WISHES] if word.isdigit())


def on_air(live: Path, series: str) -> OnAir | None:
    """The match of a series that was begun last among those that were written; none if there is none."""
    return max(all_on_air(live, series), default=None)


def all_on_air(live: Path, series: str) -> list[OnAir]:
    """The matches of a series that are or were written, and are still there."""
    found: list[OnAir] = []
    with suppress(OSError):
        for path in live.glob(f"{series}-match-*"):
            named = MATCH.fullmatch(path.name)
            with suppress(OSError):
                if named is not None:
                    status = path.stat()
                    found.append(OnAir(status.st_mtime, int(named[1]), path, status.st_ino))
    return found


def _content(mark: Path) -> bytes:
    try:
        with open_plain(mark, follow=False) as file:
            return file.read(MAX_BYTES)
    except OSError:
        return b""


def _mark(live: Path, series: str) -> Path:
    return live / f"{series}-watched"


class Told:
    """An executor whose matches of one series are written where somebody watches: `at_once` at the same time.

    One is written some time after the last: a match that goes turn by turn takes longer, and quick bots play many a
    second. It is one that somebody has named, or any other one where none of these comes for as long again.
    """

    def __init__(self, executor: Executor, live: Path, series: str, at_once: int = 1) -> None:
        self._executor = executor
        self._live = live
        self._series = series
        self._at_once = at_once
        self._keys: set[str] = set()  # of the orders that are written
        self._written: deque[Path] = deque(maxlen=at_once + 1)  # the last ones: others are removed already
        last = on_air(live, series)
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
        self._keys.clear()
        reports = self._executor.play(map(self._told, orders))
        try:
            for report in reports:
                self._keys.discard(report.key)
                yield report
        finally:
            close = getattr(reports, "close", None)
            if close is not None:
                close()

    def close(self) -> None:
        """End whatever runs; nobody begins to read what was written."""
        self._executor.close()
        for path in self._written:
            _remove(path)
        self._written.clear()

    def _told(self, order: MatchOrder) -> MatchOrder:
        if len(self._keys) >= self._at_once or order.referee is not None or not is_watched(self._live, self._series):
            return order
        since, wished = time() - self._begun, wishes(self._live, self._series)
        if since < GAP or (since < 2 * GAP and wished and order.key not in wished):
            return order
        self._keys.add(order.key)
        self._begun = time()
        path = self._live / f"{self._series}-match-{order.key}"
        older = sorted(all_on_air(self._live, self._series))
        for each in older[: len(older) - self._at_once + 1]:
            _remove(each.path)
        self._written.append(path)
        return msgspec.structs.replace(order, told=str(path))


def _remove(path: Path) -> None:
    """Remove the file of a match; who still reads it has it open."""
    with suppress(OSError):
        path.unlink()
