"""What decides by chance within a search, on either substrate: the cheap numbers of `dohyo.sim.luck`, not the dice.

Policies get the same source of luck in a batch and in a search, and draw from it by `below(luck, n)`.
"""

from __future__ import annotations

from dohyo.core.flat import Layout
from dohyo.sim.luck import below

__all__ = ["LUCK", "below"]

LUCK = Layout("Luck", ("word", "i8", 0))
