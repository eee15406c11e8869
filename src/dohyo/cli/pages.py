"""The documentation's pages, as messages name them: docs/NAME.md. A wheel brings them; they need no network."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from dohyo.core.errors import OperatorError
from dohyo.core.options import nearest, some_of

PREFIX = "docs/"
HERE = Path(__file__).parents[1]
PLACES = HERE / "docs", HERE.parents[1] / "docs"  # of a wheel; of the sources
COMMENT = re.compile(r"<!--.*?-->\n?", re.DOTALL)
WIDEST = 100  # columns that are read well


def is_page(word: str) -> bool:
    """Whether a word is meant as a page."""
    return word.startswith(PREFIX)


def find(word: str, language: str) -> Path:
    """The page of that name, in that language if there is one. Raises `OperatorError`, which names the nearest.

    A place within the page may follow: docs/store.md#copies.
    """
    names = {path.relative_to(place.parent).as_posix(): path for place in PLACES[::-1] for path in _pages(place)}
    wanted = word.partition("#")[0]
    wanted = wanted if wanted.endswith(".md") else f"{wanted}.md"
    translated = f"{wanted.removesuffix('.md')}.{language}.md"
    found = names.get(translated) or names.get(wanted)
    if found is None:
        known = [name for name in sorted(names) if name.count(".") == 1]
        raise OperatorError("help-no-page", name=word, nearest=nearest(wanted, known), known=some_of(known))
    return found


def _pages(place: Path) -> list[Path]:
    return [*place.glob("*.md"), *place.glob("how-to/*.md")]


def show(word: str, language: str) -> None:
    """Print a page: as it is written, or for the eye where the output is a terminal."""
    text = COMMENT.sub("", find(word, language).read_text(encoding="utf-8"))
    if not sys.stdout.isatty():
        sys.stdout.write(text)
        return
    from rich.markdown import Markdown

    from dohyo.terminal.screen import console

    out = console()
    out.print(Markdown(text, hyperlinks=False), width=min(WIDEST, out.width))
