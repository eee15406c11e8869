"""Puzzles: the games of which there are some, the page to solve them, and what it asks for.

Visitors solve them, too; only what somebody with an account answers is kept and rated. The board is in a frame
without the site's origin, as every board is.
"""

from __future__ import annotations

import secrets
from typing import Any

import msgspec
from litestar import Response, get, post

from dohyo import games
from dohyo.core.errors import OperatorError
from dohyo.core.game import Game
from dohyo.guests.site.arena import puzzles
from dohyo.guests.site.edge.asking import Asking
from dohyo.guests.site.edge.security import POLICY
from dohyo.guests.site.people import limits
from dohyo.series.puzzles.puzzle import Position
from dohyo.series.puzzles.telling import Asked, given_up, judged, question, rated, read_asked
from dohyo.web import page as viewer
from dohyo.web import playing
from dohyo.web.content import words

MAX_LOOKED = 10  # puzzles for one that is asked for: the rules may not take some
STYLES = (*playing.STYLES, "solving.css")


@get("/puzzles", sync_to_thread=True)
def show_games(ask: Asking) -> Response[Any]:
    """The games of which there are puzzles."""
    counts = puzzles.counts(ask.database)
    found = [{"game": game, "count": counts[name]} for name in counts if (game := _game(name)) is not None]
    return ask.page("puzzles", found=found)


def _game(name: str) -> Game | None:
    try:
        found = games.find(name)
    except OperatorError:
        return None
    return found if found.referee is None else None


@get("/puzzles/{name:str}", sync_to_thread=True)
def show_puzzles(ask: Asking, name: str) -> Response[Any]:
    """The page on which puzzles of a game are solved."""
    game = _game(name)
    if game is None or not puzzles.names(ask.database, game.name):
        return ask.nothing()
    base = str(ask.request.app.state.outside.base)
    others = [one for one in puzzles.counts(ask.database) if _game(one) is not None]
    told = {
        "game": game.name,
        "title": game.title,
        "words": words(game, ask.speaker),
        "below": f"{base}/puzzles/{game.name}/",
        "board": f"{base}/boards/{game.name}",
        "games": [
            {"title": games.find(one).title, "href": f"{base}/puzzles/{one}", "here": one == game.name}
            for one in others
        ],
    }
    nonce = secrets.token_urlsafe(16)
    imports = msgspec.json.encode({"imports": {"dohyo/": f"{base}/modules/{game.name}/dohyo/"}}).decode()
    style = "".join(map(viewer.script, STYLES))
    page = ask.page("puzzle", game=game, told=told, nonce=nonce, imports=imports, style=style)
    page.headers["Content-Security-Policy"] = POLICY.replace("script-src", f"script-src 'nonce-{nonce}'", 1)
    return page


@post("/puzzles/{name:str}/next", sync_to_thread=True, status_code=200)
def show_next(ask: Asking, name: str, body: bytes) -> Response[Any]:
    """The next puzzle: one that was not tried, as hard as the person is good; a visitor goes from one to the next."""
    _count(ask)
    asked, known = read_asked(body), puzzles.names(ask.database, name)
    if asked is None:
        return _json({}, 400)
    mine = {} if ask.person is None else puzzles.tried(ask.database, ask.person, name)
    for _ in range(min(MAX_LOOKED, len(known))):
        fresh = [one for one in known if one not in mine]
        if ask.person is not None and fresh:
            chosen = puzzles.nearest(fresh, puzzles.ratings_of(ask.database, name), ask.person)
        else:
            chosen = puzzles.next_after(known, (), asked.after)
        one = puzzles.find(ask.database, name, chosen)
        if one is not None:
            told = {"tried": len(mine), "of": len(known), "again": chosen in mine}
            return _json({**question(one, ask.speaker), **told, **_standing(ask, one)})
        known = [other for other in known if other != chosen]  # one that the rules do not take any more
        asked.after = ""
    return _json({}, 404)


@post("/puzzles/{name:str}/answer", sync_to_thread=True, status_code=200)
def take_answer(ask: Asking, name: str, body: bytes) -> Response[Any]:
    """What is said of an answer."""
    _count(ask)
    asked = read_asked(body)
    one = None if asked is None else puzzles.find(ask.database, name, asked.id)
    if asked is None or one is None:
        return _json({}, 400 if asked is None else 404)
    found = judged(one, asked.action, ask.speaker)
    if found.counts and ask.person is not None:
        puzzles.note_try(ask.database, ask.person, one, found.solved)
    return _json({"counts": found.counts, "solved": found.solved, **found.told, **_standing(ask, one)})


@post("/puzzles/{name:str}/solution", sync_to_thread=True, status_code=200)
def give_up(ask: Asking, name: str, body: bytes) -> Response[Any]:
    """The solution, which counts as a wrong answer."""
    _count(ask)
    asked: Asked | None = read_asked(body)
    one = None if asked is None else puzzles.find(ask.database, name, asked.id)
    if one is None:
        return _json({}, 400 if asked is None else 404)
    if ask.person is not None:
        puzzles.note_try(ask.database, ask.person, one, False)
    return _json({"counts": False, "solved": False, **given_up(one, ask.speaker), **_standing(ask, one)})


def _count(ask: Asking) -> None:
    """Note a request: each lets the rules work. Raises `OperatorError` for too many."""
    if ask.person is None:
        limits.take(ask.database, limits.SOLVE_FROM, ask.origin)
    else:
        limits.take(ask.database, limits.SOLVE, str(ask.person.id))


def _standing(ask: Asking, one: Position) -> dict[str, Any]:
    """How many were solved in a row, and the ratings; for a visitor the puzzle's rating alone."""
    ratings = puzzles.ratings_of(ask.database, one.game.name)
    hard = rated(ratings.of_puzzle(one.id), ask.speaker)
    if ask.person is None:
        return {"streak": None, "rating": "", "hard": hard}
    streak = 0
    for solved in puzzles.tried(ask.database, ask.person, one.game.name).values():
        streak = streak + 1 if solved else 0
    return {"streak": streak, "rating": rated(ratings.of_solver(str(ask.person.id)), ask.speaker), "hard": hard}


def _json(told: dict[str, Any], status: int = 200) -> Response[Any]:
    return Response(msgspec.json.encode(told), status_code=status, media_type="application/json")


HANDLERS = [show_games, show_puzzles, show_next, take_answer, give_up]
