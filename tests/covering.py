"""Products of parameters that an ordinary run takes in part: every value of each list, and not every combination.

A fault that shows in one combination alone is rare: nearly all show with one value, whatever stands beside it. So an
ordinary run has each value of the longest list once, each beside the next value of the others; `--full` has them all.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import Any

import pytest


def covering(*lists: Iterable[Any]) -> list[Any]:
    """The combinations, as parameters; those that only add size to the others bear the mark `full`."""
    values = [list(each) for each in lists]
    chosen = {tuple(number % len(each) for each in values) for number in range(max(map(len, values)))}
    return [
        pytest.param(*(each[at] for each, at in zip(values, places, strict=True)), marks=_marks(places in chosen))
        for places in product(*(range(len(each)) for each in values))
    ]


def _marks(is_chosen: bool) -> tuple[pytest.MarkDecorator, ...]:
    return () if is_chosen else (pytest.mark.full,)
