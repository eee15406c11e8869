"""Play against bots: the page to begin, the one to play at, the matches that one has played, and on from a turn.

The board is in a frame without the site's origin, as every board is: what draws a game may be a stranger's. The page
around it (`static/playing.js`) asks for what is new and sends what was chosen; the frame only says which cell was
pointed at.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Annotated, Any

import msgspec
from litestar import Response, get, post
from litestar.enums import RequestEncodingType
from litestar.params import Body

from dohyo import games
from dohyo.core import playback
from dohyo.core.errors import OperatorError, ReplayError
from dohyo.core.game import Game
from dohyo.core.replay import Replay
from dohyo.core.replay_format import decode, encode
from dohyo.guests.site.arena import ladders, plays, replays
from dohyo.guests.site.arena.house import table_of
from dohyo.guests.site.arena.plays import Play
from dohyo.guests.site.arena.sittings import ME, Running, Seated
from dohyo.guests.site.edge.asking import Asking, download, going, html, text
from dohyo.guests.site.edge.security import POLICY, VIEWER_POLICY
from dohyo.guests.site.pages.matches import match_replay
from dohyo.guests.site.pages.onward import Offered, offered_in, on_from, sittings_of
from dohyo.guests.site.pages.playable import playable
from dohyo.guests.site.tables import MAX_NUMBER
from dohyo.guests.site.whole_numbers import whole
from dohyo.match.hand_in_names import received_name
from dohyo.match.people import wishes
from dohyo.web import page as viewer
from dohyo.web import playing

Form = Annotated[dict[str, Any], Body(media_type=RequestEncodingType.URL_ENCODED)]
PAUSE = 700  # milliseconds between two questions of a page
MAX_SECONDS = 3600


def _game(name: str) -> Game | None:
    try:
        found = games.find(name)
    except OperatorError:
        return None
    return found if found.referee is None else None


# --- to begin


@get("/play", sync_to_thread=True)
def show_games(ask: Asking) -> Response[Any]:
    """The games that one can play."""
    return ask.page("play-games", games=playable(ask))


@get("/play/{name:str}", sync_to_thread=True)
def show_begin(ask: Asking, name: str, ladder: str = "") -> Response[Any]:
    """The form for a match of a game."""
    game = _game(name)
    if game is None:
        return ask.nothing()
    if ask.person is None:
        return ask.needs_account()
    return ask.page("play-begin", **_form(ask, game, ladder))


def _form(ask: Asking, game: Game, slug: str) -> dict[str, Any]:
    ladder, offered = offered_in(ask, game, slug)
    names = list(offered)
    usual = names[0] if names else ""
    return {
        "game": game,
        "ladder": ladder,
        "offered": names,
        "seats": [ME if not seat else usual for seat in range(table_of(game))],
        "seconds": "",
        "here": sittings_of(ask) is not None and bool(names),
        "wrong": False,
    }


@post("/play/{name:str}", sync_to_thread=True)
def begin(ask: Asking, name: str, data: Form) -> Response[Any]:
    """Begin a match."""
    game, tables = _game(name), sittings_of(ask)
    if game is None or tables is None or ask.person is None:
        return ask.nothing()
    slug = text(data, "ladder", 100)
    words = [text(data, f"seat{seat}", 100) for seat in range(table_of(game))]
    try:
        _, offered = offered_in(ask, game, slug)
        seconds = _seconds(text(data, "seconds", 10).strip())
        tables.begin(ask.person, game, _seated(words, offered), ask.speaker, None, seconds)
    except OperatorError as error:
        values = {"seats": words, "seconds": text(data, "seconds", 10), "wrong": True}
        return ask.problem("play-begin", error, **{**_form(ask, game, slug), **values})
    return going("/my/play")


def _seconds(word: str) -> int | None:
    if not word:
        return None
    if (seconds := whole(word, 1, MAX_SECONDS)) is None:
        raise OperatorError("serve-play-seconds", most=MAX_SECONDS)
    return seconds


def _seated(words: list[str], offered: Offered) -> list[Seated]:
    """Who sits where. Raises `OperatorError` for a bot that is not offered."""
    found = []
    for word in words:
        if word != ME and word not in offered:
            raise OperatorError("serve-no-bot-called", bot=word[:60])
        found.append(Seated(ME) if word == ME else Seated(word, offered[word]()))
    return found


# --- to play


@get("/my/play", sync_to_thread=True)
def show_play(ask: Asking) -> Response[Any]:
    """The match that one plays."""
    if ask.person is None:
        return ask.needs_account()
    running = _running(ask)
    if running is None:
        return going("/my/plays")
    game, base = running.sitting.game, str(ask.request.app.state.outside.base)
    names = [ask.person.name if at in running.mine else name for at, name in enumerate(running.names)]
    told = playing.content(game, names, running.mine, ask.speaker, f"{base}/my/play/wish", back=True)
    told |= {"pause": PAUSE, "again": f"{base}/play/{game.name}", "board": f"{base}/boards/{game.name}"}
    nonce = secrets.token_urlsafe(16)
    imports = msgspec.json.encode({"imports": {"dohyo/": f"{base}/modules/{game.name}/dohyo/"}}).decode()
    style = "".join(map(viewer.script, playing.STYLES))
    page = ask.page("play", game=game, told=told, nonce=nonce, imports=imports, style=style)
    page.headers["Content-Security-Policy"] = POLICY.replace("script-src", f"script-src 'nonce-{nonce}'", 1)
    return page


def _running(ask: Asking) -> Running | None:
    tables = sittings_of(ask)
    return None if tables is None or ask.person is None else tables.of(ask.person)


@post("/my/play/wish", sync_to_thread=True, status_code=200)
def answer_wish(ask: Asking, body: bytes) -> Response[Any]:
    """What the page of a match wants."""
    running, wish, tables = _running(ask), wishes.read(body), sittings_of(ask)
    if running is None or tables is None or ask.person is None:
        return Response({"said": ""}, status_code=404, media_type="application/json")
    if wish is None:
        return Response({"said": ""}, status_code=400, media_type="application/json")
    try:
        if wish.hint is not None:
            tables.may_hint(ask.person)
        told = wishes.answered(running.sitting, wish, 0.0)
    except OperatorError as error:
        told = {"said": error.say(ask.speaker)}
    if wish.told is not None:
        base = str(ask.request.app.state.outside.base)
        told |= {"replay": f"{base}/my/plays/{running.kept[-1]}" if running.kept else None}
    return Response(msgspec.json.encode(told), media_type="application/json")


# --- what one has played


@get("/my/plays", sync_to_thread=True)
def show_plays(ask: Asking) -> Response[Any]:
    """The matches that one has played."""
    if ask.person is None:
        return ask.needs_account()
    return ask.page("plays", plays=plays.of_person(ask.database, ask.person), running=_running(ask))


def _play(ask: Asking, number: int) -> tuple[Play, Replay] | None:
    if ask.person is None or not 0 <= number <= MAX_NUMBER:
        return None
    found = plays.find(ask.database, ask.person, number)
    if found is None:
        return None
    return found, replays.for_authors(decode(ask.site.files().get(found.replay, replays.MAX_REPLAY)))


@get("/my/plays/{number:int}", sync_to_thread=True)
def show_played(ask: Asking, number: int) -> Response[Any]:
    """A match that one has played."""
    return _show(ask, number)


def _show(ask: Asking, number: int, wrong: str = "") -> Response[Any]:
    found = _play(ask, number)
    if found is None:
        return ask.nothing()
    play, replay = found
    onward = on_from(ask, games.find(play.game), replay, f"/my/plays/{number}/from", wrong)
    return ask.page("played", play=play, names=play.seats, **onward)


@get("/my/plays/{number:int}/board", sync_to_thread=True)
def show_board(ask: Asking, number: int) -> Response[Any]:
    """The viewer with a match that one has played."""
    found = _play(ask, number)
    return ask.nothing() if found is None else html(viewer.html(found[1], ask.speaker), VIEWER_POLICY)


@get("/my/plays/{number:int}/replay", sync_to_thread=True)
def load_replay(ask: Asking, number: int) -> Response[Any]:
    """The replay, to be analysed at home."""
    found = _play(ask, number)
    if found is None:
        return ask.nothing()
    return download(encode(found[1]), f"{received_name(found[0].game)}-{number}.replay")


@post("/my/plays/{number:int}/remove", sync_to_thread=True)
def remove(ask: Asking, number: int) -> Response[Any]:
    """Forget a match that one has played."""
    if ask.person is None or not 0 <= number <= MAX_NUMBER:
        return ask.nothing()
    plays.remove(ask.database, ask.person, number)
    return going("/my/plays")


# --- on from a turn


@post("/my/plays/{number:int}/from", sync_to_thread=True)
def play_on(ask: Asking, number: int, data: Form) -> Response[Any]:
    """Play on from a turn of a match that one has played."""
    found = _play(ask, number)
    if found is None:
        return ask.nothing()
    try:
        return _onward(ask, found[1], data)
    except OperatorError as error:
        return _refused(error, lambda said: _show(ask, number, said), ask)


@post("/ladders/{slug:str}/matches/{number:int}/from", sync_to_thread=True)
def play_on_match(ask: Asking, slug: str, number: int, data: Form) -> Response[Any]:
    """Play on from a turn of a ladder's match."""
    ladder = ladders.find(ask.database, slug, ask.person)
    replay = None if ladder is None else match_replay(ask, ladder, number)
    if ladder is None or replay is None:
        return ask.nothing()
    try:
        return _onward(ask, replays.for_authors(replay), data, slug)
    except OperatorError as error:
        title = ask.say("serve.play-from")
        return _refused(error, lambda said: ask.page("message", title=title, text=said, back=""), ask)


