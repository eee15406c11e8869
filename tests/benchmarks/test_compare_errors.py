"""The real command, with matches drawn for racers of known strength, is wrong no more often than it may be."""

from __future__ import annotations

import math
import re
import runpy
import sys
from pathlib import Path

import pytest

ALLOWED = 0.05  # the command's own default for either error


@pytest.mark.parametrize(
    ("seats", "words"),
    [
        (2, ()),
        (4, ("--grid", "1")),
        (4, ("--baselines", "3")),
        pytest.param(4, (), marks=pytest.mark.full),
        pytest.param(8, (), marks=pytest.mark.full),
    ],
    ids=str,
)
def test_the_command_is_not_wrong_too_often(
    root: Path,
    seats: int,
    words: tuple[str, ...],
    full: bool,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """With few and many seats, shared places and several baselines, either error is within its 5 %."""
    tests = 1000 if full else 100
    script = root / "benchmarks" / "compare_errors.py"
    monkeypatch.setattr(sys, "argv", [str(script), "--tests", str(tests), "--seats", str(seats), *words])
    runpy.run_path(str(script), run_name="__main__")
    told = capsys.readouterr().out
    for error in ("better", "not_better"):
        share = re.search(rf"^seats_{seats}_false_{error}=(\d\.\d+)$", told, re.MULTILINE)
        assert share is not None, told
        assert float(share[1]) <= ALLOWED + 3 * math.sqrt(ALLOWED * (1 - ALLOWED) / tests), told
        assert re.search(rf"^seats_{seats}_false_{error}_rounds=\d+\.\d+$", told, re.MULTILINE)
