"""What docs/solving.md shows runs, and prints what it says."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "solving.md"


def test_the_page_runs(capsys: pytest.CaptureFixture[str]) -> None:
    """Its blocks run one after the other, and what stands behind a `print` is printed."""
    names: dict[str, Any] = {}
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    for block in blocks:
        exec(block, names)
    moves = [move for turn in names["replay"].turns for move in turn.moves]
    assert moves
    assert not any(move.faults for move in moves)
    printed = capsys.readouterr().out
    assert printed.startswith("0.0268")
    assert "Outcome(dice=(1, 2), probability=Fraction(1, 30))" in printed
    assert "legal call raise" in printed


def test_the_benchmark_runs() -> None:
    """It says how large the tree is, and what was learned in so many iterations."""
    words = (sys.executable, str(ROOT / "benchmarks" / "solving.py"), "kuhn-poker", "--iterations", "10")
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert "nodes=55 information_states=12" in done.stdout
    assert re.search(r"^CFR +seconds=[\d.]+ nash_conv=0.137398$", done.stdout, re.MULTILINE)
    assert re.search(r"^CFRPlus +seconds=[\d.]+ nash_conv=0.065374$", done.stdout, re.MULTILINE)
