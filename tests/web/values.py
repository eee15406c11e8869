"""JSON values by chance, and relatives of them: what differences have to tell apart."""

from __future__ import annotations

import copy
import random
from typing import Any

NAMES = ["a", "b", "0", "1", "-", "length"]


def value(dice: random.Random, depth: int = 4) -> Any:
    """A value, at most `depth` deep."""
    kind = dice.randrange(6 if depth else 4)
    if kind == 4:
        return [value(dice, depth - 1) for _ in range(dice.randrange(5))]
    if kind == 5:
        return {name: value(dice, depth - 1) for name in dice.sample(NAMES, dice.randrange(5))}
    return [None, dice.random() < 0.5, dice.randrange(3), dice.choice(["", "x"])][kind]


def relative(dice: random.Random, old: Any) -> Any:
    """A value that has much in common with another: parts of it replaced, grown or cut off."""
    if not isinstance(old, list | dict) or dice.random() < 0.1:
        return value(dice, 2) if dice.random() < 0.3 else copy.deepcopy(old)
    if isinstance(old, dict):
        kept = {name: relative(dice, inner) for name, inner in old.items() if dice.random() < 0.8}
        return kept | ({dice.choice(NAMES): value(dice, 1)} if dice.random() < 0.4 else {})
    kept_elements = [
        relative(dice, inner) for inner in old[: dice.randrange(len(old) + 1) if dice.random() < 0.4 else None]
    ]
    return kept_elements + [value(dice, 1) for _ in range(dice.randrange(3))]


def pairs(count: int, seed: int = 7) -> list[tuple[Any, Any]]:
    """Values and what they become: relatives for the most part, strangers for the rest."""
    dice = random.Random(seed)
    olds = [value(dice) for _ in range(count)]
    return [(old, value(dice) if dice.random() < 0.2 else relative(dice, old)) for old in olds]
