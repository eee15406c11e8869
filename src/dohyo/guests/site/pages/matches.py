"""Matches of a ladder in the viewer, for everybody: without what bots wrote for their authors alone."""

from __future__ import annotations

from typing import Any

from litestar import Response, get
from msgspec.structs import replace

from dohyo.core.errors import OperatorError
from dohyo.core.replay import Move, Replay
from dohyo.core.replay_format import decode
from dohyo.guests.site.arena import ladders, own_bots
from dohyo.guests.site.arena.ladders import Ladder
from dohyo.guests.site.arena.sight import seen
from dohyo.guests.site.edge.asking import Asking, html
from dohyo.guests.site.edge.security import VIEWER_POLICY
from dohyo.web import page as viewer

MAX_REPLAY = 64 << 20  # bytes
MAX_NUMBER = (1 << 31) - 1  # of a match


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
    told = ", ".join(f"{ask.say('serve.placed', place=place)} {name}" if place else name for place, name in placed)
    mine = own_bots.whose(ask.database, ladder, ask.person) if ask.person else set()
    is_mine = not mine.isdisjoint(names)
    return ask.page("match", ladder=ladder, number=number, names=names, told=told, is_mine=is_mine)


@get("/ladders/{slug:str}/matches/{number:int}/board", sync_to_thread=True)
def show_board(ask: Asking, slug: str, number: int) -> Response[Any]:
    """The viewer with the match."""
    ladder = ladders.find(ask.database, slug, ask.person)
    replay = None if ladder is None else match_replay(ask, ladder, number)
    if replay is None:
        return ask.nothing()
    return html(viewer.html(for_everybody(replay), ask.speaker), VIEWER_POLICY)


def match_replay(ask: Asking, ladder: Ladder, number: int) -> Replay | None:
    """The replay of a match; none if there is none."""
    found = match_file(ask, ladder, number)
    return None if found is None else decode(found[1])


def match_file(ask: Asking, ladder: Ladder, number: int) -> tuple[str, bytes] | None:
    """The replay of a match as it is stored, and its digest before it; none if there is none."""
    if number > MAX_NUMBER:
        return None
    try:
        with seen(ask.arena, ladder, ask.person) as store:
            if store is None:
                return None
            result = store.result(store.contest(ladder.slug), number)
            if result.replay is None:
                return None
            return result.replay, store.files.get(result.replay, MAX_REPLAY)
    except OperatorError as error:
        if error.key in ("store-no-match", "store-no-contest"):
            return None
        raise


def for_everybody(replay: Replay) -> Replay:
    """The replay without what its bots wrote to standard error and as comments: that is their authors' alone."""

    def known(move: Move) -> Move:
        return replace(move, stderr="", stderr_dropped=0, comments="", comments_dropped=0)

    turns = [replace(turn, moves=tuple(map(known, turn.moves))) for turn in replay.turns]
    return replace(replay, turns=turns, result=replace(replay.result, last=()))


HANDLERS = [show_match, show_board]
