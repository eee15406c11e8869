"""A contest on a cluster whose scheduler is killed in the middle, and which goes on with another one."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from dohyo.app.executors.choice import executor_for
from dohyo.app.executors.cluster_keys import ClusterAccess
from dohyo.core.errors import OperatorError
from tests.app.contest.contests import Onlooker, asked, course, opened, play
from tests.app.test_executors_cluster import started


def hold(store: Path, folder: Path, access: ClusterAccess, after: Callable[[int], None]) -> int:
    """Hold the contest on a cluster, or go on with it; how many results were stored."""
    onlooker = Onlooker(after)
    with opened(asked(store, folder, rounds=2, setup={"turns": 12})) as contest:
        with executor_for(None, access, contest.loop.field.archive_of) as executor:
            contest.loop.run(executor, onlooker)
        return len(onlooker.results)


def test_a_contest_goes_on_after_its_scheduler_was_killed(folder: Path, store: Path, tmp_path: Path) -> None:
    """It stops with a sentence; run again, every match is counted once, and all is as if nothing had happened."""
    undisturbed = asked(tmp_path / "undisturbed.db", folder, rounds=2, setup={"turns": 12})
    play(undisturbed)
    seen = []
    with started(tmp_path / "first", "local", "--workers", "1", "--port", "0") as first:

        def kill(number: int) -> None:
            seen.append(number)
            if number == 1:
                os.kill(first.processes("scheduler")[0], signal.SIGKILL)

        with pytest.raises(OperatorError) as lost:
            hold(store, folder, first.access, kill)
        assert lost.value.key == "cluster-lost"
        assert first.end(0)[0] == 2
    with started(tmp_path / "second", "local", "--workers", "2", "--port", "0") as second:
        rest = hold(store, folder, second.access, lambda number: None)
        assert second.end()[0] == 130
    assert seen
    found = course(asked(store, folder, rounds=2, setup={"turns": 12}))
    assert 0 < rest == len(found.matches) - len(seen)
    assert found == course(undisturbed)
