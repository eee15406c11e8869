"""What becomes of the matches of versions that newer ones have replaced.

Where all are to have the same matches they count for nobody, from then on and for good: whatever else is taken back,
they are annulled again, and that cannot be undone.
"""

from __future__ import annotations

from collections.abc import Collection
from time import time
from typing import TYPE_CHECKING

from dohyo.core.rulings_in_force import ANNUL, NEWER_VERSION, Ruling
from dohyo.series.formats import find
from dohyo.series.spec import of_stored
from dohyo.series.store.records import Contest

if TYPE_CHECKING:
    from dohyo.series.store import Store


def replaced(store: Store, contest: Contest) -> set[int]:
    """The entrants whose matches count for nobody since newer versions have replaced them; none in other formats."""
    if not find(of_stored(contest.spec).format).info.passes_over:
        return set()
    return {each.follows for each in store.entrants(contest.id) if each.follows is not None}


def annul_replaced(store: Store, contest: Contest) -> None:
    """Let the matches of versions that were replaced count for nobody."""
    if (gone := replaced(store, contest)) and (played := store.played_by(contest.id, gone)):
        store.rule(contest.id, Ruling(0, ANNUL, time(), 0, NEWER_VERSION, matches=tuple(sorted(played))))


def lost_by_new_version(store: Store, contest: Contest, names: Collection[str], digest: str = "") -> int:
    """How many matches that count now will count for nobody when a new version of each of these bots enters.

    With a digest, which is that of the new version: none of a bot whose last version it is, for that one is back.
    """
    if not find(of_stored(contest.spec).format).info.passes_over:
        return 0
    last = {each.name: each.version.digest for each in store.entrants(contest.id)}
    gone = {name for name in names if name in last and last[name] != digest}
    return len(store.played_by(contest.id, {each.number for each in store.entrants(contest.id) if each.name in gone}))
