"""Handing in, and what becomes of it: built, checked, its match live. Only its author and organisers see it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any

import msgspec
from litestar import Response, get, post
from litestar.concurrency import sync_to_thread
from litestar.datastructures import UploadFile
from litestar.enums import RequestEncodingType
from litestar.params import Body
from litestar.response import ServerSentEvent, ServerSentEventMessage

from dohyo import games
from dohyo.core.errors import OperatorError
from dohyo.core.game import Game
from dohyo.core.replay_format import decode
from dohyo.guests.site.arena import hand_ins, ladders
from dohyo.guests.site.arena.hand_ins import HandInRow
from dohyo.guests.site.arena.uploads import packed
from dohyo.guests.site.edge.asking import Asking, going, html, text
from dohyo.guests.site.edge.security import VIEWER_POLICY
from dohyo.guests.site.judging.examine import Examined
from dohyo.guests.site.judging.live import LiveMatch
from dohyo.guests.site.pages.boards import about
from dohyo.guests.site.pages.contests import show_contest
from dohyo.guests.site.pages.ladders import shown
from dohyo.guests.site.upkeep.room import need_room
from dohyo.web import page as viewer

Form = Annotated[dict[str, Any], Body(media_type=RequestEncodingType.MULTI_PART)]

LOOK = 0.25  # seconds between two looks at what the judge has written
QUIET = 15.0  # seconds after which a proxy hears that somebody is still there
LONGEST_STREAM = 600.0  # seconds after which a browser has to ask again
SHOWN_AT_ONCE = 200  # turns that are sent in one message
DONE = ("refused", "entered")
MAX_STREAMS = 8  # that are open of one author's hand-ins
STREAMS: dict[int, list[float]] = {}  # by author, when each ends at the latest
MAX_REPLAY = 64 << 20
MAX_NUMBER = (1 << 31) - 1  # of a row
ABOUT_THE_NAME = ("serve-bot-name-bad", "serve-bot-taken", "serve-bots-many")


@post("/ladders/{slug:str}/hand-in", sync_to_thread=True)
def hand_in(ask: Asking, slug: str, data: Form) -> Response[Any]:
    """Accept a file, the files of a folder, or a pasted source."""
    ladder = ladders.find(ask.database, slug, ask.person)
    if ladder is None:
        return ask.nothing()
    if ask.person is None:
        return ask.needs_account()
    bot, source = text(data, "bot", 200), text(data, "source", 1 << 20)
    try:
        need_room(ask.site.home)
        filename, content = _file(data, source)
        number = hand_ins.hand_in(ask.database, ask.site.files(), ladder, ask.person, bot, filename, content)
    except OperatorError as error:
        typed = {"bot": bot, "source": source, "filename": text(data, "filename", 100)}
        typed["wrong"] = "bot" if error.key in ABOUT_THE_NAME else "file"
        if ladder.terms is not None and error.key.startswith("serve-"):
            status = 429 if error.key == "serve-too-often" else 422
            return show_contest(ask, ladder, status, problem=error.say(ask.speaker), **typed)
        return ask.problem("ladder", error, **shown(ask, ladder), **typed)
    return going(f"/hand-ins/{number}")


def _file(data: dict[str, Any], source: str) -> tuple[str, bytes]:
    """The name and the bytes of what was handed in. Raises `OperatorError` where nothing is."""
    folder = data.get("folder")
    sent = [one for one in (folder if isinstance(folder, list) else [folder]) if isinstance(one, UploadFile)]
    if files := [(one.filename, one.file.read()) for one in sent if one.filename]:
        return packed(files)
    given = data.get("file")
    if isinstance(given, UploadFile) and given.filename:
        return given.filename, given.file.read()
    if source.strip():
        name = text(data, "filename", 100).strip() or "bot.py"
        return name, source.replace("\r\n", "\n").encode("utf-8", "replace")
    raise OperatorError("serve-hand-in-empty")


def _seen(ask: Asking, number: int) -> HandInRow | None:
    """The hand-in, if this person may see it; none otherwise, so that nobody learns which there are."""
    found = hand_ins.find(ask.database, number) if number <= MAX_NUMBER else None
    if found is None or ask.person is None:
        return None
    return found if ask.person.id == found.person or ask.person.is_organiser else None


@get("/hand-ins/{number:int}", sync_to_thread=True)
def show_hand_in(ask: Asking, number: int) -> Response[Any]:
    """What became of a hand-in so far."""
    found = _seen(ask, number)
    if found is None:
        return ask.nothing()
    examined = msgspec.json.decode(found.found, type=Examined) if found.found else None
    return ask.page("hand-in", one=found, examined=examined, in_words=_in_words(ask))


def _in_words(ask: Asking) -> Any:
    def in_words(said: dict[str, str]) -> str:
        return said.get(ask.speaker.language) or next(iter(said.values()), "")

    return in_words


@get("/hand-ins/{number:int}/board", sync_to_thread=True)
def show_board(ask: Asking, number: int) -> Response[Any]:
    """The viewer with the match that a hand-in played when it was checked."""
    found = _seen(ask, number)
    if found is None or found.replay is None:
        return ask.nothing()
    replay = decode(ask.site.files().get(found.replay, MAX_REPLAY))
    return html(viewer.html(replay, ask.speaker), VIEWER_POLICY)


@get("/hand-ins/{number:int}/events")
async def follow(ask: Asking, number: int) -> Response[Any]:
    """What happens to a hand-in, as it happens: its state, its match turn by turn, and that all is done."""
    found = await sync_to_thread(_seen, ask, number)
    if found is None:
        return ask.nothing()
    now = time.monotonic()
    streams = [end for end in STREAMS.get(found.person, []) if end > now]  # all here is in the one event loop
    if len(streams) >= MAX_STREAMS:
        return Response("busy\n", status_code=429, media_type="text/plain")
    end = now + LONGEST_STREAM
    STREAMS[found.person] = [*streams, end]
    return ServerSentEvent(_events(ask, found, end))


async def _events(ask: Asking, found: HandInRow, end: float) -> AsyncIterator[ServerSentEventMessage]:
    game, path = games.find(found.ladder.game), ask.site.live / str(found.id)
    match: LiveMatch | None = None
    told, heard = "", time.monotonic()
    try:
        while time.monotonic() < end:
            if time.monotonic() - heard > QUIET:
                heard = time.monotonic()
                yield ServerSentEventMessage(None, comment="waiting")
            now = await sync_to_thread(hand_ins.find, ask.database, found.id)
            state = "gone" if now is None else now.state
            if state != told:
                told = state
                yield ServerSentEventMessage(state, event="state")
            if match is None and path.exists():
                match = await sync_to_thread(_open, game, path)
                if match is not None:
                    yield ServerSentEventMessage(_json(about(game, ask.speaker)), event="match")
            if match is not None:
                turns = await sync_to_thread(match.more)
                for at in range(0, len(turns), SHOWN_AT_ONCE):
                    told_now = {"names": match.names, "turns": turns[at : at + SHOWN_AT_ONCE]}
                    yield ServerSentEventMessage(_json(told_now), event="turns")
            if state in (*DONE, "gone"):
                yield ServerSentEventMessage(state, event="done")
                return
            await asyncio.sleep(LOOK)
    finally:
        with suppress(ValueError):
            STREAMS[found.person].remove(end)
        if match is not None:
            match.close()


def _open(game: Game, path: Path) -> LiveMatch | None:
    try:
        return LiveMatch(game, path)
    except FileNotFoundError:
        return None


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


HANDLERS = [hand_in, show_hand_in, show_board, follow]
