"""Compiled functions are kept in a folder of this test run."""

from __future__ import annotations

from tests.sim.cache import cache

__all__ = ["cache"]
