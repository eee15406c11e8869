"""Matches of a ladder in the viewer, for everybody: without what bots wrote for their authors alone."""

from __future__ import annotations

from typing import Any

from litestar import Response, get

from dohyo import games
from dohyo.core.replay import Replay
from dohyo.core.replay_format import decode
from dohyo.guests.site.arena import ladders, own_bots, replays
from dohyo.guests.site.arena.ladders import Ladder
from dohyo.guests.site.arena.match_told import match_told
from dohyo.guests.site.edge.asking import Asking, html
from dohyo.guests.site.edge.security import VIEWER_POLICY
from dohyo.guests.site.pages.onward import on_from
from dohyo.web import page as viewer


@get("/ladders/{slug:str}/matches/{number:int}", sync_to_thread=True)
def show_match(ask: Asking, slug: str, number: int) -> Response[Any]:
    """The page around a match."""
    ladder = ladders.find(ask.database, slug, ask.person)
    replay = None if ladder is None else match_replay(ask, ladder, number)
    if ladder is None or replay is None:
        return ask.nothing()
    names = [seat.name for seat in replay.header.seats]
    places = replay.result.places or [0] * len(names)
    placed = sorted(zip(places, names, strict=True), key=lambda one: one[0])
    told = ask.speaker.listed(
        f"{ask.say('serve.placed', place=place)} {name}" if place else name for place, name in placed
    )
    mine = own_bots.whose(ask.database, ladder, ask.person) if ask.person else set()
    is_mine = not mine.isdisjoint(names)
    ended = match_told(replays.for_authors(replay, mine), ask.speaker)
    return ask.page(
        "match",
        ladder=ladder,
        number=number,
        names=names,
        told=told,
        is_mine=is_mine,
        match_told=ended,
        **on_from(ask, games.find(ladder.game), replay, f"/ladders/{slug}/matches/{number}/from", slug=slug),
    )


@get("/ladders/{slug:str}/matches/{number:int}/board", sync_to_thread=True)
def show_board(ask: Asking, slug: str, number: int) -> Response[Any]:
    """The viewer with the match."""
    ladder = ladders.find(ask.database, slug, ask.person)
    replay = None if ladder is None else match_replay(ask, ladder, number)
    if replay is None:
        return ask.nothing()
    return html(viewer.html(replays.for_authors(replay), ask.speaker), VIEWER_POLICY)


def match_replay(ask: Asking, ladder: Ladder, number: int) -> Replay | None:
    """The replay of a match; none if there is none."""
    found = match_file(ask, ladder, number)
    return None if found is None else decode(found[1])


def match_file(ask: Asking, ladder: Ladder, number: int) -> tuple[str, bytes] | None:
    """The replay of a match as it is stored, and its digest before it; none if there is none."""
    found = replays.stored(ask.arena, ladder, ask.person, number)
    return None if found is None else (found[0].replay or "", found[1])


HANDLERS = [show_match, show_board]
