"""Handing in, and what becomes of it: built, checked, its match live. Only its author and organisers see it."""

from __future__ import annotations

from pathlib import Path
from time import monotonic
from typing import Annotated, Any

import msgspec
from litestar import Response, get, post
from litestar.concurrency import sync_to_thread
from litestar.datastructures import UploadFile
from litestar.enums import RequestEncodingType
from litestar.params import Body

from dohyo import clean, games
from dohyo.core.errors import OperatorError
from dohyo.core.game import Game
from dohyo.core.replay import Replay
from dohyo.core.replay_format import decode
from dohyo.guests.site.arena import hand_ins, ladders
from dohyo.guests.site.arena.hand_ins import HandInRow
from dohyo.guests.site.arena.match_told import match_told
from dohyo.guests.site.arena.outs import with_outs
from dohyo.guests.site.arena.own_bots import refuse_out
from dohyo.guests.site.arena.own_faults import faults_of
from dohyo.guests.site.arena.pausing import IN_A_ROW
from dohyo.guests.site.arena.replays import MAX_REPLAY
from dohyo.guests.site.arena.sight import seen
from dohyo.guests.site.arena.uploads import packed
from dohyo.guests.site.edge.asking import Asking, going, html, text
from dohyo.guests.site.edge.security import VIEWER_POLICY
from dohyo.guests.site.judging.examine import Examined
from dohyo.guests.site.judging.followers import EACH, FOLLOWERS, Event, Watching, json_of, stream_of, turns_told
from dohyo.guests.site.pages.boards import about
from dohyo.guests.site.pages.contests import show_contest
from dohyo.guests.site.pages.ladders import shown
from dohyo.guests.site.tables import MAX_NUMBER
from dohyo.guests.site.upkeep.room import need_room
from dohyo.match.replays.live_match import LiveMatch
from dohyo.series.store.database import Database
from dohyo.web import page as viewer

Form = Annotated[dict[str, Any], Body(media_type=RequestEncodingType.MULTI_PART)]

DONE = ("refused", "entered")
LAST_TURNS = 5.0  # seconds in which the rest of a match comes from another machine
LONGEST_ERRED = 1 << 14  # characters of standard error on one page
LONGEST_SOURCE = 1 << 20  # characters that are pasted
ABOUT_THE_NAME = (
    "serve-bot-name-bad",
    "serve-bot-names-many",
    "serve-bot-taken",
    "serve-bots-many",
    "serve-disqualified",
)


@post("/ladders/{slug:str}/hand-in", sync_to_thread=True)
def hand_in(ask: Asking, slug: str, data: Form) -> Response[Any]:
    """Accept a file, the files of a folder, or a pasted source."""
    ladder = ladders.find(ask.database, slug, ask.person)
    if ladder is None:
        return ask.nothing()
    if ask.person is None:
        return ask.needs_account()
    bot, source = text(data, "bot", 200), text(data, "source", LONGEST_SOURCE + 1)
    try:
        need_room(ask.site.home)
        refuse_out(ask.database, ask.arena, ladder, ask.person, bot)
        filename, content = _file(data, source)
        files = ask.site.files()
        number = hand_ins.hand_in(ask.database, files, ladder, ask.person, bot, filename, content, ask.quota)
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
    if len(source) > LONGEST_SOURCE:
        raise OperatorError("serve-source-long", most=LONGEST_SOURCE)
    if source.strip():
        name = text(data, "filename", 100).strip() or "bot.py"
        return name, source.replace("\r\n", "\n").encode("utf-8", "replace")
    raise OperatorError("serve-hand-in-empty")


def _seen(ask: Asking, number: int) -> HandInRow | None:
    """The hand-in, if this person may see it; none otherwise, so that nobody learns which there are."""
    found = hand_ins.find(ask.database, number) if 0 <= number <= MAX_NUMBER else None
    if found is None or ask.person is None:
        return None
    return found if ask.person.id == found.person or ask.person.is_organiser else None


