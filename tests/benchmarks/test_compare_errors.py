"""The real command, with matches drawn for racers of known strength, is wrong no more often than it may be."""

from __future__ import annotations

import math
import re
import subprocess
import sys
from pathlib import Path

import pytest

ALLOWED = 0.05  # the command's own default for either error


@pytest.mark.parametrize(
    ("seats", "words"), [(2, ()), (4, ()), (8, ()), (4, ("--grid", "1")), (4, ("--baselines", "3"))], ids=str
)
def test_the_command_is_not_wrong_too_often(root: Path, seats: int, words: tuple[str, ...], full: bool) -> None:
    """With few and many seats, shared places and several baselines, either error is within its 5 %."""
    tests = 1000 if full else 100
    script = root / "benchmarks" / "compare_errors.py"
    call = [sys.executable, script, "--tests", str(tests), "--seats", str(seats), *words]
    done = subprocess.run(call, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for error in ("better", "not_better"):
        told = re.search(rf"^seats_{seats}_false_{error}=(\d\.\d+)$", done.stdout, re.MULTILINE)
        assert told is not None, done.stdout
        assert float(told[1]) <= ALLOWED + 3 * math.sqrt(ALLOWED * (1 - ALLOWED) / tests), done.stdout
        assert re.search(rf"^seats_{seats}_false_{error}_rounds=\d+\.\d+$", done.stdout, re.MULTILINE)
