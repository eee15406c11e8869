"""Compiled functions are kept in a folder of this test run: what an earlier one left behind proves nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture(scope="session", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder that $DOHYO_CACHE names meanwhile; a worker of the run finds what the other one compiled."""
    folder = tmp_path_factory.getbasetemp()
    if folder.name.startswith("popen-"):  # xdist gives each worker a folder in the run's own
        folder = folder.parent
    patch = pytest.MonkeyPatch()
    patch.setenv("DOHYO_CACHE", str(folder / "dohyo-cache"))
    yield folder / "dohyo-cache"
    patch.undo()
