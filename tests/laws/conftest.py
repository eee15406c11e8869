"""The count of what a law exercised, told to whoever runs the tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.laws.tally import Tally
from tests.sim.cache import cache

__all__ = ["cache", "tally"]


QUICK = 0.1  # of what a law exercises is enough for a first look


@pytest.fixture
def tally(record_property: pytest.RecordProperty, pytestconfig: pytest.Config) -> Iterator[Tally]:
    """An empty tally; what it holds at the end of the test stands in the test's report as `exercised`."""
    counts = Tally()
    counts.part = QUICK if pytestconfig.getoption("quick") else 1.0
    yield counts
    record_property("exercised", str(counts))
