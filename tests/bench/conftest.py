"""What the tests of `dohyo.bench` share: bots as shell scripts, read in this process."""

from __future__ import annotations

from tests.match.conftest import bot, cache, new_process, nobody_left, read_here

__all__ = ["bot", "cache", "new_process", "nobody_left", "read_here"]
