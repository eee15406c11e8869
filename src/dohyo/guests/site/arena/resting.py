"""Whether a ladder rests: it has played enough, and goes on when somebody hands in."""

from __future__ import annotations

from dohyo.series.store import Store

ENOUGH = 300  # matches of each version that plays, after which a ladder rests
FIRST = 1  # of each sample bot, after which a ladder of these alone waits for somebody to hand in


def rests(store: Store, contest: int) -> bool:
    """Whether everybody who takes part has enough matches; of sample bots alone a few are enough."""
    here = [entrant for entrant in store.entrants(contest) if not entrant.is_away]
    enough = FIRST if is_house_alone(store, contest) else ENOUGH
    played = store.count_matches(contest)
    return all(played.get(entrant.number, 0) >= enough for entrant in here)


def is_house_alone(store: Store, contest: int) -> bool:
    """Whether nobody but sample bots takes part."""
    return all(entrant.since == 0 for entrant in store.entrants(contest) if not entrant.is_away)


def ladder_rests(store: Store | None, slug: str) -> bool:
    """Whether the ladder of this name rests; not before the judge has begun it."""
    if store is None or slug not in {contest.name for contest in store.contests()}:
        return False
    return rests(store, store.contest(slug).id)
