"""What tests of aBOTcalypse's sample bots share."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture(scope="session")
def survival(root: Path) -> ModuleType:
    """The benchmark of that name, which plays the bots in this process."""
    spec = importlib.util.spec_from_file_location("survival", root / "benchmarks" / "survival.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
