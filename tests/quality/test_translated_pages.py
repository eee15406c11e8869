"""Pages that stand in English and Japanese say the same: commands, code, headings, tables, links."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from tests.quality.project import ROOT, files

FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
COMMENT = re.compile(r"\s+#.*|\s+//.*")
JAPANESE = re.compile(r"[ぁ-んァ-ヶ一-龠]")

PAGES = [path for path in files() if path.name.endswith(".ja.md")]
OURS = [
    ROOT / "README.ja.md",
    *sorted((ROOT / "docs").glob("*.ja.md")),
    *sorted((ROOT / "docs" / "how-to").glob("*.ja.md")),
]  # said sentence by sentence, not freely as games' rules are


def english(page: Path) -> Path:
    """The English page of a Japanese one."""
    return page.with_name(page.name.replace(".ja.md", ".md"))


def commands(text: str) -> list[str]:
    """What stands in blocks of code, without comments and without what a person is told in some language."""
    typed = [
        block for block in FENCE.findall(text) if not block.startswith("```text\n")
    ]  # that is printed, not typed
    lines = [line for block in typed for line in block.splitlines()]
    bare = [COMMENT.sub("", line).rstrip() for line in lines if not line.startswith((" ✓", " ✗", "    "))]
    return [line for line in bare if line and not JAPANESE.search(line)]


def quoted(text: str) -> Counter[str]:
    """Every word in code marks outside the blocks."""
    return Counter(re.findall(r"`([^`\n]+)`", FENCE.sub("", text)))


def links(text: str) -> set[str]:
    """Where a page leads to, and its pictures; what is there in two languages counts as one."""
    return {link.replace(".ja.", ".") for link in re.findall(r"\]\(([^)#\s]+)", text)}


def shape(text: str) -> list[str]:
    """The headings' levels and the rows of tables, in their order."""
    lines = FENCE.sub("", text).splitlines()
    return [line.split()[0] if line.startswith("#") else f"| {line.count('|')}" for line in lines if line[:1] in "#|"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_both_pages_lead_to_each_other(page: Path) -> None:
    """A Japanese page and its English one have a link to each other at the top."""
    other = english(page)
    assert other.exists()
    assert f"[English]({other.name})" in page.read_text(encoding="utf-8")[:200]
    assert f"[日本語]({page.name})" in other.read_text(encoding="utf-8")[:200]


@pytest.mark.parametrize("page", OURS, ids=lambda page: page.name)
def test_the_same_commands(page: Path) -> None:
    """Each command and each line of code is the same in both, in the same order."""
    texts = [path.read_text(encoding="utf-8") for path in (page, english(page))]
    assert len(commands(texts[0])) > 3 or page.parent.name == "how-to"
    assert commands(texts[0]) == commands(texts[1])


@pytest.mark.parametrize("page", OURS, ids=lambda page: page.name)
def test_the_same_words_in_code_marks(page: Path) -> None:
    """No option, file or variable that one page names is missing in the other."""
    texts = [path.read_text(encoding="utf-8") for path in (page, english(page))]
    assert set(quoted(texts[0])) == set(quoted(texts[1]))


@pytest.mark.parametrize("page", OURS, ids=lambda page: page.name)
def test_the_same_headings_tables_and_links(page: Path) -> None:
    """Both have as many headings and rows of tables, and lead to the same pages."""
    texts = [path.read_text(encoding="utf-8") for path in (page, english(page))]
    assert shape(texts[0]) == shape(texts[1])
    assert links(texts[0]) - {page.name} - {english(page).name} == links(texts[1]) - {page.name, english(page).name}
