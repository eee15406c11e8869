"""The page of questions: there are many, and each is answered shortly, with a command or a way to more.

That its commands are taken and its links lead somewhere is tested for every page, by the files beside this one.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
FEWEST = 35  # questions
MAX_LINES = 14  # of an answer, with its command and the empty lines


def answers(page: str) -> dict[str, str]:
    """Each question with its answer."""
    parts = re.split(r"^### ", (DOCS / page).read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    return {part.split("\n", 1)[0]: part.split("\n", 1)[1].split("\n## ", 1)[0].strip() for part in parts}


@pytest.mark.parametrize("page", ["faq.md", "faq.ja.md"])
def test_answers_are_short_questions_many(page: str) -> None:
    """An answer is read in half a minute, and names what to type or where there is more."""
    found = answers(page)
    assert len(found) >= FEWEST
    for question, answer in found.items():
        assert len(answer.splitlines()) <= MAX_LINES, question
        assert "](" in answer or "```" in answer, f"{question}: neither a command nor a link"
