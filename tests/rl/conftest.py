"""What is compiled is kept for the test run."""

from __future__ import annotations

from tests.sim.cache import cache

__all__ = ["cache"]
