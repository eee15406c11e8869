"""The names of `dohyo.core.cheap_random` by which bots know it that were written for older versions."""

from __future__ import annotations

from dohyo.core.cheap_random import LUCK, below

__all__ = ["LUCK", "below"]
