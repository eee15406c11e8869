"""A contest of two bots: how much better one is, by the reckoning of `dohyo compare`, which needs no extra.

The unit is a cluster, all matches of one seed; only whole ones count, from the first match on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import msgspec

from dohyo.app.compare import percent, told_rounds
from dohyo.app.contest.spec import reporting_damage
from dohyo.app.contest.standings import Standings
from dohyo.contest.sequential import cluster_scores, estimate
from dohyo.core.contest import Fixture, Result
from dohyo.i18n import say
from dohyo.store import Store

TWO = 2  # bots


class Duel(msgspec.Struct, frozen=True):
    """Elo of an entrant against the other, the ends of its 95 % interval, and its likelihood of superiority.

    They are from so many `clusters`, each of `size` matches of one seed.
    """

    entrant: int
    other: int
    elo: float
    low: float
    high: float
    los: float
    clusters: int
    size: int

    def say(self, bot: str, other: str, language: str) -> str:
        """The whole as a sentence, for two names as they are shown."""
        return say(
            "contest.duel",
            language,
            bot=bot,
            other=other,
            elo=say("compare.elo", language, elo=f"{self.elo:+.0f}", wide=f"{self.high - self.elo:.0f}"),
            los=say("compare.los", language, los=percent(self.los)),
            rounds=told_rounds(self.clusters, self.size, language),
        )


def duel(store: Store, contest: int, standings: Standings) -> Duel | None:
    """The two bots of a contest, the better placed one first; none if there are more, or no whole cluster yet.

    None also where there are ratings: they say it.
    """
    if standings.rated or len(standings.rows) != TWO:
        return None
    with reporting_damage(store):
        played = list(_results(store, contest))
    if not played:
        return None
    entrant, other = (row.entrant for row in standings.rows)
    size = max(Counter(result.fixture.seed for result in played).values())
    scores = Counter(cluster_scores(_between(played, entrant, other), entrant, size))
    if not scores:
        return None
    return Duel(entrant, other, *estimate(scores), scores.total(), size)


def _results(store: Store, contest: int) -> Iterator[Result]:
    """Numbers, seeds, seats and places of all matches; nothing else is read."""
    for block in store.blocks(contest):
        width = block.width
        for at, number in enumerate(block.numbers):
            seats, places = (tuple(each[at * width : (at + 1) * width]) for each in (block.entrants, block.places))
            yield Result(Fixture(0, number, seats, block.seeds[at]), places)


def _between(played: Sequence[Result], entrant: int, other: int) -> Iterator[Result]:
    """The matches in which both sat, up to the first without."""
    for result in played:
        if not {entrant, other} <= set(result.fixture.seats):
            return
        yield result
