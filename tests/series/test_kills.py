"""Exactly once: a contest that is killed anywhere ends as one that never was."""

from __future__ import annotations

import os
import random
import select
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import processes
from tests.series.contests import BATCHES, FORMATS, POINTS, Course, asked, course, opened, play

PATIENCE = 120.0  # seconds: no test waits so long, unless something hangs
MARK = "DOHYO_TEST_CONTEST"

Undisturbed = Callable[[str], Course]


def start(root: Path, store: Path, folder: Path, format_: str, *point: str) -> subprocess.Popen[str]:
    """Hold the contest, or go on with it, in a process of its own."""
    words = [sys.executable, "-m", "tests.series.contests", str(store), str(folder), format_, *point]
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


@pytest.mark.parametrize("format_", ["swiss"], indirect=True)
def test_a_contest_killed_at_random_moments(
    root: Path, folder: Path, store: Path, format_: str, undisturbed: Undisturbed, full: bool
) -> None:
    """Killed again and again at random moments, every match is counted once, and the end is the same."""
    whole = undisturbed(format_)
    lots = random.Random(5)
    kills = most = 100 if full else 3
    wanted = asked(store, folder, format_)
    while kills:
        process = start(root, store, folder, format_)
        assert process.stdout is not None
        # A few results further each time, and then some thousandths of a second: anywhere in a match, or between.
        for _ in range(lots.randrange(1 + max(1, 2 * len(whole.matches) // most))):
            process.stdout.readline()
        select.select([], [], [], lots.uniform(0, 0.3))
        process.send_signal(signal.SIGKILL)
        killed = finish(process) == -signal.SIGKILL
        kills -= 1
        await_nobody(store)
        if not killed:
            store.unlink()  # it was faster: a new one
    play(wanted)
    assert course(wanted) == whole


@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize("format_", ["ladder"], indirect=True)
def test_a_contest_killed_at_a_named_point(
    root: Path, folder: Path, store: Path, format_: str, undisturbed: Undisturbed, point: str
) -> None:
    """Killed between any two steps of which one must not happen without the other, it goes on to the same end."""
    number = "1" if point == "before-entering" else "2"
    assert finish(start(root, store, folder, format_, point, number)) == -signal.SIGKILL
    await_nobody(store)
    wanted = asked(store, folder, format_)
    play(wanted)
    assert course(wanted) == undisturbed(format_)


def test_the_formats_are_played_to_their_end(undisturbed: Undisturbed, format_: str) -> None:
    """The contests of these tests have matches enough to be stopped in, and results that differ."""
    whole = undisturbed(format_)
    batches = {match.batch for match, *_ in whole.matches}
    assert len(batches) == {"ladder": BATCHES, "swiss": FORMATS["swiss"]["rounds"]}.get(format_, 1)
    assert len(whole.matches) >= (12 if format_ != "round-robin" else 5)
    assert len({row[2] for row in whole.standings}) > 2


def test_two_runs_on_one_store(root: Path, folder: Path, store: Path) -> None:
    """Of two runs of one contest the second is refused with a sentence, and the first is not disturbed."""
    from dohyo.core.errors import OperatorError

    wanted = asked(store, folder)
    with opened(wanted), pytest.raises(OperatorError, match="is being run by another process"):
        opened(wanted)
    play(wanted)
