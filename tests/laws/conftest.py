"""Counts what a law exercised, and prints it for the person who runs the tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from dohyo.laws.tally import Tally
from tests.sim.cache import cache

__all__ = ["cache", "tally"]


USUAL, FULL = 0.06, 1.0  # parts of the sizes that stand in the laws


@pytest.fixture
def tally(record_property: pytest.RecordProperty, pytestconfig: pytest.Config) -> Iterator[Tally]:
    """An empty tally; what it holds at the end of the test stands in the test's report as `exercised`."""
    counts = Tally()
    counts.part = FULL if pytestconfig.getoption("full") else USUAL
    yield counts
    record_property("exercised", str(counts))
