"""A replay as one HTML file that makes no requests and can be opened from a disk.

The page is `viewer/page.html` with everything put into it:

* the common modules (`viewer/*.js`) and the game's drawing (`games/<game>/*.js`, of which `view.js` is the first), as
  `data:` addresses in an import map, under the names by which they import each other: `dohyo/NAME.js` and
  `game/NAME.js`. A site serves the same files, and its import map says from where;
* the content (see `dohyo.web.content`), as JSON, deflated, in base64.

What bots are called and what they wrote comes from strangers. It travels inside the base64, where nothing is markup,
and the modules show it as text only. The page's policy (CSP) forbids every request, and every script but its own.
"""

from __future__ import annotations

import base64
import hashlib
import html as markup
import json
import os
import re
import zlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path, PurePath
from string import Template
from typing import Any

import msgspec

from dohyo import clean
from dohyo.core.errors import OperatorError, ReplayError
from dohyo.core.game import Game, title_in
from dohyo.core.replay import Replay
from dohyo.i18n import ENGLISH, Speaker
from dohyo.i18n.catalogue import of_locale
from dohyo.match import own_games
from dohyo.match.files import read_bounded
from dohyo.web.content import Analysis, content

# What a page begins with, and what stands in its first bytes and in nobody else's page: a part of its icon.
BEGINNING = b"<!doctype html>"
MARK = b"viewBox='0 0 32 32'%3E%3Crect width='32' height='32' rx='7' fill='%23ead9b5'"
MAX_BEFORE = 16_384  # bytes in which the mark is found
MARK_DIGITS = 32  # of what tells of which match a page is
OF_MATCH = re.compile(rb'<meta name="dohyo-match" content="([0-9a-f]{32})">')

VIEWER = Path(__file__).parent / "viewer"
START = "start.js"  # a page's own script, which is no module
PLAYING = (
    "acting.js",
    "picking.js",
    "playing.js",
    "solving.js",
    "framed.js",
)  # modules that only pages need on which people play
OWN = "start"  # how the names of all such scripts begin
STYLES = ("base.css", "parts.css", "charts.css", "analyse.css", "variation.css", "layout.css", "onward.css")

# Of a page that `dohyo.web.served` gives: it may ask its own server.
ASKING = "; connect-src 'self'"

# Filled with a nonce, which the page's own scripts have, and with the style's digest. The modules are `data:`
# addresses; but a policy that allows these would allow any script that somebody adds to the page in this form.
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'nonce-{nonce}'",
        "style-src {style}",
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
    )
)

MAX_CHARACTERS = 4 * 1024 * 1024  # of a page that is stored in a notebook
HEIGHT = 640  # pixels; a notebook is as wide as it is


def is_page(path: str) -> bool:
    """Whether a file may be replaced by such a page: it is one, or is empty."""
    start = read_bounded(path, MAX_BEFORE)
    return not start or (start.startswith(BEGINNING) and MARK in start)


def is_of_another_match(path: str, replay: Replay) -> bool:
    """Whether a file says that it is the page of another match."""
    if not os.path.exists(path):
        return False
    found = OF_MATCH.search(read_bounded(path, MAX_BEFORE))
    return found is not None and found[1].decode() != mark_of(replay)


def mark_of(replay: Replay) -> str:
    """What tells the page of this match from those of others: a digest of names, dice and actions."""
    header, found = replay.header, hashlib.sha256()
    parts = [header.game, *(seat.name for seat in header.seats), header.first]
    for turn in replay.turns:
        parts += [turn.turn, turn.dice, [(move.seat, move.action) for move in turn.moves]]
    found.update(json.dumps(parts, default=list).encode())
    return found.hexdigest()[:MARK_DIGITS]