def _refused(error: OperatorError, show: Callable[[str], Response[Any]], ask: Asking) -> Response[Any]:
    if not error.key.startswith("serve-"):
        raise error
    page = show(error.say(ask.speaker))
    page.status_code = 429 if error.key == "serve-too-often" else 422
    return page


def _onward(ask: Asking, replay: Replay, data: Form, slug: str = "") -> Response[Any]:
    """Begin a match from a turn. Raises `OperatorError`."""
    tables = sittings_of(ask)
    if tables is None or ask.person is None:
        return ask.needs_account()
    game = games.find(replay.header.game)
    first, last = replay.header.first, replay.header.first + replay.played - 1
    if (turn := whole(text(data, "turn", 12), first, last)) is None:
        raise OperatorError("serve-play-turn", first=first, last=last)
    _, offered = offered_in(ask, game, slug)
    words = [text(data, f"seat{seat}", 100) for seat in range(len(replay.header.seats))]
    try:
        playback.state_at(game, replay, turn)
    except ReplayError as error:  # the rules are others by now
        raise OperatorError("serve-play-other-rules") from error
    tables.begin(ask.person, game, _seated(words, offered), ask.speaker, (replay, turn))
    return going("/my/play")


HANDLERS = [
    *(show_games, show_begin, begin, show_play, answer_wish),
    *(show_plays, show_played, show_board, load_replay, remove, play_on, play_on_match),
]
