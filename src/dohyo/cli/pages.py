"""The documentation's pages, as messages name them: docs/NAME.md; a game's rules by the name of the game.

A wheel brings them; no network is needed.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from zipfile import ZipFile

from dohyo import clean
from dohyo.core.errors import OperatorError
from dohyo.core.options import nearest, some_of

PREFIX = "docs/"
PACKAGE = Path(__file__).parents[1]
PACKED = PACKAGE / "docs.zip"  # made by hatch_build.py
SOURCES = PACKAGE.parents[1]
COMMENT = re.compile(r"^ *<!--.*?-->\n?", re.DOTALL | re.MULTILINE)  # one in a line is told of
RULES = re.compile(
    r"(?:\.\./)*src/dohyo/(?:games|classics)/(\w+)/README(?:\.\w+)?\.md(?:#.*)?"
)  # as pages link to them
LONGEST_RULES = 1 << 20  # bytes that are read of a game's own text
CONTENTS = "docs/contents.md"
WIDEST = 100  # columns that are read well


def is_page(word: str) -> bool:
    """Whether a word is meant as a page."""
    return word.startswith(PREFIX) or RULES.fullmatch(word) is not None


def named(word: str) -> str:
    """The page that a word without its folder means, as `tutorial` and `docs` do; empty where there is none."""
    page = CONTENTS if word == "docs" else f"{PREFIX}{word.removesuffix('.md')}.md"
    return page if page in _all()[0] else ""


def known() -> list[str]:
    """The names of all pages, as messages name them."""
    return [name for name in _all()[0] if name.count(".") == 1]


def read(word: str, language: str) -> str:
    """The text of the page of that name, in that language if there is one.

    A place within the page may follow: docs/store.md#copies. Raises `OperatorError`, which names the nearest.
    """
    if found := RULES.fullmatch(word):
        return rules(found[1].replace("_", "-"), language)
    wanted = word.partition("#")[0]
    wanted = wanted if wanted.endswith(".md") else f"{wanted}.md"
    names, reader = _all()
    for name in (f"{wanted.removesuffix('.md')}.{language}.md", wanted):
        if name in names:
            return COMMENT.sub("", reader(name).decode())
    pages = known()
    raise OperatorError("help-no-page", name=word, nearest=nearest(wanted, pages), known=some_of(pages))


def rules(name: str, language: str) -> str:
    """The text of a game with its rules, in that language if there is one. Raises `OperatorError`."""
    from dohyo import games

    folder = Path(games.find(name).folder)
    for beside in (f"README.{language}.md", "README.md"):
        if (path := folder / beside).is_file():
            with path.open("rb") as file:
                text = file.read(LONGEST_RULES).decode("utf-8", "replace")
            return COMMENT.sub("", clean.block(text, LONGEST_RULES)) + "\n"
    raise OperatorError("help-no-rules", game=name)


def _all() -> tuple[list[str], Callable[[str], bytes]]:
    """The names of all pages, and what reads one: of the wheel, or of the sources that this is run from."""
    if PACKED.is_file():
        packed = ZipFile(PACKED)
        return sorted(packed.namelist()), packed.read
    pages = (*SOURCES.glob("docs/*.md"), *SOURCES.glob("docs/how-to/*.md"))
    return sorted(path.relative_to(SOURCES).as_posix() for path in pages), lambda name: (SOURCES / name).read_bytes()


def show(text: str) -> None:
    """Print a page: as it is written, or for the eye where the output is a terminal."""
    if not sys.stdout.isatty():
        sys.stdout.write(text)
        return
    from rich.markdown import Markdown

    from dohyo.terminal.screen import console

    out = console()
    out.print(Markdown(text, code_theme="ansi_dark", hyperlinks=False), width=min(WIDEST, out.width))
