"""The simulation behind the figures of docs/ratings.md runs in every format. Its figures are not judged."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from dohyo.contest.formats import all_formats


def test_every_format_has_a_line(root: Path) -> None:
    """Of few small contests it prints slope, error and coverage of each format, with each kind of luck."""
    words = ["--contests", "1", "--matches", "40", "--bots", "6", "--seats", "2"]
    script = root / "benchmarks" / "rating_coverage.py"
    done = subprocess.run([sys.executable, script, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for name in all_formats():
        for luck in ("gumbel", "normal"):
            line = rf"^{name} seats=\d+ luck={luck} .*slope=[-.\d]+ .*error=[.\d]+ .*cover=[.\d]+"
            assert re.search(line, done.stdout, re.MULTILINE), (name, luck)
