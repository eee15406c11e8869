"""The benchmark of contests runs, and its lines are those that are quoted elsewhere. Its figures are not judged."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests import skips
from tests.benchmarks.test_benchmarks import run

FIGURES = {
    "stored": ["stored_sqlite_per_s", "stored_postgres_per_s", "memory_growth_mib"],
    "journeys": ["loop_ms", "pool_ms", "cluster_ms"],
    "standings": ["standings_sqlite_ms", "standings_postgres_ms"],
    "ratings": ["fit_four_seats_s", "fit_duels_s"],
}


@pytest.mark.parametrize("part", FIGURES)
@pytest.mark.xdist_group("postgres")
def test_the_contest_benchmark_tells_its_figures(root: Path, part: str) -> None:
    """On a small part of its sizes it prints every figure, one a line."""
    if part in ("stored", "standings"):
        skips.program("postgres")
    words = ["--matches", "90", "--standings", "300", "--journeys", "4", "--rounds", "1", "--share", "0.001"]
    done = run(root, "contest", *words, "--only", part)
    assert done.returncode == 0, done.stderr
    for name in FIGURES[part]:
        assert re.search(rf"^{name}=-?\d+\.\d+$", done.stdout, re.MULTILINE), done.stdout
