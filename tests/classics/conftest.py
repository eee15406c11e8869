"""The classic games are known by name in these tests alone: others say that there is no game 'chess'."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import ModuleType

import pytest

from tests.classics.games import FOLDER

HELD: dict[str, ModuleType] = {}  # between the tests


@pytest.fixture(autouse=True)
def known_here_alone() -> Iterator[None]:
    """What was loaded is found by its name during a test, and not afterwards."""
    sys.modules.update(HELD)
    yield
    for path in FOLDER.glob("*.py"):
        if path.stem in sys.modules:
            HELD[path.stem] = sys.modules.pop(path.stem)
