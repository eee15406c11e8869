"""The benchmark of ratings runs, and its lines are those that are quoted elsewhere. Its figures are not judged."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path


def test_the_ratings_benchmark_tells_its_figures(root: Path) -> None:
    """On a small part of its results it prints every figure, one a line."""
    script = root / "benchmarks" / "contest_ratings.py"
    words = ["--runs", "1", "--intervals", "--share", "0.01"]
    done = subprocess.run([sys.executable, script, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for name in ("fit_four_seats", "table_four_seats", "fit_duels", "table_duels", "table_plain"):
        assert re.search(rf"^{name}_s=\d+\.\d+$", done.stdout, re.MULTILINE), done.stdout
        assert re.search(rf"^{name}_cpu_s=\d+\.\d+$", done.stdout, re.MULTILINE), done.stdout
