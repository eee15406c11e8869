"""Whether a ladder rests: it has played enough, and goes on when somebody hands in."""

from __future__ import annotations

from dohyo.series.store import Store

ENOUGH = 300  # matches of each version that plays, after which a ladder rests


def rests(store: Store, contest: int) -> bool:
    """Whether everybody who takes part has enough matches, or nobody but the house does."""
    here = [entrant for entrant in store.entrants(contest) if not entrant.is_away]
    if all(entrant.since == 0 for entrant in here):
        return True
    played = store.count_matches(contest)
    return all(played.get(entrant.number, 0) >= ENOUGH for entrant in here)


def ladder_rests(store: Store | None, slug: str) -> bool:
    """Whether the ladder of this name rests; not before the judge has begun it."""
    if store is None or slug not in {contest.name for contest in store.contests()}:
        return False
    return rests(store, store.contest(slug).id)
