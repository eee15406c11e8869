"""A contest that goes on for long keeps what it holds: objects, file handles, temporary folders.

`benchmarks/long_contest.py` measures the same over 100,000 matches, with memory and speed.
"""

from __future__ import annotations

import gc
import os
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from dohyo.executors.messages import MatchOrder, MatchReport
from dohyo.executors.pool import Pool
from dohyo.series.formats import scheduled
from dohyo.series.results import Publisher
from dohyo.system.proc import IS_LINUX
from tests.series.contests import ContestListener, asked, opened, write_bot

BATCH, BATCHES, SETTLED = 100, 6, 2  # made-up matches; objects are counted after so many batches, and at the end
PLAYED, WARM = 60, 20
A_MATCH = 0.5  # objects that one more match may leave; whatever is kept of each match is at least one


class MadeUp:
    """An executor whose matches take no time, of an odd seat's luck."""

    workers = 1

    def play(self, orders: Iterable[MatchOrder]) -> Iterator[MatchReport]:
        """A report for each order."""
        for at, order in enumerate(orders):
            first = at % 3 % 2 + 1
            yield MatchReport(order.key, b"%d" % at, places=(first, 3 - first, 3, 4), longest=(0.1,) * 4, seconds=0.1)

    def close(self) -> None:
        """Nothing runs."""

    def __enter__(self) -> MadeUp:
        return self

    def __exit__(self, *_: object) -> None:
        pass


class Quiet(ContestListener):
    """Looks after some results, and keeps nothing of them."""

    def on_result(self, result: object) -> None:
        """Count it, and look."""
        self.count = getattr(self, "count", 0) + 1
        self._after(self.count)


def four(folder: Path) -> list[tuple[str, str]]:
    """Four bots that never move."""
    return [("", write_bot(folder / name)) for name in ("a", "b", "c", "d")]


def test_no_object_stays_of_a_match(store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of hundreds of matches more, with ratings after each batch, hardly an object is left in this process."""
    monkeypatch.setattr(scheduled, "BATCH", BATCH)
    found: list[Counter[type]] = []

    class Counts(Quiet):
        def on_batch_over(self, batch: int) -> None:
            """Count what there is."""
            gc.collect()
            found.append(Counter(map(type, gc.get_objects())))

    wanted = asked(store, tmp_path, bots=four(tmp_path), rounds=BATCH * BATCHES // 4)
    with opened(wanted) as contest:
        loop = contest.loop
        publisher = Publisher(contest.store, contest.contest, lambda: loop.format, loop.roster, Counts())
        assert loop.run(MadeUp(), publisher)
    early, late = found[SETTLED - 1], found[-1]
    assert len(found) == BATCHES
    grown = sum(late.values()) - sum(early.values())
    assert grown < A_MATCH * BATCH * (BATCHES - SETTLED), (late - early).most_common(5)


@pytest.mark.skipif(not IS_LINUX, reason="handles are counted in /proc")
def test_handles_and_folders_of_a_pool(store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After sixty matches of real programs there are no more handles or temporary folders than after twenty."""
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    monkeypatch.setenv("TMPDIR", str(temporary))
    found: list[tuple[int, int]] = []

    def look(number: int) -> None:
        found.append((len(os.listdir("/proc/self/fd")), len(list(temporary.iterdir()))))

    setup = {"turns": 0}
    wanted = asked(store, tmp_path, bots=four(tmp_path), rounds=PLAYED // 4, setup=setup)
    with opened(wanted) as contest, Pool(1) as pool:
        assert contest.loop.run(pool, Quiet(look))
    assert len(found) == PLAYED
    early, late = found[WARM // 2 : WARM], found[-WARM // 2 :]
    assert max(late)[0] <= max(early)[0]
    assert max(folders for _, folders in late) <= max(folders for _, folders in early)
    assert list(temporary.iterdir()) == []
