"""What these tests share with those of bots: a cache, files to write, a way to resolve them."""

from __future__ import annotations

from tests.bots.conftest import cache, one, write

__all__ = ["cache", "one", "write"]
