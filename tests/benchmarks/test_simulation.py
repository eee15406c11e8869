"""The benchmark of games in arrays, as far as it can be held without looking at the time."""

from __future__ import annotations

import re
from pathlib import Path

from tests import skips
from tests.benchmarks.test_benchmarks import run


def test_c_plays_the_same_games(root: Path, full: bool) -> None:
    """Every game by hand in C ends in the same states as the batch, or the benchmark fails; its ratios are told."""
    skips.program("cc")
    size = () if full else ("--beside", "200")
    done = run(root, "simulation", "--only", "c,lanes,threads", "--rounds", "1", "--seconds", "0.05", *size)
    assert done.returncode == 0, done.stderr
    assert len(set(re.findall(r"(?m)^c_ratio ([a-z-]+)=\d+\.\d\d$", done.stdout))) >= 5  # all games
    assert len(re.findall(r"(?m)^lanes_ratio [a-z-]+=\d+\.\d\d$", done.stdout)) == 2
    assert re.search(r"(?m)^threads_ratio=\d+\.\d\d$", done.stdout)


def test_an_unknown_part_is_refused(root: Path) -> None:
    """What is not measured is said before anything is."""
    done = run(root, "simulation", "--only", "speed")
    assert done.returncode == 2
    assert "--only takes c, lanes, threads, games, start, peers" in done.stderr
