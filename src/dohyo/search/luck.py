"""What decides by chance within a search, on either substrate: the cheap numbers of `dohyo.sim.luck`, not the dice.

Policies get the same source of luck in a batch and in a search, and draw from it by `below(luck, n)`.
"""

from __future__ import annotations

from typing import Any

from dohyo.core.flat import Layout, flat
from dohyo.sim.luck import below

__all__ = ["LUCK", "any_of", "below"]

LUCK = Layout("Luck", ("word", "i8", 0))


@flat
def any_of(s: Any, seat: int, options: Any, count: int, luck: Any) -> int:
    """The policy of playouts that nobody has scripted: any of the first `count` options, equally likely."""
    return options[below(luck, count)]  # type: ignore[no-any-return]
