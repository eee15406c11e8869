"""What docs/solving.md shows runs, and prints what it says."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "solving.md"


def test_the_page_runs(capsys: pytest.CaptureFixture[str]) -> None:
    """Its blocks run one after the other, and what stands behind a `print` is printed."""
    names: dict[str, Any] = {}
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    for block in blocks:
        exec(block, names)
    printed = capsys.readouterr().out
    assert printed.startswith("0.0268")
    assert "Outcome(dice=(1, 2), probability=Fraction(1, 30))" in printed
    assert "legal call raise" in printed
