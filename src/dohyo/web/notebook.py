"""A replay as it shows itself in a notebook: the viewer's page in a frame of its own.

The page is stored in the notebook's file, so it is bounded. The frame (`srcdoc`, sandboxed) has no access to the
notebook around it: what is in a replay comes from strangers, here as in every page.
"""

from __future__ import annotations

import html as markup
import os

from dohyo import clean
from dohyo.core.errors import OperatorError, ReplayError
from dohyo.core.replay import Replay
from dohyo.i18n import Speaker
from dohyo.i18n.catalogue import of_locale
from dohyo.web.page import html

MAX_CHARACTERS = 4 * 1024 * 1024  # of a page that is stored in a notebook
HEIGHT = 640  # pixels; a notebook is as wide as it is


def replay_html(replay: Replay, language: str | None = None) -> str:
    """The replay as an element of HTML; a sentence in its place where that would be too large, or cannot be made.

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
