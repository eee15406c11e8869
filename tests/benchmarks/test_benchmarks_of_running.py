"""The benchmarks about many programs at once run, and say what they found in lines that are quoted elsewhere."""

from __future__ import annotations

import re
from pathlib import Path

from tests import skips
from tests.benchmarks.test_benchmarks import run


def test_matches_side_by_side_are_told(root: Path) -> None:
    """Matches a second for each number of workers, and what each is of one worker's."""
    skips.program("cc")
    done = run(root, "concurrency", "--rounds", "1", "--seconds", "0.01", "--setup", "turns=8")
    assert done.returncode == 0, done.stderr
    line = r"workers=\d+ matches/s=\d+\.\d \(rounds \d+\.\d \.\. \d+\.\d\)\n"
    assert re.search(rf"^({line})+(ratio_\d+=\d+\.\d\d\n)+$", done.stdout, re.MULTILINE), done.stdout
    assert "\nratio_2=" in done.stdout


def test_who_is_not_ready_under_load_is_told(root: Path) -> None:
    """A line a language, with all programs that were started and all turns that were asked, and the sum."""
    words = ("--mode", "cpu", "--matches", "1", "--load", "1", "--bot", "random.py")
    done = run(root, "ready_under_load", "drop-block", "abotcalypse", *words)
    assert done.returncode == 0, done.stderr
    line = r"cpu   python     started=8 not_ready=\d+ turns=\d+ late=\d+\nlate_cpu=\d+\n"
    assert re.search(rf"\n{line}$", done.stdout), done.stdout


def test_a_contest_that_is_stopped_has_no_false_verdicts(root: Path) -> None:
    """The whole tree of a contest in a pool is stopped and goes on: all results are there, once, and no fault."""
    words = ("--bots", "2", "--rounds", "2", "--stops", "2", "--seconds", "1.5", "--every", "1")
    done = run(root, "disturbed_contest", "--game", "wondev-woman", *words)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"^matches=4/4 open=0 seats=8\nstopped=\d .*\nfalse=0 .*\nwhole=True ", done.stdout), done.stdout
