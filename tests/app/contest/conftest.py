"""What tests of contests share: bots, and the path of a store that does not exist yet."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.app.conftest import cache
from tests.app.contest.contests import write_bots

__all__ = ["cache"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of bots."""
    write_bots(tmp_path / "bots")
    return tmp_path / "bots"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """Where a contest can be kept."""
    return tmp_path / "c.db"
