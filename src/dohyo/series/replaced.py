"""What becomes of the matches of versions that newer ones have replaced."""

from __future__ import annotations

from time import time

from dohyo.core.rulings import ANNUL, Ruling
from dohyo.series.formats import find
from dohyo.series.spec import of_stored
from dohyo.series.store import Store
from dohyo.series.store.records import Contest

REPLACED = "replaced by a newer version"


def annul_replaced(store: Store, contest: Contest) -> None:
    """Where all are to have the same matches, let those of versions that were replaced count for nobody.

    A match about which somebody has ruled so before, one way or the other, stays as it is.
    """
    if not find(of_stored(contest.spec).format).info.passes_over:
        return
    replaced = {each.follows for each in store.entrants(contest.id) if each.follows is not None}
    if not replaced:
        return
    played = store.played_by(contest.id, replaced)
    if not played:
        return
    known = {number for each in store.rulings(contest.id) if each.kind == ANNUL for number in each.matches}
    if new := sorted(played - known):
        store.rule(contest.id, Ruling(0, ANNUL, time(), 0, REPLACED, matches=tuple(new)))
