"""Pages that stand in English and Japanese say the same: commands, code, headings, tables, links."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from docs.website.rendering import headings

from tests.quality.project import ROOT, files

FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
COMMENT = re.compile(r"\s+#.*|\s+//.*")
LINK = re.compile(r"\[([^\[\]]*)\]\((?!https?:)([^)#\s]*\.md)#?([^)\s]*)\)(\(英語\)|、英語)?")
JAPANESE = re.compile(r"[ぁ-んァ-ヶ一-龠]")
SAID = re.compile(r"[ぁ-んァ-ヶ一-龠、`]")  # in a cell; code marks are held by another test

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


def rows(text: str) -> list[list[str]]:
    """The cells of every row of a table."""
    return [line.split(" | ") for line in FENCE.sub("", text).splitlines() if line.startswith("|")]


def leads_to_english(page: Path, headings: Callable[[Path], set[str]]) -> list[str]:
    """The links of a Japanese page to an English one, or to a heading of it, that is there in Japanese too."""
    found = []
    for text, path, anchor, note in LINK.findall(page.read_text(encoding="utf-8")):
        other = page.parent / path
        if path.endswith(".ja.md"):
            wrong = note or (anchor and anchor not in headings(other))
        else:
            wrong = text != "English" and other.with_name(f"{other.stem}.ja.md").exists()
        if wrong:
            found.append(f"[{text}]({path}{anchor and '#'}{anchor}){note}")
    return found


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
    assert commands(texts[0]) == commands(texts[1])
    assert commands(texts[0]) or "\n```" not in texts[1], "no line of its blocks was read"


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


@pytest.mark.parametrize("page", OURS, ids=lambda page: page.name)
def test_the_same_figures_in_tables(page: Path) -> None:
    """A cell of a table that is not said in Japanese is the English page's: a figure, a word of a command's."""
    texts = [path.read_text(encoding="utf-8") for path in (page, english(page))]
    for here, there in zip(rows(texts[0]), rows(texts[1]), strict=True):
        same = [pair for pair in zip(here, there, strict=False) if not SAID.search(pair[0])]
        assert [cell for cell, _ in same] == [cell for _, cell in same]


@cache
def identifiers(page: Path) -> set[str]:
    """The anchors of a page's headings."""
    return {heading.identifier for heading in headings(page.read_text(encoding="utf-8"))}


@pytest.mark.parametrize("page", OURS, ids=lambda page: page.name)
def test_a_japanese_page_leads_to_japanese_pages(page: Path) -> None:
    """Who reads Japanese stays in it, where there is a page, and is told where there is none."""
    assert leads_to_english(page, identifiers) == []
