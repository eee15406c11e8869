"""The documentation's pages, as messages name them: docs/NAME.md; examples; a game's rules by the name of the game.

A wheel brings them; no network is needed.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from zipfile import ZipFile

from dohyo import clean
from dohyo.cli.packed_pages import PATTERNS
from dohyo.core.errors import OperatorError
from dohyo.core.options import nearest, some_of

PREFIX, EXAMPLES = "docs/", "examples"
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
MAX_ABOUT = 4  # pages that are named for a word
IN_TITLE, IN_HEADING = 100, 10  # how much more a word counts there than in the text
LONGEST_WORD = 60  # characters of a word that is looked for


def is_page(word: str) -> bool:
    """Whether a word is meant as a page, or an example."""
    return word.startswith(PREFIX) or _example(word) is not None or RULES.fullmatch(word) is not None


def _example(word: str) -> str | None:
    """The file or folder of examples that a word means, also as pages link to it; none for another word."""
    plain = word.removeprefix("../").rstrip("/")
    return plain if plain == EXAMPLES or plain.startswith(f"{EXAMPLES}/") else None


def named(word: str) -> str:
    """The page that a word without its folder means, as `tutorial` and `docs` do; empty where there is none."""
    page = CONTENTS if word == "docs" else f"{PREFIX}{word.removesuffix('.md')}.md"
    return page if page in _all()[0] else ""


def known() -> list[str]:
    """The names of all pages, as messages name them."""
    return [name for name in _all()[0] if name.startswith(PREFIX) and name.count(".") == 1]


def plain(page: str) -> str:
    """A page's name as it is typed: learning for docs/learning.md."""
    return page.removeprefix(PREFIX).removesuffix(".md")


def about(word: str, language: str) -> list[str]:
    """The pages that speak of a word the most, as they are typed, best first; none if no page has it."""
    if len(word) > LONGEST_WORD or not (stem := word.removesuffix("s")):
        return []
    start, end = ("", "") if not word.isascii() else (r"(?<![\w-])", r"s?(?![\w-])")
    pattern = re.compile(start + re.escape(stem) + end, re.IGNORECASE)
    weights = {}
    for page in known():
        lines = read(page, language).splitlines()
        weight = 0
        for at, line in enumerate(lines):
            found = len(pattern.findall(line))
            weight += found * (IN_TITLE if at == 0 else IN_HEADING if line.startswith("#") else 1)
        if weight:
            weights[page] = weight / len(lines) ** 0.5
    return [plain(page) for page in sorted(weights, key=lambda page: (-weights[page], page))[:MAX_ABOUT]]


def read(word: str, language: str) -> str:
    """The text of the page of that name, in that language if there is one.

    A place within the page may follow: docs/store.md#copies. Raises `OperatorError`, which names the nearest.
    """
    if found := RULES.fullmatch(word):
        return rules(found[1].replace("_", "-"), language)
    if (example := _example(word)) is not None:
        return _read_example(example)
    wanted = word.partition("#")[0]
    wanted = wanted if wanted.endswith(".md") else f"{wanted}.md"
    names, reader = _all()
    for name in (f"{wanted.removesuffix('.md')}.{language}.md", wanted):
        if name in names:
            return COMMENT.sub("", reader(name).decode())
    pages = known()
    raise OperatorError("help-no-page", name=word, nearest=nearest(wanted, pages), known=some_of(pages))


def _read_example(wanted: str) -> str:
    """The text of an example, or the list of a folder of them. Raises `OperatorError`."""
    names, reader = _all()
    if wanted in names:
        return reader(wanted).decode()
    examples = [name for name in names if name.startswith(f"{EXAMPLES}/")]
    if below := [name for name in examples if name.startswith(f"{wanted}/")]:
        return "".join(f"- `dohyo help {name}`\n" for name in below)
    raise OperatorError("help-no-page", name=wanted, nearest=nearest(wanted, examples), known=some_of(examples))


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
    found = {path for pattern in PATTERNS for path in SOURCES.glob(pattern) if path.is_file()}
    return sorted(path.relative_to(SOURCES).as_posix() for path in found), lambda name: (SOURCES / name).read_bytes()


def show(text: str, word: str) -> None:
    """Print what a word means: as it is written, or for the eye where the output is a terminal."""
    if not sys.stdout.isatty():
        sys.stdout.write(text)
        return
    from rich.markdown import Markdown

    from dohyo.terminal.screen import console

    out = console()
    if (example := _example(word)) is not None and example.endswith((".py", ".txt")):
        text = f"```python\n{text}```"
    out.print(Markdown(text, code_theme="ansi_dark", hyperlinks=False), width=min(WIDEST, out.width))
