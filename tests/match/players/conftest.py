"""What the tests of the runner share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from dohyo.match.players import per_match
from tests.match.players.living import Time, Workshop
from tests.processes import nobody_left

__all__ = ["nobody_left"]


@pytest.fixture
def workshop(tmp_path: Path, nobody_left: None) -> Iterator[Workshop]:
    """A place to make programs in; none is left afterwards."""
    shop = Workshop(tmp_path)
    yield shop
    shop.close()


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    """The players' clock, standing still."""
    clock = Time()
    monkeypatch.setattr(per_match, "monotonic_ns", clock)
    return clock
