"""Whether sentences at contests call them contests: most pages are those of ladders, too."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import dohyo.guests.site

HOME = Path(dohyo.guests.site.__file__).parent
# Pages and parts of pages at which there are ladders alone.
OF_LADDERS = {"ladder.html", "new-ladder.html", "own-matches.html"}
# Said of ladders alone, although at a page of both.
OF_LADDER = {
    "serve.at-home-choice-note",  # bots at home play at ladders alone
    "serve.begin.hand-in",
    "serve.entered",  # with one of its own for contests
    "serve.ladders",  # a heading, beside that of contests
    "serve.make",
    "serve.new-ladder",
    "serve.no-ladders",
    "serve.to-organise",  # with one of its own for contests
}


def said() -> Iterator[tuple[str, str]]:
    """Each template that is also a contest's, or nobody's, and a key that it says."""
    for path in sorted((HOME / "templates").glob("*.html")):
        if path.name not in OF_LADDERS:
            for key in re.findall(r'"(serve\.[a-z.-]+)"', path.read_text(encoding="utf-8")):
                yield path.name, key


@pytest.mark.parametrize(("language", "ladder", "contest"), [("en", "ladder", "contest"), ("ja", "ラダー", "大会")])
def test_no_page_of_both_speaks_of_ladders_alone(language: str, ladder: str, contest: str) -> None:
    """A sentence that names ladders names contests, too, or is of a page at which there are only ladders."""
    words: dict[str, str] = {}
    for section in json.loads((HOME / "words" / f"{language}.json").read_text(encoding="utf-8")).values():
        words |= section
    found = {}
    for template, key in said():
        text = re.sub(r"\{\w+", "", words.get(key, "")).lower()
        if key not in OF_LADDER and ladder in text and contest not in text:
            found[template, key] = words[key]
    assert not found
