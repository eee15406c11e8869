"""The page of a broadcast, and the frame in which it draws a game.

What draws a game may be a stranger's: a package brings it along. So the board is in a frame of its own, sandboxed
without an origin: it can ask for nothing, and what it says is shown as text. Neither page has a script or a style in
itself; what has a nonce is the map of names by which modules import each other.
"""

from __future__ import annotations

import html as markup
import json
from functools import cache
from pathlib import Path
from string import Template
from typing import NamedTuple

from dohyo import clean
from dohyo.core.game import Game, title_in
from dohyo.i18n import Speaker
from dohyo.web import page as viewer
from dohyo.web.broadcast.telling import words

HERE = Path(__file__).parent
KINDS = {".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8"}

# Both are filled with a nonce.
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self' 'nonce-{nonce}'",
        "style-src 'self'",
        "img-src data:",
        "connect-src 'self'",
        "frame-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
FRAME_POLICY = "; ".join(
    (
        "sandbox allow-scripts",
        "default-src 'none'",
        "script-src 'self' 'nonce-{nonce}'",
        "style-src 'self'",
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'self'",
    )
)


class Addresses(NamedTuple):
    """Where a broadcast's parts are: its `files`, the stream of `events`, the `frame`, and the viewer's `modules`."""

    files: str
    events: str
    frame: str
    modules: str


def files() -> dict[str, Path]:
    """The files that the page and the frame load, by name."""
    return {path.name: path for path in sorted(HERE.iterdir()) if path.suffix in KINDS}


def html(name: str, game: Game, where: Addresses, speaker: Speaker, nonce: str) -> str:
    """The page of a contest of that name."""
    say = speaker.say
    shown = clean.line(name)
    told = {"events": where.events, "words": words(game, speaker), "language": speaker.language}
    parts = {
        "title": say("broadcast.title", name=shown),
        "name": shown,
        "noscript": say("viewer.patience"),
        **{
            key: say(f"broadcast.{key}")
            for key in ("board", "players", "quiet", "commentary", "standings", "next", "keys")
        },
    }
    escaped = {key: markup.escape(value) for key, value in parts.items()}
    return _filled("page.html", where, speaker, nonce, {**escaped, "told": _in_page(told), "icon": viewer.icon()})


def frame(game: Game, where: Addresses, speaker: Speaker, nonce: str) -> str:
    """The frame that draws matches of a game."""
    return _filled("frame.html", where, speaker, nonce, {"title": markup.escape(title_in(game, speaker))})


def _filled(name: str, where: Addresses, speaker: Speaker, nonce: str, parts: dict[str, str]) -> str:
    imports = {"imports": {"dohyo/": f"{where.modules}/dohyo/", "game/": f"{where.modules}/game/"}}
    common = {
        "language": markup.escape(speaker.language),
        "files": markup.escape(where.files),
        "frame": markup.escape(where.frame),
        "imports": _in_page(imports),
        "nonce": nonce,
    }
    return _template(name).substitute(common, **parts)


@cache
def _template(name: str) -> Template:
    return Template((HERE / name).read_text(encoding="utf-8"))


def _in_page(value: object) -> str:
    """A value of JSON, inside of a script's element: nothing in it ends that."""
    return json.dumps(value, ensure_ascii=True, separators=(",", ":")).replace("<", "\\u003c")
