"""How many matches a contest has, as far as that can be known beforehand."""

from __future__ import annotations

from collections.abc import Sequence

from dohyo.contest.formats import Format
from dohyo.store.records import Progress


def matches_of(fold: Format, progress: Sequence[Progress], over: bool = False) -> int | None:
    """How many matches the contest has in all; none where that depends on results, or nobody says."""
    sizes = [batch.size for batch in progress]
    return sum(sizes) if over else fold.matches_in_all(sizes)
