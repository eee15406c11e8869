"""One writer a contest: refused while there is one, free when it is gone, unmasked when it lost its place."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from dohyo.core.errors import OperatorError
from dohyo.series.store import Store, open_store, tables
from tests.series.store.conftest import Open
from tests.series.store.played import AT, begun, duels, result

HOLDS = """
import os, sys
from pathlib import Path
from dohyo.series.store import open_store
store = open_store(sys.argv[1], files=Path(sys.argv[2]))
store.lease(store.contest().id)
if len(sys.argv) > 3 and os.fork():
    os.kill(os.getpid(), 9)
print("holds", flush=True)
sys.stdin.read()
"""


def refused(store: Store) -> OperatorError:
    """What is said when the contest's lease cannot be had."""
    with pytest.raises(OperatorError) as caught:
        store.lease(store.contest().id)
    return caught.value


def test_two_runs_of_one_contest_refuse_each_other(opened: Open) -> None:
    """While one has the contest, another one is told so with its name; another contest is free, and so is looking."""
    one, other = opened(), opened()
    contest, second = begun(one), begun(one, "summer")
    lease = one.lease(contest.id)
    with pytest.raises(OperatorError) as caught:
        other.lease(contest.id)
    assert caught.value.key == "contest-runs"
    assert "'spring'" in str(caught.value)
    other.lease(second.id)
    assert other.unplayed(contest.id) == []
    other.enter(contest.id, other.entrants(contest.id), AT)
    lease.close()
    one.database.close()  # its next connection is a new one, which must not bring the lease back
    one.set_state(contest.id, "stopped")
    other.lease(contest.id)


def test_a_lease_ends_with_its_process(where: str, opened: Open, tmp_path: Path) -> None:
    """Another process's lease is respected, and gone as soon as that is killed."""
    store = opened()
    contest = begun(store)
    command = [sys.executable, "-c", HOLDS, where, str(tmp_path / "files")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "holds\n"
        assert refused(store).key == "contest-runs"
        process.send_signal(signal.SIGKILL)
        process.wait()
    while not free(store, contest.id):  # PostgreSQL needs a moment to notice that its client is dead
        os.sched_yield()


def free(store: Store, contest: int) -> bool:
    """Whether the contest's lease can be had."""
    try:
        store.lease(contest).close()
    except OperatorError:
        return False
    return True


def test_what_a_dead_run_forked_holds_nothing(tmp_path: Path) -> None:
    """A process that a killed run left behind does not keep a contest in SQLite: the lock was its parent's alone."""
    where, files = tmp_path / "results.db", tmp_path / "files"
    with open_store(str(where), create=True, files=files) as store:
        contest = begun(store)
        command = [sys.executable, "-c", HOLDS, str(where), str(files), "forks"]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "holds\n"
            process.wait()
            assert free(store, contest.id)


def test_who_lost_the_contest_writes_nothing(opened: Open) -> None:
    """Whoever held the contest before another took it over is stopped at the next write, whatever it believes."""
    one, other = opened(), opened()
    contest = begun(one)
    one.schedule(contest.id, duels())
    one.lease(contest.id)
    # What happens when a cut network lets the server forget the lock: another process gets the contest.
    other.database.write(lambda connection: connection.execute(tables.contests.update().values(lease=99)))
    with pytest.raises(OperatorError) as caught:
        one.record(contest.id, [result(duels()[0])])
    assert caught.value.key == "contest-taken-over"
    assert list(other.played(contest.id)) == []
