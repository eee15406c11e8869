"""All that is known of one bot of a ladder: its versions, its ratings by batch, results by opponent and seat, faults.

Read by keys and indices alone: the time does not grow with the ladder's matches.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec

from dohyo.core.contest import Entrant, Result
from dohyo.guests.site.arena.meetings import MOST, Score, score_of
from dohyo.series.store import Store
from dohyo.series.store.records import PublishedRating, Tally

POINTS = 60  # batches of which a chart shows the ratings
MEETINGS = 1500  # with all of them, the newest ones
OPPONENTS = 40  # of whom the results are shown: those that it met most often
RECENT = 12  # matches
PAGE = 60  # matches on one page of all of them
VERSIONS = 100  # that are shown, the newest ones


class BotVersion(msgspec.Struct, frozen=True):
    """One version, as it entered: in which language, whether it plays now, in how many matches it took part.

    `digest` is that of its files.
    """

    entrant: int
    language: str
    plays: bool
    matches: int
    digest: str


class Point(msgspec.Struct, frozen=True):
    """A version's rating after a batch, with its interval if it is known."""

    entrant: int
    batch: int
    rating: float
    low: float | None
    high: float | None


class Opponent(msgspec.Struct, frozen=True):
    """Another bot that plays now, and the score against it."""

    bot: str
    score: Score


class BotFacts(msgspec.Struct):
    """What a bot's page shows beside its line in the standings. Results are those of the version that plays."""

    versions: list[BotVersion]
    points: list[Point]
    opponents: list[Opponent]
    seats: list[Tally]
    faults: list[tuple[str, int, int | None]]
    matches: list[Result]


def bot_facts(store: Store, contest: int, entrants: Sequence[Entrant], versions: Sequence[int], now: int) -> BotFacts:
    """What is known of a bot: its `versions` among the entrants, the newest last, and the one that plays `now`."""
    own = [entrants[number] for number in versions[-VERSIONS:]]
    tallies = store.tallies(contest, [each.number for each in own])
    played: Counter[int] = Counter()
    for tally in tallies:
        played[tally.entrant] += tally.matches
    matches = store.last_played(contest, RECENT, [each.number for each in own])
    return BotFacts(
        versions=[
            BotVersion(
                each.number, each.version.language, each.number == now, played[each.number], each.version.digest
            )
            for each in reversed(own)
        ],
        points=_points(store, contest, own),
        opponents=_opponents(store, contest, entrants, now),
        seats=[tally for tally in tallies if tally.entrant == now],
        faults=_faults(store, contest, now),
        matches=matches[::-1],
    )


def _points(store: Store, contest: int, own: Sequence[Entrant]) -> list[Point]:
    """The ratings after some batches: the first and the last one, and others between them."""
    count = store.count_batches(contest)
    step = max(1, -(-(count - own[0].since) // POINTS))
    chosen = {*range(count - 1, own[0].since - 1, -step), *(each.since for each in own)}
    until = {each.number: each.until for each in own}
    found = store.rated(contest, [*until], sorted(chosen))
    return [
        Point(rating.entrant, batch, rating.rating, rating.low, rating.high)
        for batch, ratings in found.items()
        for rating in ratings
        if _takes_part(rating, batch, until)
    ]


def _takes_part(rating: PublishedRating, batch: int, until: dict[int, int | None]) -> bool:
    """Whether a version still played then: one that was replaced has its last rating for ever."""
    end = until[rating.entrant]
    return end is None or batch < end


def _opponents(store: Store, contest: int, entrants: Sequence[Entrant], now: int) -> list[Opponent]:
    """The bots that it met most often lately."""
    met = [number for number in store.opponents(contest, now, MOST, OPPONENTS) if not entrants[number].is_away]
    meetings = store.met_lately(contest, now, met, MEETINGS) if met else {}
    return [Opponent(entrants[number].name, score_of(meetings[number][:MOST])) for number in met if meetings[number]]


def _faults(store: Store, contest: int, entrant: int) -> list[tuple[str, int, int | None]]:
    """Its kinds of faults, the most frequent first: how often, and the number of its last match with one."""
    kinds = Counter(store.faults(contest, [entrant]).get(entrant, {}))
    return [(kind, count, store.last_with_fault(contest, entrant, kind, 500)) for kind, count in kinds.most_common()]
