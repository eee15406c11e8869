"""The match to show first: of the last day, the closest between the best."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from threading import Lock
from time import monotonic, time
from weakref import WeakKeyDictionary

import msgspec

from dohyo.core.contest import Result
from dohyo.guests.site.arena.ladders import Ladder
from dohyo.guests.site.arena.opened import Arena
from dohyo.guests.site.arena.sight import seen
from dohyo.guests.site.arena.standings import Line, Played, match_played, ranked

DAY = 86_400.0
BEST = 4  # bots of a ladder, among whose matches is looked
LOOKED_AT = 16  # of their last matches
MAX_LADDERS = 10  # that are looked at: the newest ones
KEPT = 120.0  # seconds for which the answer stays


class Highlight(msgspec.Struct, frozen=True):
    """A match of a ladder that everybody may see, and whether it was played within the last day."""

    ladder: Ladder
    match: Played
    is_of_today: bool


_FOUND: WeakKeyDictionary[Arena, tuple[float, Highlight | None]] = WeakKeyDictionary()
_LOOKING = Lock()


def best_match(arena: Arena, ladders: Sequence[Ladder]) -> Highlight | None:
    """The match to show first; none before anything was played.

    It is looked for once in two minutes, among what a visitor without an account may see.
    """
    until, found = _FOUND.get(arena, (0.0, None))
    if monotonic() >= until and _LOOKING.acquire(blocking=found is None):  # one looks; others get what was found last
        try:
            until, found = _FOUND.get(arena, (0.0, None))
            if monotonic() >= until:
                found = _look(arena, ladders)
                _FOUND[arena] = monotonic() + KEPT, found
        finally:
            _LOOKING.release()
    return found if found is not None and _is_there(arena, ladders, found) else None


def _is_there(arena: Arena, ladders: Sequence[Ladder], found: Highlight) -> bool:
    """Whether a visitor may see it still."""
    ladder = next((each for each in ladders if each.id == found.ladder.id), None)
    if ladder is None:
        return False
    with seen(arena, ladder, None) as store, ranked(store, ladder.slug) as there:
        return store is not None and there is not None and bool(store.results_of(there[0], [found.match.number]))


def _look(arena: Arena, ladders: Sequence[Ladder]) -> Highlight | None:
    best: tuple[bool, float] = False, 0.0
    found = None
    for ladder in [each for each in ladders if each.retired is None][-MAX_LADDERS:]:
        for match, value in _candidates(arena, ladder):
            is_of_today = match.at > time() - DAY
            if (is_of_today, value) > best:
                best, found = (is_of_today, value), Highlight(ladder, match, is_of_today)
    return found


def _candidates(arena: Arena, ladder: Ladder) -> list[tuple[Played, float]]:
    """The last matches of the best of a ladder, each with how much it is worth to be shown."""
    with seen(arena, ladder, None) as store, ranked(store, ladder.slug) as there:
        if store is None or there is None:
            return []
        contest, ranking = there
        results = store.last_played(contest, LOOKED_AT, ranking.order[:BEST])
    best = {number: ranking.lines[number] for number in ranking.order[:BEST]}
    return [(match_played(result, ranking.entrants), _value(result, best)) for result in results if result.replay]


def _value(result: Result, best: Mapping[int, Line]) -> float:
    """More for better bots, for ratings and points that are close; nothing for a match with a fault."""
    seated = [best.get(number) for number in result.fixture.seats]
    if any(result.faults) or len(seated) < 2:
        return 0.0
    height = sum(1 / line.place for line in seated if line is not None and line.place is not None) / len(seated)
    ratings = sorted((line.rating or 0 for line in seated if line is not None), reverse=True)
    apart = ratings[0] - ratings[1] if len(ratings) > 1 else 400
    points = sorted(result.scores, reverse=True)
    close = 1 - (points[0] - points[1]) / (abs(points[0]) + abs(points[1]) + 1) if len(points) > 1 else 0.5
    return height * (1 + 200 / (200 + apart)) * (0.5 + close / 2)
