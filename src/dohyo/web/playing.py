"""The page on which somebody plays a match: one HTML file, with all but what is played in it.

It is made as a replay's page (`page.py`), and asks the server that it comes from for the match, at `address`. What it
carries:

    language, game, title, words     as in `content.py`
    seats      [{name, language, digest}]
    people     the numbers of the seats on which people of this page sit
    address    where the page asks, and sends what was chosen
    back       whether something may be taken back at all
    again      the address for another match, empty for none
"""

from __future__ import annotations

import html as markup
from collections.abc import Sequence
from string import Template
from typing import Any

from dohyo import clean
from dohyo.core.game import Game, title_in
from dohyo.i18n import Speaker
from dohyo.web import page
from dohyo.web.content import words

START = "start-playing.js"
STYLES = ("acting.css", "playing.css")


def content(
    game: Game,
    names: Sequence[str],
    people: Sequence[int],
    speaker: Speaker,
    address: str,
    *,
    back: bool,
    again: str = "",
) -> dict[str, Any]:
    """What the page carries."""
    return {
        "language": speaker.language,
        "game": game.name,
        "title": title_in(game, speaker),
        "words": words(game, speaker),
        "seats": [{"name": clean.line(name), "language": "", "digest": ""} for name in names],
        "people": list(people),
        "address": address,
        "back": back,
        "again": again,
    }


def html(game: Game, told: dict[str, Any], speaker: Speaker) -> str:
    """The page for such a content."""
    names = ", ".join(seat["name"] for seat in told["seats"][:4])
    sheet = page.style() + "".join(map(page.script, STYLES))
    parts = {
        "language": markup.escape(speaker.language),
        "title": markup.escape(f"{title_in(game, speaker)}: {names}"),
        "style": sheet,
        "match": "",  # it is being played
        "imports": page.import_map(game, playing=True),
        "start": page.script(START),
        "around": "",
        "replay": page.pack(told),
        "patience": markup.escape(speaker.say("viewer.patience")),
    }
    nonce = page.nonce_of(parts)
    policy = page.POLICY.format(nonce=nonce, style=page.digest(sheet)) + page.ASKING
    return Template(page.script("page.html")).substitute(parts, policy=policy, nonce=nonce)
