"""Why a match ended, as a sentence: for `result.reason` and for the environments of learners."""

from __future__ import annotations

import os
from contextlib import suppress

from dohyo import clean, games
from dohyo.core.errors import OperatorError
from dohyo.i18n import Catalogue, Speaker, has
from dohyo.i18n.catalogue import of_locale


def reason(key: str, game: str | None, sentences: Catalogue | None) -> str:
    """The sentence of the key of a reason for which a match ended, in the language of the environment.

    `game` is the name of the game whose sentences are looked at, unless they are given. Where none has that key, it
    is the key itself, which may be a stranger's text: cleaned.
    """
    if sentences is None and game is not None:
        with suppress(OperatorError):
            sentences = games.find(game).catalogue
    known = has(key, sentences)
    return Speaker(of_locale(os.environ), sentences or {}).say(key) if known else clean.line(key)
