"""Strangers' names in a page: apart from the direction of the text around them, in their own language if it shows."""

from __future__ import annotations

import re

from markupsafe import Markup, escape

from dohyo import clean

# Letters that one language alone writes with.
OWN = {"ja": re.compile("[\u3041-\u30ff\uff66-\uff9d]"), "ko": re.compile("[\u1100-\u11ff\uac00-\ud7a3]")}


def named(text: str) -> Markup:
    """A name as markup: `bdi`, with its language where its letters say it."""
    language = next((language for language, letters in OWN.items() if letters.search(text)), "")
    said = f' lang="{language}"' if language else ""
    return Markup(f"<bdi{said}>{escape(clean.line(text))}</bdi>")
