"""Cheap random numbers for choices within a search: the same ones on every substrate.

Dice come from a game's own source; these decide only what a search looks at, a million times a second. A linear
congruential generator modulo 2**31 (constants: ISO C's example); its lowest bits, which repeat early, are dropped.
"""

from __future__ import annotations

from typing import Any

from dohyo.core.flat import flat

MULTIPLIER = 1103515245
INCREMENT = 12345
LAST31 = 0x7FFFFFFF


@flat
def pick(luck: Any, n: int) -> int:
    """A number from 0 .. n-1 (1 <= n <= 2**20), about equally often each. `luck[0]` is the generator's state."""
    luck[0] = (luck[0] * MULTIPLIER + INCREMENT) & LAST31
    return (luck[0] >> 8) * n >> 23  # type: ignore[no-any-return]


@flat
def any_of(s: Any, seat: int, options: Any, count: int, luck: Any) -> int:
    """The policy of playouts that nobody has scripted: any of the first `count` options, equally likely."""
    return options[pick(luck, count)]  # type: ignore[no-any-return]
