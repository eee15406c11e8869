"""Matches of a ladder, and their replays as files."""

from __future__ import annotations

from typing import Annotated

from litestar import Response, get
from litestar.exceptions import NotFoundException
from litestar.params import Parameter

from dohyo.core.contest import Result
from dohyo.core.replay_format import encode
from dohyo.guests.site.api.calling import OPEN, Called
from dohyo.guests.site.api.ladders import found
from dohyo.guests.site.api.values import (
    SEEN,
    USUAL_PAGE,
    After,
    Limit,
    Matches,
    MatchOut,
    Number,
    SeatOut,
    Slug,
)
from dohyo.guests.site.arena import hand_ins, replays
from dohyo.guests.site.arena.sight import seen
from dohyo.guests.site.arena.standings import some_played
from dohyo.guests.site.edge.asking import download

Bot = Annotated[str | None, Parameter(min_length=1, max_length=60, pattern=SEEN, description="Of this bot alone.")]


@get("/ladders/{slug:str}/matches", operation_id="matches", security=OPEN, sync_to_thread=True)
def list_matches(call: Called, slug: Slug, bot: Bot = None, after: After = 0, limit: Limit = USUAL_PAGE) -> Matches:
    """The matches of a ladder or contest, or of one bot in it, the newest first."""
    ladder = found(call, slug)
    with seen(call.arena, ladder, call.person) as store:
        items, last = some_played(store, ladder.slug, limit, bot or "", after or None)
    return Matches([MatchOut(each.number, each.at, [SeatOut(*seat) for seat in each.bots]) for each in items], last)


@get("/ladders/{slug:str}/matches/{number:int}", operation_id="match", security=OPEN, sync_to_thread=True)
def show_match(call: Called, slug: Slug, number: Number) -> MatchOut:
    """A match: who took part, and how it ended."""
    ladder = found(call, slug)
    there = replays.find(call.arena, ladder, call.person, number)
    if there is None:
        raise NotFoundException
    result, replay = there
    return _shown(result, [seat.name for seat in replay.header.seats])


@get(
    "/ladders/{slug:str}/matches/{number:int}/replay",
    operation_id="replay",
    security=OPEN,
    media_type="application/octet-stream",
    sync_to_thread=True,
)
def show_replay(call: Called, slug: Slug, number: Number) -> Response[bytes]:
    """The replay of a match, as `dohyo replay` and `dohyo rerun` take it.

    What bots wrote to standard error is in it for one's own bots alone.
    """
    ladder = found(call, slug)
    there = replays.find(call.arena, ladder, call.person, number)
    if there is None:
        raise NotFoundException
    person = call.person
    own = hand_ins.bots_of(call.database, person, ladder) if person else ()
    replay = replays.for_authors(there[1], own)
    return download(encode(replay), f"{ladder.slug}-{number}.replay")


def _shown(result: Result, names: list[str]) -> MatchOut:
    seats = [SeatOut(*seat) for seat in zip(names, result.places, strict=True)]
    return MatchOut(result.fixture.number, result.at, seats)


HANDLERS = [list_matches, show_match, show_replay]
