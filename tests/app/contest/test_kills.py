"""Exactly once: a contest that is killed anywhere ends as one that never was."""

from __future__ import annotations

import os
import random
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests import processes
from tests.app.contest.contests import BATCHES, FORMATS, POINTS, Course, asked, course, opened, play

PATIENCE = 120.0  # seconds: no test waits so long, unless something hangs
MARK = "DOHYO_TEST_CONTEST"


def start(root: Path, store: Path, folder: Path, format_: str, *point: str) -> subprocess.Popen[str]:
    """Hold the contest, or go on with it, in a process of its own."""
    words = [sys.executable, "-m", "tests.app.contest.contests", str(store), str(folder), format_, *point]
    environment = {**os.environ, "PYTHONPATH": str(root / "src"), MARK: str(store)}
    return subprocess.Popen(words, cwd=root, env=environment, stdout=subprocess.PIPE, text=True)


def finish(process: subprocess.Popen[str]) -> int:
    """Wait for its end; its exit status."""
    process.communicate(timeout=PATIENCE)
    return process.returncode


def await_nobody(store: Path) -> None:
    """Wait until workers and bots of a process that was killed are gone: the kernel ends them."""
    while left := processes.marked(MARK, str(store)):
        for pid in left:
            try:
                descriptor = os.pidfd_open(pid)
            except ProcessLookupError:
                continue
            assert select.select([descriptor], [], [], PATIENCE)[0], "a process outlives its contest"
            os.close(descriptor)


@pytest.fixture(params=["round-robin", "swiss", "ladder"])
def format_(request: pytest.FixtureRequest) -> str:
    """A format that settles everything beforehand, one that looks at results, and one without an end."""
    return str(request.param)


@pytest.fixture(scope="module")
def courses() -> dict[str, Course]:
    """What came of contests that nobody disturbed, by format."""
    return {}


@pytest.fixture
def undisturbed(folder: Path, tmp_path: Path, format_: str, courses: dict[str, Course]) -> Course:
    """What comes of the contest when nobody disturbs it."""
    if format_ not in courses:
        wanted = asked(tmp_path / "undisturbed.db", folder, format_)
        play(wanted)
        courses[format_] = course(wanted)
    return courses[format_]


@pytest.mark.parametrize("format_", ["swiss"], indirect=True)
def test_a_contest_killed_at_random_moments(
    root: Path, folder: Path, store: Path, format_: str, undisturbed: Course, full: bool
) -> None:
    """Killed again and again at random moments, every match is counted once, and the end is the same."""
    lots = random.Random(5)
    kills = most = 100 if full else 10
    wanted = asked(store, folder, format_)
    whole = len(undisturbed.matches)
    while kills:
        process = start(root, store, folder, format_)
        assert process.stdout is not None
        # A few results further each time, and then some thousandths of a second: anywhere in a match, or between.
        for _ in range(lots.randrange(1 + max(1, 2 * whole // most))):
            process.stdout.readline()
        select.select([], [], [], lots.uniform(0, 0.3))
        process.send_signal(signal.SIGKILL)
        killed = finish(process) == -signal.SIGKILL
        kills -= 1
        await_nobody(store)
        if not killed:
            store.unlink()  # it was faster: a new one
    assert finish(start(root, store, folder, format_)) == 0
    assert course(wanted) == undisturbed


@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize("format_", ["ladder"], indirect=True)
def test_a_contest_killed_at_a_named_point(
    root: Path, folder: Path, store: Path, format_: str, undisturbed: Course, point: str
) -> None:
    """Killed between any two steps of which one must not happen without the other, it goes on to the same end."""
    number = "1" if point == "before-entering" else "2"
    assert finish(start(root, store, folder, format_, point, number)) == -signal.SIGKILL
    await_nobody(store)
    wanted = asked(store, folder, format_)
    play(wanted)
    assert course(wanted) == undisturbed


def test_the_formats_are_played_to_their_end(folder: Path, undisturbed: Course, format_: str) -> None:
    """The contests of these tests have matches enough to be stopped in, and results that differ."""
    batches = {match.batch for match, *_ in undisturbed.matches}
    assert len(batches) == {"ladder": BATCHES, "swiss": FORMATS["swiss"]["rounds"]}.get(format_, 1)
    assert len(undisturbed.matches) >= 16
    assert len({row[2] for row in undisturbed.standings}) > 2


def test_two_runs_on_one_store(root: Path, folder: Path, store: Path) -> None:
    """Of two runs of one contest the second is refused with a sentence, and the first is not disturbed."""
    from dohyo.core.errors import OperatorError

    wanted = asked(store, folder)
    with opened(wanted), pytest.raises(OperatorError, match="is being run by another process"):
        opened(wanted)
    play(wanted)
