"""What is compiled is kept, as for the laws; and they count what they exercised."""

from __future__ import annotations

from tests.laws.conftest import cache, tally

__all__ = ["cache", "tally"]
