"""Matches of a ladder while they are played, turn by turn; while nothing is on air, the newest one that was played.

That somebody watches is said to the judge (`judging/watched.py`). Nobody watches a ladder whose standings are frozen
for him.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Any

import msgspec
from litestar import Response, get
from litestar.concurrency import sync_to_thread
from litestar.response import ServerSentEvent, ServerSentEventMessage

from dohyo import games
from dohyo.core.errors import ReplayError
from dohyo.guests.site.arena import ladders
from dohyo.guests.site.arena.ladders import Ladder
from dohyo.guests.site.arena.sight import seen, sight
from dohyo.guests.site.arena.standings import ladder_page
from dohyo.guests.site.edge.asking import Asking
from dohyo.guests.site.judging.live import LiveMatch
from dohyo.guests.site.judging.watched import AGAIN, OnAir, on_air, watch
from dohyo.guests.site.pages.boards import about

LOOK = 0.25  # seconds between two looks at what the judge has written
LONGEST_STREAM = 600.0  # seconds after which a browser has to ask again
SHOWN_AT_ONCE = 200  # turns that are sent in one message
MAX_STREAMS = 400  # that are open at once
STREAMS: set[object] = set()


@get("/ladders/{slug:str}/live", sync_to_thread=True)
def show_live(ask: Asking, slug: str) -> Response[Any]:
    """The page with the board."""
    ladder = ladders.find(ask.database, slug, ask.person)
    if ladder is None:
        return ask.nothing()
    with seen(ask.arena, ladder, ask.person) as store:
        page = ladder_page(store, slug)
    is_live = sight(ladder, ask.person).is_whole
    return ask.page("live", ladder=ladder, page=page, is_live=is_live, last=_last(page.recent))


def _last(recent: Any) -> int | None:
    return recent[0].number if recent else None


@get("/ladders/{slug:str}/live/events")
async def follow_live(ask: Asking, slug: str) -> Response[Any]:
    """What is played, as it happens."""
    ladder = await sync_to_thread(_whole, ask, slug)
    if ladder is None:
        return ask.nothing()
    if len(STREAMS) >= MAX_STREAMS:
        return Response("busy\n", status_code=503, media_type="text/plain", headers={"Retry-After": "30"})
    return ServerSentEvent(_events(ask, ladder))


def _whole(ask: Asking, slug: str) -> Ladder | None:
    """The ladder, if this person sees all of it at this moment."""
    ladder = ladders.find(ask.database, slug, ask.person)
    return ladder if ladder is not None and sight(ladder, ask.person).is_whole else None


async def _events(ask: Asking, ladder: Ladder) -> AsyncIterator[ServerSentEventMessage]:
    """The matches that are written, one after the other, and the numbers of those that were played meanwhile."""
    this, watcher = object(), Watcher(ask, ladder)
    STREAMS.add(this)
    try:
        end, look = time.monotonic() + LONGEST_STREAM, 0.0
        while (now := time.monotonic()) < end:
            if now >= look:
                look = now + AGAIN
                if not await sync_to_thread(watcher.still):
                    yield ServerSentEventMessage("", event="off")
                    return
            for event, value in await sync_to_thread(watcher.news):
                yield ServerSentEventMessage(msgspec.json.encode(value).decode(), event=event)
            await asyncio.sleep(LOOK)
    finally:
        STREAMS.discard(this)
        watcher.close()


class Watcher:
    """What somebody sees of the matches of a ladder."""

    def __init__(self, ask: Asking, ladder: Ladder) -> None:
        self._ask = ask
        self._ladder = ladder
        self._game = games.find(ladder.game)
        self._shown: OnAir | None = None
        self._match: LiveMatch | None = None
        self._told = False  # that the match begins
        self._played: int | None = None  # the newest match that is stored

    def close(self) -> None:
        """Stop reading."""
        if self._match is not None:
            self._match.close()
            self._match = None

    def still(self) -> bool:
        """Say to the judge that somebody watches; whether that is so: not when the ladder is hidden meanwhile."""
        if _whole(self._ask, self._ladder.slug) is None:
            return False
        watch(self._ask.site.live, self._ladder.id)
        return True

    def news(self) -> list[tuple[str, dict[str, Any]]]:
        """What is new: a match that begins, turns of it, that it is over, a match that was stored."""
        found = on_air(self._ask.site.live, self._ladder.id)
        if found is not None and not found.is_same(self._shown):
            self._open(found)
        if self._match is None:
            return self._stored()
        try:
            turns = self._match.more()
        except (ReplayError, StopIteration):  # rules that do not know their own match: it is shown no further
            self.close()
            return []
        told: list[tuple[str, dict[str, Any]]] = []
        names = self._match.names
        if names and not self._told:
            self._told = True
            number = self._shown.number if self._shown is not None else 0
            told.append(("match", {**about(self._game, self._ask.speaker), "number": number, "names": names}))
        for at in range(0, len(turns), SHOWN_AT_ONCE):
            told.append(("turns", {"names": names, "turns": turns[at : at + SHOWN_AT_ONCE]}))
        if self._match.is_over:
            self.close()
        return told

    def _open(self, found: OnAir) -> None:
        self.close()
        self._shown, self._told = found, False
        try:
            self._match = LiveMatch(self._game, found.path)
        except OSError:  # it is gone already
            self._match = None

    def _stored(self) -> list[tuple[str, dict[str, Any]]]:
        """The newest match that is stored, if it is a new one."""
        with seen(self._ask.arena, self._ladder, self._ask.person) as store:
            newest = _last(ladder_page(store, self._ladder.slug).recent)
        if newest is None or newest == self._played:
            return []
        self._played = newest
        return [("played", {"number": newest})]


HANDLERS = [show_live, follow_live]