@get("/hand-ins/{number:int}", sync_to_thread=True)
def show_hand_in(ask: Asking, number: int) -> Response[Any]:
    """What became of a hand-in so far."""
    found = _seen(ask, number)
    if found is None:
        return ask.nothing()
    (found,) = with_outs(ask.arena, [found], ask.person)
    examined = msgspec.json.decode(found.found, type=Examined) if found.found else None
    is_own, faults = ask.person is not None and found.person == ask.person.id, None
    if found.shown == "entered" and ladders.find(ask.database, found.ladder.slug, ask.person) is not None:
        with seen(ask.arena, found.ladder, ask.person) as store:
            faults = faults_of(store, found.ladder.slug, [found.bot], whole=is_own).get(found.bot)
    ended, erred = None, ""
    if found.replay is not None:
        mine = [0] if is_own else []
        replay = decode(ask.site.files().get(found.replay, MAX_REPLAY))
        ended, erred = match_told(replay, ask.speaker, mine), _erred(replay)
    told: dict[str, Any] = {"erred": erred}
    told |= {
        "match_told": ended,
        "in_words": _in_words(ask),
        "in_a_row": IN_A_ROW,
        "faults": faults,
        "is_own": is_own,
    }
    return ask.page("hand-in", one=found, examined=examined, **told)


def _erred(replay: Replay) -> str:
    """What the bot wrote to standard error in its check match, with or without a fault: a page of it."""
    moves = [*(move for turn in replay.turns for move in turn.moves), *replay.result.last]
    said = "".join(
        move.stderr if move.stderr.endswith("\n") else f"{move.stderr}\n"
        for move in moves
        if move.seat == 0 and move.stderr
    )
    return clean.block(said, LONGEST_ERRED)


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
    if found is None or ask.person is None:
        return ask.nothing()
    game = games.find(found.ladder.game)

    def source() -> HandInSource:
        return HandInSource(ask.database, game, ask.site.live / str(found.id), found.id)

    def told(event: Event) -> Event:
        return Event("match", json_of(about(game, ask.speaker))) if event.name == "match" else event

    watching = Watching(f"person {ask.person.id}", EACH, told)
    return stream_of(FOLLOWERS.stream(watching, ("hand-in", number), source))


class HandInSource:
    """What becomes of a hand-in: its state, and the match of its check."""

    def __init__(self, database: Database, game: Game, path: Path, number: int) -> None:
        self._database, self._game, self._path, self._number = database, game, path, number
        self._match: LiveMatch | None = None
        self._told = ""
        self._until: float | None = None  # when the rest of a match is waited for no more
        self.is_over = False

    def more(self) -> list[Event]:
        """What is new; the end comes after the last turn of the match, also of one on another machine."""
        now = hand_ins.state_of(self._database, self._number) or "gone"
        new = [Event("state", now)] if now != self._told else []
        was_begun, self._told = self._told not in ("", *DONE), now
        if self._match is None and (found := _open(self._game, self._path)) is not None:
            self._match = found
            new.append(Event("match", ""))  # in the words of each who watches
        if self._match is not None:
            new += turns_told(self._match)
        if now in (*DONE, "gone"):
            if self._until is None:
                self._until = monotonic() + (LAST_TURNS if was_begun or self._match is not None else 0.0)
            if self._has_all(now) or monotonic() >= self._until:
                self.is_over = True
                new.append(Event("done", now))
        return new

    def _has_all(self, now: str) -> bool:
        """Whether nothing of its match is still on its way, or there was none."""
        return now != "entered" if self._match is None else self._match.is_over

    def close(self) -> None:
        """Stop reading."""
        if self._match is not None:
            self._match.close()


def _open(game: Game, path: Path) -> LiveMatch | None:
    try:
        return LiveMatch(game, path)
    except FileNotFoundError:
        return None


HANDLERS = [hand_in, show_hand_in, show_board, follow]
