"""The match on the first page: a replay in the viewer, in a frame where the README has a film of the same match."""

from __future__ import annotations

import html as markup
import re
from pathlib import Path

REPLAY = Path(__file__).parent / "first-match.replay"  # made by docs/first_match.py
NAME = "first-match"  # of the page in the frame, beside the first page
FILM = re.compile(r'<p><img src="[^"]*/first-match\.gif" alt="([^"]*)"[^>]*></p>')
BEGIN = 60  # the turn that is shown at first: some blocks are gone by then

# What stands below the frame, in each language: how it is used, and the way to the page alone.
BELOW = {
    "en": "Click into the match: the space bar plays, the arrow keys go turn by turn, <kbd>?</kbd> lists all keys.",
    "ja": "試合をクリックしてください。スペースキーで再生、矢印キーで 1 ターンずつ、<kbd>?</kbd> でキーの一覧です。",
}
ALONE = {"en": "Open it alone", "ja": "試合だけを開く"}


def page(language: str) -> str:
    """The match as a page of its own, as `dohyo replay --html` makes it."""
    from dohyo.core import replay_format
    from dohyo.i18n import Speaker
    from dohyo.web.page import html

    return html(replay_format.decode(REPLAY.read_bytes()), Speaker(language))


def framed(body: str, language: str) -> str:
    """A page with the match in the place of its film; as it is, where it has none."""
    found = FILM.search(body)
    if found is None:
        return body
    frame = (
        f'<iframe class="dohyo-match" src="{NAME}.html#t={BEGIN}" title="{markup.escape(markup.unescape(found[1]))}"'
        ' sandbox="allow-scripts allow-downloads"></iframe>\n'
        f'<p class="dohyo-below">{BELOW[language]} <a href="{NAME}.html">{ALONE[language]}</a></p>'
    )
    return body[: found.start()] + frame + body[found.end() :]
