"""`python -m tests.series.store.dying ACT WHERE FILES STEP`: do ACT over and over, killed at each of its statements.

A child counts what it sends to the database, and kills itself before number N; N grows by STEP, until a child comes
to its end. Prints how many died. Each child begins by looking that its forerunner left all or nothing.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from sqlalchemy import Engine, event

from dohyo.series.store import Store, open_store
from tests.series.store.played import begun, duels, result

PATIENCE = 300  # seconds: no test waits so long, unless something hangs


def deaths(root: Path, act: str, where: str, files: Path, step: int) -> int:
    """How many processes died while they tried `act`, one statement (or `step`) further each."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.series.store.dying", act, where, str(files), str(step)],
        cwd=root,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return int(done.stdout)


def die_at(number: int) -> None:
    """Kill this process before the statement of that number from here on; to commit counts as one."""
    left = [number]

    def count(*_: object) -> None:
        left[0] -= 1
        if left[0] == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    event.listen(Engine, "before_cursor_execute", count)
    event.listen(Engine, "commit", count)


def opened(where: str, files: str) -> Store:
    """The store."""
    return open_store(where, create=True, files=Path(files), patience=20.0)


def opens(where: str, files: str, number: int) -> None:
    """Open a store that is not there yet."""
    die_at(number)
    opened(where, files).close()


def records(where: str, files: str, number: int) -> None:
    """Insert all results of a contest at once."""
    with opened(where, files) as store:
        contest = begun(store)
        store.schedule(contest.id, duels())
        assert list(store.played(contest.id)) == []
        assert store.tallies(contest.id) == store.pairs(contest.id) == []
        assert sum(progress.played for progress in store.progress(contest.id)) == 0
        with store.lease(contest.id):
            kept = [(store.files.put(b"%d" % match.number),) for match in duels()]
            die_at(number)
            store.record(contest.id, [result(match, kept=k) for match, k in zip(duels(), kept, strict=True)])
            os._exit(0)  # what comes now is no part of it


def schedules(where: str, files: str, number: int) -> None:
    """Write down the schedule of a contest."""
    with opened(where, files) as store:
        contest = begun(store)
        assert list(store.scheduled(contest.id)) == []
        assert store.progress(contest.id) == []
        die_at(number)
        store.schedule(contest.id, duels())
        os._exit(0)


ACTS: dict[str, Callable[[str, str, int], None]] = {"opens": opens, "records": records, "schedules": schedules}


def main(act: str, where: str, files: str, step: str) -> None:
    """Let children die until one comes to its end; a child that ends in any other way ends this too."""
    dead = 0
    while True:
        child = os.fork()
        if child == 0:
            ACTS[act](where, files, 1 + dead * int(step))
            os._exit(0)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if status != -signal.SIGKILL:
            break
        dead += 1
    print(dead)
    sys.exit(status)


if __name__ == "__main__":
    main(*sys.argv[1:])
