"""A contest on a cluster whose scheduler is killed in the middle, and which goes on with another one."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from dohyo.core.errors import OperatorError
from dohyo.executors.choice import executor_for
from dohyo.guests.cluster.keys import ClusterAccess
from tests.guests.cluster.clusters import ONE_WORKER, Started, local, place_of, started
from tests.series.contests import ContestListener, asked, course, opened, play

__all__ = ["local"]

pytestmark = ONE_WORKER


def hold(store: Path, folder: Path, access: ClusterAccess, after: Callable[[int], None]) -> int:
    """Hold the contest on a cluster, or go on with it; how many results were stored."""
    onlooker = ContestListener(after)
    with opened(asked(store, folder, rounds=2, setup={"turns": 12})) as contest:
        with executor_for(None, place_of(access), contest.loop.roster.archive_of) as executor:
            contest.loop.run(executor, onlooker)
        return len(onlooker.results)


def test_a_contest_goes_on_after_its_scheduler_was_killed(
    folder: Path, store: Path, tmp_path: Path, local: Started
) -> None:
    """It stops with a sentence, and so does all of the cluster; run again, every match is counted once.

    All is then as if nothing had happened.
    """
    undisturbed = asked(tmp_path / "undisturbed.db", folder, rounds=2, setup={"turns": 12})
    play(undisturbed)
    view = []
    with started(tmp_path / "first", "local", "--workers", "1", "--port", "0") as first:

        def kill(number: int) -> None:
            view.append(number)
            if number == 1:
                os.kill(first.processes("scheduler")[0], signal.SIGKILL)

        with pytest.raises(OperatorError) as lost:
            hold(store, folder, first.access, kill)
        assert lost.value.key == "cluster-lost"
        status, said = first.end(0)
    assert status == 2
    assert "scheduler ended" in said
    rest = hold(store, folder, local.access, lambda number: None)
    assert view
    found = course(asked(store, folder, rounds=2, setup={"turns": 12}))
    assert 0 < rest == len(found.matches) - len(view)
    assert found == course(undisturbed)
