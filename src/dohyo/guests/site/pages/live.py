"""Matches of a ladder while they are played, turn by turn; while nothing is on air, the newest one that was played.

That somebody watches is said to the judge (`executors/told.py`). Nobody watches a ladder whose standings are frozen
for him.
"""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from litestar import Response, get
from litestar.concurrency import sync_to_thread

from dohyo import games
from dohyo.core.errors import ReplayError
from dohyo.executors.told import AGAIN, OnAir, on_air, watch
from dohyo.guests.site.arena import ladders
from dohyo.guests.site.arena.ladders import Ladder
from dohyo.guests.site.arena.opened import Arena
from dohyo.guests.site.arena.resting import ladder_rests
from dohyo.guests.site.arena.sight import seen, sight
from dohyo.guests.site.arena.standings import ladder_page
from dohyo.guests.site.edge.asking import Asking
from dohyo.guests.site.judging.followers import (
    EACH,
    EACH_PLACE,
    FOLLOWERS,
    Event,
    Watching,
    json_of,
    stream_of,
    turns_told,
)
from dohyo.guests.site.pages.boards import about
from dohyo.match.replays.live_match import LiveMatch

STORED = 1.0  # seconds between two looks for matches that were stored
NEXT = 0.5  # seconds between two looks for another match: turns of the one that is shown are read more often
STALE = 10.0  # seconds after its end in which a match that was written is still shown as one that is played


@get("/ladders/{slug:str}/live", sync_to_thread=True)
def show_live(ask: Asking, slug: str) -> Response[Any]:
    """The page with the board."""
    ladder = ladders.find(ask.database, slug, ask.person)
    if ladder is None:
        return ask.nothing()
    with seen(ask.arena, ladder, ask.person) as store:
        page = ladder_page(store, slug)
        resting = ladder.terms is None and ladder_rests(store, slug, ask.site.home)
    is_live = sight(ladder, ask.person).is_whole
    told: dict[str, Any] = {"is_live": is_live, "resting": resting and is_live, "last": _last(page.recent)}
    return ask.page("live", ladder=ladder, page=page, **told)


def _last(recent: Any) -> int | None:
    return recent[0].number if recent else None


@get("/ladders/{slug:str}/live/events")
async def follow_live(ask: Asking, slug: str) -> Response[Any]:
    """What is played, as it happens."""
    ladder = await sync_to_thread(_whole, ask, slug)
    if ladder is None:
        return ask.nothing()
    game, seen_now = games.find(ladder.game), [ladder]

    def may() -> bool:
        """Whether this person still sees all of it."""
        now = _whole(ask, slug)
        seen_now[:] = [] if now is None else [now]
        return now is not None

    def told(event: Event) -> Event | None:
        if not seen_now or not sight(seen_now[0], ask.person).is_whole:  # it is hidden from this moment on
            return None
        if event.name != "match":
            return event
        return Event("match", json_of({**about(game, ask.speaker), **msgspec.json.decode(event.data)}))

    person = ask.person
    who, each = (f"from {ask.origin}", EACH_PLACE) if person is None else (f"person {person.id}", EACH)
    source = partial(LadderSource, ask.arena, ask.site.live, ladder)
    return stream_of(FOLLOWERS.stream(Watching(who, each, told, may), ("ladder", ladder.id, ladder.delay), source))


def _whole(ask: Asking, slug: str) -> Ladder | None:
    """The ladder, if this person sees all of it at this moment."""
    ladder = ladders.find(ask.database, slug, ask.person)
    return ladder if ladder is not None and sight(ladder, ask.person).is_whole else None


class LadderSource:
    """The matches of a ladder that are written, one after the other, and the numbers of those played meanwhile."""

    is_over = False

    def __init__(self, arena: Arena, live: Path, ladder: Ladder) -> None:
        self._arena, self._live, self._ladder = arena, live, ladder
        self._game = games.find(ladder.game)
        self._shown: OnAir | None = None
        self._match: LiveMatch | None = None
        self._told = False  # that the match begins
        self._played: int | None = None  # the newest match that is stored
        self._rests: bool | None = None  # what was told of that; none: nothing
        self._marked = self._looked = self._sought = 0.0

    def close(self) -> None:
        """Stop reading."""
        if self._match is not None:
            self._match.close()
            self._match = None

    def more(self) -> list[Event]:
        """What is new: a match that begins, turns of it, a match that was stored."""
        now = time.monotonic()
        if now - self._marked >= AGAIN:
            self._marked = now
            watch(self._live, self._ladder.series)
        if now - self._sought >= NEXT:
            self._sought = now
            found = on_air(self._live, self._ladder.series)
            if found is not None and not found.is_same(self._shown):
                self._open(found)
        if self._match is None:
            return self._stored(now)
        try:
            turns = turns_told(self._match)
        except (ReplayError, StopIteration):  # rules that do not know their own match: it is shown no further
            self.close()
            return []
        told: list[Event] = []
        if self._match.names and not self._told:
            self._told = True
            number = self._shown.number if self._shown is not None else 0
            told.append(Event("match", json_of({"number": number, "names": self._match.names}), begins=True))
            self._rests = None
        if self._match.is_over:
            self.close()
        return [*told, *turns]

    def _open(self, found: OnAir) -> None:
        self.close()
        self._shown, self._told = found, False
        try:
            self._match = LiveMatch(self._game, found.path, self._ladder.delay)
            if time.time() - found.at > STALE and self._match.has_ended():  # nobody plays it any more
                self.close()
        except (OSError, ReplayError):  # it is gone already, or is none
            self.close()

    def _stored(self, now: float) -> list[Event]:
        """The newest match that is stored, if it is a new one; and whether the ladder rests, if that is new."""
        if now - self._looked < STORED:
            return []
        self._looked = now
        with self._arena.opened() as store:
            newest = _last(ladder_page(store, self._ladder.slug).recent)
            resting = self._ladder.terms is None and ladder_rests(store, self._ladder.slug, self._live.parent)
        told = []
        if newest is not None and newest != self._played:
            self._played, self._rests = newest, None
            told.append(Event("played", json_of({"number": newest}), begins=True))
        if resting != self._rests:
            self._rests = resting
            told.append(Event("rests", json_of(resting)))
        return told


HANDLERS = [show_live, follow_live]
