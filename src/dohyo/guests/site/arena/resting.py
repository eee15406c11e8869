"""Whether a ladder rests: it has played enough, and goes on when somebody hands in."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from dohyo.guests.site.distant.kind import LANGUAGE, digest_of
from dohyo.guests.site.distant.line import there
from dohyo.series.store import Store

ENOUGH = 300  # matches of each version that plays, after which a ladder rests
FIRST = 1  # of each sample bot, after which a ladder of these alone waits for somebody to hand in


def rests(store: Store, contest: int, missing: Collection[int] = ()) -> bool:
    """Whether everybody who takes part has enough matches; of sample bots alone a few are enough.

    Those `missing`, by number, cannot play at this moment.
    """
    here = [entrant for entrant in store.entrants(contest) if not entrant.is_away and entrant.number not in missing]
    enough = FIRST if all(entrant.since == 0 for entrant in here) else ENOUGH
    played = store.count_matches(contest)
    return all(played.get(entrant.number, 0) >= enough for entrant in here)


def is_house_alone(store: Store, contest: int, missing: Collection[int] = ()) -> bool:
    """Whether nobody but sample bots takes part, and can play at this moment."""
    here = [entrant for entrant in store.entrants(contest) if not entrant.is_away and entrant.number not in missing]
    return all(entrant.since == 0 for entrant in here)


def ladder_rests(store: Store | None, slug: str, home: Path) -> bool:
    """Whether the ladder of this name rests, of the site in the folder `home`; not before the judge has begun it."""
    if store is None or slug not in {contest.name for contest in store.contests()}:
        return False
    contest = store.contest(slug).id
    distant = {
        each.number: each.version.digest for each in store.entrants(contest) if each.version.language == LANGUAGE
    }
    here = {digest_of(number) for number in there(home)} if distant else set()
    return rests(store, contest, {number for number, digest in distant.items() if digest not in here})
