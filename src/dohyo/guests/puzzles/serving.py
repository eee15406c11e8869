"""The page on which puzzles are solved, from a server of this machine.

    GET  /SECRET                  the page of the first game; /SECRET/GAME that of another one
    POST /SECRET/GAME/next        {"after": ID}: the next puzzle
    POST /SECRET/GAME/answer      {"id": ID, "action": LINE}: what is said of an answer
    POST /SECRET/GAME/solution    {"id": ID}: the solution

A puzzle's solution is not in the page before it is answered or given up.
"""

from __future__ import annotations

import html as markup
import re
import threading
from collections.abc import Callable
from functools import cache
from http import HTTPStatus
from pathlib import Path
from string import Template
from typing import Any

import msgspec

from dohyo.core.game import Game, title_in
from dohyo.guests.puzzles.solver import Solver
from dohyo.i18n import Speaker
from dohyo.series.puzzles.file import Written
from dohyo.series.puzzles.telling import MAX_ASKED, Asked, read_asked
from dohyo.web import page
from dohyo.web.content import words
from dohyo.web.served.local import LocalRequest, LocalServer

PAGE = Path(__file__).parent / "page"
STYLES = ("acting.css", "playing.css", "solving.css")  # of the pages on which one acts


class PuzzleServer(LocalServer):
    """Serves the puzzles of a file at `address`, by `serve_forever`; `close` ends all.

    Raises `OperatorError` for a file without puzzles that can be set.
    """

    def __init__(self, path: str, game: str | None, name: str, speaker: Speaker) -> None:
        self._written = Written(path)
        try:
            self.solver = Solver(self._written, game, name, speaker)
            super().__init__(_Request, speaker)
        except BaseException:
            self._written.close()
            raise
        self.solving = threading.Lock()  # one answer after the other
        self.games = {one.name: one for one in self.solver.games}
        self._pages: dict[str, bytes] = {}

    def page(self, game: str) -> bytes:
        """The page of a game."""
        if game not in self._pages:
            self._pages[game] = html(self.games[game], [*self.games.values()], self.path, self.speaker).encode()
        return self._pages[game]

    def close(self) -> None:
        """End all connections, stop listening, and close the file."""
        super().close()
        self._written.close()


class _Request(LocalRequest):
    """One request; its connection ends with it."""

    server: PuzzleServer

    def do_GET(self) -> None:  # noqa: N802
        """A game's page."""
        games = list(self.server.games)
        found = next((game for game in games if self.is_at(f"{self.server.path}/{game}")), None)
        if found is None and self.is_at(self.server.path):
            found = games[0]
        if found is None:
            self.refuse(HTTPStatus.NOT_FOUND)
        else:
            self.answer(HTTPStatus.OK, "text/html; charset=utf-8", self.server.page(found))

    def do_POST(self) -> None:  # noqa: N802
        """The next puzzle, an answer, a solution."""
        found = next(
            (
                (game, what)
                for game in self.server.games
                for what in ("next", "answer", "solution")
                if self.is_at(f"{self.server.path}/{game}/{what}")
            ),
            None,
        )
        if found is None:
            self.refuse(HTTPStatus.NOT_FOUND)
        elif not self.is_ours():
            self.refuse(HTTPStatus.FORBIDDEN)
        elif (asked := self._asked()) is None:
            self.refuse(HTTPStatus.BAD_REQUEST)
        else:
            with self.server.solving:
                told = self._told(*found, asked)
            if told is None:
                self.refuse(HTTPStatus.NOT_FOUND)
            else:
                self.answer(HTTPStatus.OK, "application/json", msgspec.json.encode(told))

    def _told(self, game: str, what: str, asked: Asked) -> dict[str, Any] | None:
        solver = self.server.solver
        does: dict[str, Callable[[], dict[str, Any] | None]] = {
            "next": lambda: solver.next(game, asked.after),
            "answer": lambda: solver.answer(game, asked.id, asked.action),
            "solution": lambda: solver.solution(game, asked.id),
        }
        return does[what]()

    def _asked(self) -> Asked | None:
        """What the request carries; none if it is nothing that a page of ours asks."""
        length = self.headers["Content-Length"] or ""
        if self.headers.get_content_type() != "application/json" or not re.fullmatch(r"[0-9]{1,4}", length):
            return None
        if int(length) > MAX_ASKED:
            return None
        return read_asked(self.rfile.read(int(length)))


def html(game: Game, all_games: list[Game], path: str, speaker: Speaker) -> str:
    """The page of a game; links lead to those of the others."""
    content = {
        "game": game.name,
        "title": title_in(game, speaker),
        "words": words(game, speaker),
        "below": f"{path}/{game.name}/",
        "games": [
            {"title": title_in(one, speaker), "href": f"{path}/{one.name}", "here": one is game} for one in all_games
        ],
    }
    sheet = page.style() + "".join(map(page.script, STYLES))
    parts = {
        "language": markup.escape(speaker.language),
        "title": markup.escape(speaker.say("puzzles.page-title", game=title_in(game, speaker))),
        "style": sheet,
        "icon": page.icon(),
        "imports": page.import_map(game, playing=True),
        "start": _file("start.js"),
        "content": page.pack(content),
        "patience": markup.escape(speaker.say("viewer.patience")),
    }
    nonce = page.nonce_of(parts)
    policy = page.POLICY.format(nonce=nonce, style=page.digest(sheet)) + page.ASKING
    return Template(_file("puzzles.html")).substitute(parts, policy=policy, nonce=nonce)


@cache
def _file(name: str) -> str:
    return (PAGE / name).read_text(encoding="utf-8")
