"""Writing Markdown: tables, code, and pages in both languages."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from docs.website.pages import LANGUAGES, Page

Write = Callable[[str], Iterable[str]]  # the lines of a page in a language


def page(name: str, group: str, write: Write, title: str | tuple[str, str] = "", languages: int = 2) -> Page:
    """A page that stands at `docs/reference/NAME`, written in the first `languages` languages."""
    texts = {language: "\n".join(write(language)) + "\n" for language in LANGUAGES[:languages]}
    return Page(f"docs/reference/{name}", f"reference/{name}", texts, group, title)


def choose(language: str, english: str, japanese: str) -> str:
    """The sentence in that language."""
    return japanese if language == "ja" else english


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """A table, with an empty line before and after it."""
    lines = ["", f"| {' | '.join(head)} |", "|" + " --- |" * len(head)]
    lines += [f"| {' | '.join(cell(each) for each in row)} |" for row in rows]
    return [*lines, ""]


def cell(text: str) -> str:
    """A text as it may stand in a table."""
    return " ".join(text.split()).replace("|", "\\|")


def code(text: str) -> str:
    """A word in code marks; nothing for nothing."""
    if not text:
        return ""
    marks = "``" if "`" in text else "`"
    return f"{marks}{text}{marks}"


def block(text: str, kind: str = "") -> list[str]:
    """A block of code."""
    return ["", f"```{kind}", *text.strip("\n").splitlines(), "```", ""]


def safe(text: str) -> str:
    """A sentence of the code as Markdown: words in angle brackets are not tags."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(part if part.startswith("`") else part.replace("<", "\\<").replace("*", "\\*") for part in parts)