def html(
    replay: Replay,
    speaker: Speaker = ENGLISH,
    around: str = "",
    analysis: Sequence[Analysis] = (),
    seat: int | None = None,
    command: str = "",
    served: dict[str, Any] | None = None,
    game: Game | None = None,
) -> str:
    """The replay as a whole HTML page, in the language of `speaker`.

    `around` is markup above it: links to the contest that the match belongs to. `analysis` is shown beside the board.
    With a `seat`, it is a page for that seat's author, with no more than that author may see. `command` is what the
    reader can type to have the match analysed, shown where there is no analysis. `served` says that the page comes
    from a server that can analyse the match (`dohyo.web.served`): the button for that stands there, below a `note`.
    A `game` that is given need not be installed.

    Raises `OperatorError` if its game is not installed, `ReplayError` if it contradicts the rules.
    """
    game = own_games.find(replay.header.game) if game is None else game
    names = ", ".join(seat.name for seat in replay.header.seats[:4])
    sheet = style()
    shown = content(game, replay, speaker, analysis, seat, command) | ({} if served is None else {"served": served})
    parts = {
        "language": markup.escape(speaker.language),
        "title": markup.escape(f"{title_in(game, speaker)}: {clean.line(names)}"),
        "style": sheet,
        "match": "" if seat is not None else mark_of(replay),  # who may not see all must not be able to guess it
        "imports": import_map(game),
        "start": script(START),
        "around": around,
        "replay": pack(shown),
        "patience": markup.escape(speaker.say("viewer.patience")),
    }
    nonce = nonce_of(parts)
    policy = POLICY.format(nonce=nonce, style=digest(sheet)) + ("" if served is None else ASKING)
    return Template(script("page.html")).substitute(parts, policy=policy, nonce=nonce)


def nonce_of(parts: dict[str, str]) -> str:
    """The nonce of a page's own scripts: a digest of everything in the page, so it is the same for the same page.

    Nobody can write it into a text of the page, because that text would change the nonce.
    """
    return base64.b64encode(hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).digest()).decode("ascii")


def pack(value: Any, level: int = 9) -> str:
    """A value as JSON, deflated (raw, without zlib's header) at this `level` of zlib's, in base64."""
    deflate = zlib.compressobj(level, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed = deflate.compress(msgspec.json.encode(value)) + deflate.flush()
    return base64.b64encode(packed).decode("ascii")


def modules(game: Game, playing: bool = True) -> dict[str, Path]:
    """The viewer's modules for a game: the name by which others import one, and its file.

    A game without a drawing of its own has the general one. Unless `playing`, those for people who play are left out.
    """
    left_out = () if playing else PLAYING
    files = [path for path in sorted(VIEWER.glob("*.js")) if not path.name.startswith(OWN)]
    common = {f"dohyo/{path.name}": path for path in files if path.name not in left_out}
    general = {f"game/{path.name}": path for path in sorted((VIEWER / "general").glob("*.js"))}
    own = {f"game/{path.name}": path for path in sorted(Path(game.folder).glob("*.js"))}
    return common | (own if "game/view.js" in own else general)


@cache
def style() -> str:
    """The style of a page."""
    return "".join(script(name) for name in STYLES)


@cache
def script(name: str) -> str:
    """The text of a file of the viewer."""
    return (VIEWER / name).read_text(encoding="utf-8")


@cache
def icon() -> str:
    """The address of a page's icon."""
    found = re.search(r'<link rel="icon" href="([^"]+)">', script("page.html"))
    assert found is not None
    return found[1]


def import_map(game: Game, playing: bool = False) -> str:
    """Where the viewer's modules for a game are: each is its own address."""
    addresses = {name: _address(path) for name, path in modules(game, playing).items()}
    return json.dumps({"imports": addresses}, separators=(",", ":"))


@cache
def _address(path: PurePath) -> str:
    """The file itself as an address."""
    return "data:text/javascript;charset=utf-8;base64," + base64.b64encode(Path(path).read_bytes()).decode("ascii")


def digest(text: str) -> str:
    """How the policy names an inline script or style."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode('ascii')}'"


# --- in a notebook


def replay_html(replay: Replay, language: str | None = None) -> str:
    """The replay as an element of HTML; a sentence in its place where that would be too large, or cannot be made.

    It is a frame with the page in it (`srcdoc`, sandboxed), which has no access to the notebook around it.
    `language` is by default that of the environment.
    """
    speaker = Speaker(language or of_locale(os.environ))
    try:
        page = html(replay, speaker)
    except (OperatorError, ReplayError) as error:
        return f"<p>{markup.escape(clean.line(str(error)))}</p>"
    if len(page) > MAX_CHARACTERS:
        size, most = len(page) / 1e6, MAX_CHARACTERS / 1e6
        return f"<p>{markup.escape(speaker.say('notebook.too-large', size=round(size, 1), most=round(most, 1)))}</p>"
    names = ", ".join(clean.line(seat.name) for seat in replay.header.seats[:4])
    title = markup.escape(clean.line(f"{replay.header.game}: {names}"))
    return (
        f'<iframe title="{title}" width="100%" height="{HEIGHT}" style="border: 0"'
        f' sandbox="allow-scripts allow-downloads" srcdoc="{markup.escape(page)}"></iframe>'
    )
