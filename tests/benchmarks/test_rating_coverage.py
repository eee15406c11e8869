"""The simulation behind the figures of docs/decisions/0014 runs in every row. Its figures are not judged."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

from dohyo.series.formats import all_formats


def test_every_row_has_a_line(root: Path) -> None:
    """Of one contest it prints coverage, who may be best, error and interval of each kind that is asked for."""
    script = root / "benchmarks" / "rating_coverage.py"
    words = ["--contests", "1", "--only", "young", "changing, equal", "round-robin", "swiss, equal", "elimination"]
    done = subprocess.run([sys.executable, script, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 3 + 1 + 4 + 1 + 2
    for line in done.stdout.splitlines():
        assert re.search(r"^\S.* cover=[.\d]+\S* best=[.\d]+ slope=[-.\d]+ error=\d+ half=\d+", line), line


def test_every_format_has_a_row(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever adds a format adds it to the simulation; not one that is about one bot, and ends when that is known."""
    monkeypatch.syspath_prepend(root / "benchmarks")
    rating_coverage = importlib.import_module("rating_coverage")
    wanted = {name for name, format_ in all_formats().items() if not format_.info.streams}
    assert {row.format for row in rating_coverage.ROWS} == wanted
