"""How many matches a contest has, as far as that can be known beforehand."""

from __future__ import annotations

from collections.abc import Sequence

from dohyo.contest.formats import Batches
from dohyo.contest.formats.king_of_the_hill import KingOfTheHill
from dohyo.contest.formats.scheduled import Scheduled
from dohyo.store.records import Progress


def matches_of(fold: Batches, progress: Sequence[Progress], over: bool = False) -> int | None:
    """How many matches the contest has in all; none where that depends on results, or nobody says."""
    scheduled = sum(batch.size for batch in progress)
    if over:
        return scheduled
    if isinstance(fold, Scheduled):
        return max(scheduled, fold.total * len(fold.seatings(0))) if fold.total else scheduled
    if isinstance(fold, KingOfTheHill):
        return max(scheduled, fold.terms.rounds)
    if fold.terms.format == "swiss" and progress:
        left = max(0, fold.terms.rounds - len(progress))
        return scheduled + left * progress[-1].size
    return None
