"""Boards in the site's pages: a frame that draws a match of a game, and matches as such a frame takes them.

What draws a game may be a stranger's: a package brings it along. So every board is in a frame of its own, sandboxed
without the site's origin: it sees no cookie, and can send nothing as whoever looks. The page around it
(`static/board.js`) asks the server for frames, and hands them in.
"""

from __future__ import annotations

import itertools
import secrets
from collections import OrderedDict
from threading import Lock
from typing import Any

import msgspec
from litestar import Response, get

from dohyo import games
from dohyo.core import playback
from dohyo.core.errors import OperatorError
from dohyo.core.game import Game
from dohyo.core.replay import Replay
from dohyo.core.replay_format import decode
from dohyo.guests.site.arena import ladders
from dohyo.guests.site.edge.asking import Asking
from dohyo.guests.site.edge.security import BOARD_POLICY
from dohyo.guests.site.pages.matches import match_file
from dohyo.i18n import Speaker
from dohyo.match.replays.live_match import first_told, turn_told
from dohyo.web.content import words
from dohyo.web.differences import difference

MAX_TURNS = 3000  # that a page plays by itself: of a longer match the first ones
LARGEST = 2 << 20  # bytes of a match that is kept
KEPT = 24  # matches that were made lately
_MADE: OrderedDict[tuple[str, str], bytes] = OrderedDict()
_MAKING = Lock()


@get("/boards/{game:str}", sync_to_thread=True)
def show_frame(ask: Asking, game: str) -> Response[Any]:
    """The frame that draws matches of a game."""
    try:
        found = games.find(game)
    except OperatorError:
        return ask.nothing()
    nonce = secrets.token_urlsafe(16)
    page = ask.page("board", game=found.name, title=found.title, nonce=nonce)
    page.headers["Content-Security-Policy"] = BOARD_POLICY.replace("script-src", f"script-src 'nonce-{nonce}'", 1)
    return page


@get("/ladders/{slug:str}/matches/{number:int}/frames", sync_to_thread=True)
def show_frames(ask: Asking, slug: str, number: int) -> Response[Any]:
    """A match as a board's frame takes it: names, sentences, the first frame, and what changes in each turn."""
    ladder = ladders.find(ask.database, slug, ask.person)
    found = None if ladder is None else match_file(ask, ladder, number)
    if found is None:
        return ask.nothing()
    digest, content = found
    made = kept_frames(digest, content, ask.speaker)
    return Response(made, media_type="application/json", headers={"Cache-Control": "private, max-age=300"})


def kept_frames(digest: str, content: bytes, speaker: Speaker) -> bytes:
    """A stored match as a frame takes it, in JSON; those that were asked for lately are made only once."""
    key = digest, speaker.language
    with _MAKING:
        if key in _MADE:
            _MADE.move_to_end(key)
            return _MADE[key]
    replay = decode(content)
    made = msgspec.json.encode(frames_of(games.find(replay.header.game), replay, speaker))
    with _MAKING:
        if len(made) <= LARGEST:
            _MADE[key] = made
        while len(_MADE) > KEPT:
            _MADE.popitem(last=False)
    return made


def frames_of(game: Game, replay: Replay, speaker: Speaker) -> dict[str, Any]:
    """A match's first frame, and what changes in each turn; its moves, without what bots wrote besides."""
    seats = len(replay.header.seats)
    told: list[dict[str, Any]] = []
    for moment in playback.moments(game, replay):
        if not told:
            told.append(first_told(game, moment, seats))
        told += turn_told(game, moment)
        if len(told) > MAX_TURNS:
            break
    frames = [each["frame"] for each in told]
    return {
        **about(game, speaker),
        "names": [seat.name for seat in replay.header.seats],
        "first": frames[0] if frames else None,
        "changes": [difference(old, new) for old, new in itertools.pairwise(frames)],
        "moves": [each["moves"] for each in told[1:]],
    }


def about(game: Game, speaker: Speaker) -> dict[str, Any]:
    """What a board's frame has to know of a game: the sentences that its drawing may say."""
    own = (f"{game.name}.", "fault.", "viewer.general.")
    return {
        "game": game.name,
        "words": {key: said for key, said in words(game, speaker).items() if key.startswith(own)},
    }


HANDLERS = [show_frame, show_frames]
