"""The benchmark of contests runs, and its lines are those that are quoted elsewhere. Its figures are not judged."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests import skips
from tests.benchmarks.test_benchmarks import run

FIGURES = {
    "stored": ["stored_sqlite_per_s", "stored_postgres_per_s", "memory_growth_mib"],
    "standings": ["standings_sqlite_ms", "standings_postgres_ms"],
    "journeys": ["loop_ms", "pool_ms", "cluster_ms"],
    "ratings": ["fit_four_seats_s", "fit_duels_s"],
}


@pytest.mark.parametrize("parts", [["stored", "standings"], ["journeys", "ratings"]], ids=" ".join)
@pytest.mark.xdist_group("postgres")
def test_the_contest_benchmark_tells_its_figures(root: Path, parts: list[str]) -> None:
    """On a small part of its sizes it prints every figure, one a line."""
    if "stored" in parts:
        skips.program("postgres")
    words = ["--matches", "90", "--standings", "300", "--journeys", "4", "--rounds", "1", "--share", "0.001"]
    done = run(root, "contest", *words, "--only", *parts)
    assert done.returncode == 0, done.stderr
    for name in [name for part in parts for name in FIGURES[part]]:
        assert re.search(rf"^{name}=-?\d+\.\d+$", done.stdout, re.MULTILINE), done.stdout
