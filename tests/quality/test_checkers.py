"""The checkers that other people wrote, over the whole project."""

from __future__ import annotations

import sys

import pytest

from tests.quality.project import run

CHECKS = {
    "ruff": ("ruff", "check", "--output-format", "concise", "."),
    "format": ("ruff", "format", "--check", "--quiet", "--output-format", "concise", "."),
    "types": ("mypy",),
}


@pytest.mark.parametrize("check", CHECKS)
def test_checker_is_content(check: str) -> None:
    """The linter, the formatter and the type checker find nothing."""
    module, *words = CHECKS[check]
    done = run(sys.executable, "-m", module, *words)
    assert done.returncode == 0, done.stdout
