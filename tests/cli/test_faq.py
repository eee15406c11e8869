"""The page of questions: its commands are ones that Dohyo takes, its links lead to places, its answers are short."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from typer.exceptions import TyperException

from dohyo.cli.main import app
from dohyo.cli.options import command_of

DOCS = Path(__file__).parents[2] / "docs"
PAGES = ["faq.md", "faq.ja.md"]
TRANSLATED = sorted(page.name for page in DOCS.glob("*.ja.md"))
FENCE = re.compile(r"^```\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MOST_LINES = 14  # of an answer, with its command and the empty lines


def text_of(page: str) -> str:
    """A page of the documentation."""
    return (DOCS / page).read_text(encoding="utf-8")


def answers(page: str) -> dict[str, str]:
    """Each question with its answer."""
    parts = re.split(r"^### ", text_of(page), flags=re.MULTILINE)[1:]
    return {part.split("\n", 1)[0]: part.split("\n", 1)[1].split("\n## ", 1)[0].strip() for part in parts}


def typed(page: str) -> list[str]:
    """The command lines of a page."""
    return [line for block in FENCE.findall(text_of(page)) for line in block.splitlines()]


def parse(words: list[str]) -> None:
    """Read a command line as `dohyo` would, and stop before anything is done.

    Raises TyperException for an unknown command or option, and for words that are missing or too many.
    """
    command: Any = command_of(app)
    context = command.make_context("dohyo", list(words), obj="en")
    while hasattr(command, "resolve_command"):
        name, command, rest = command.resolve_command(context, [*context._protected_args, *context.args])
        context = command.make_context(name, rest, parent=context, obj="en")


def anchors(page: str) -> set[str]:
    """What links to the headings of a page end in: small letters, no punctuation, hyphens for spaces."""
    headings = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```", "", text_of(page), flags=re.M | re.S), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("line", sorted({line for page in PAGES for line in typed(page)}))
def test_every_command_is_one(line: str) -> None:
    """A command of the page has only words and options that Dohyo knows."""
    words = shlex.split(line)
    assert words[0] == "dohyo"
    parse(words[1:])


def test_a_wrong_command_is_noticed() -> None:
    """What does not exist is refused by what the test above reads commands with."""
    for wrong in ("check", "play drop-block a b --sede 7", "contest add a.db", "contest stop a.db"):
        with pytest.raises(TyperException):
            parse(wrong.split())


@pytest.mark.parametrize("page", PAGES)
def test_answers_are_short_questions_many(page: str) -> None:
    """At least 35 questions, and each has an answer that is read in half a minute."""
    found = answers(page)
    assert len(found) >= 35
    for question, answer in found.items():
        assert len(answer.splitlines()) <= MOST_LINES, question
        assert "](" in answer or "```" in answer, f"{question}: neither a command nor a link"


@pytest.mark.parametrize("page", ["faq.md", "compared.md", *TRANSLATED])
def test_links_lead_to_a_heading(page: str) -> None:
    """A link with a place in it leads to a heading that is there, under the heading's own name."""
    for target, place in re.findall(r"\]\(([\w./-]*)#([^)]+)\)", text_of(page)):
        there = str((DOCS / target).resolve()) if target else page
        assert place in anchors(there), f"{target}#{place}"
