"""What is compiled is kept in a folder of this test run, which earlier ones have filled: `tests/compiled_once.py`."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def cache(cache_of_run: Path) -> Path:
    """The run's own cache, which all its workers share: each finds what another one compiled."""
    return cache_of_run
