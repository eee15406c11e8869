"""A game's rules, which it brings as Markdown, as a part of a page.

They may be a stranger's: markup in them is text, nothing is loaded, and a link leads to the web or nowhere.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup, escape

LONGEST = 200_000  # characters
# What is for whoever runs matches by the command line stands between these two in a game's text.
OPERATORS = re.compile(r"<!--\s*operators\s*-->.*?(?:<!--\s*players\s*-->|\Z)", re.DOTALL)
ASIDE = re.compile(r" ?\(\[[^\]\n]*\]\((?!https?:)[^)\n]*\)\)")  # a link to a file, in brackets: (how)
LOWER = {f"h{level}": f"h{min(6, level + 1)}" for level in range(1, 7)}  # the page has a title of its own


def for_players(text: str) -> str:
    """The text without what is for whoever runs matches by the command line, and without asides that are a link."""
    return ASIDE.sub("", OPERATORS.sub("", text))


def as_markup(text: str) -> Markup:
    """The text as markup, without pictures, and without links to files beside it."""
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    kept: list[Token] = []
    for token in reader.parse(text[:LONGEST]):
        token.tag = LOWER.get(token.tag, token.tag)
        if token.children is not None:
            token.children = _joined(_shown(token.children))
        kept.append(token)
        if token.type == "paragraph_close" and not kept[-2].children:  # it was pictures, or a link to a file, alone
            del kept[-3:]
    return Markup(reader.renderer.render(kept, reader.options, {}))


def _joined(tokens: Sequence[Token]) -> list[Token]:
    """A line without the breaks of its source where Japanese goes on: a browser would show a blank there."""
    kept = []
    for at, token in enumerate(tokens):
        beside = (tokens[at - 1].content[-1:], tokens[at + 1].content[:1]) if 0 < at < len(tokens) - 1 else ("", "")
        if token.type != "softbreak" or not any(map(_is_wide, beside)):
            kept.append(token)
    return kept


def _is_wide(letter: str) -> bool:
    return bool(letter) and unicodedata.east_asian_width(letter) in ("W", "F")


def _shown(tokens: Sequence[Token]) -> list[Token]:
    """What is shown of a line: of a link to a file its text, unless the line is nothing else."""
    shown, leads = list[Token](), True
    is_alone = all(token.type in ("image", "softbreak", "link_open", "link_close", "text") for token in tokens)
    has_more = False
    for token in tokens:
        if token.type == "link_open":
            leads = str(token.attrGet("href")).startswith(("https://", "http://"))
            token.attrSet("rel", "noopener noreferrer nofollow")
        is_link = token.type in ("link_open", "link_close")
        if token.type != "image" and (leads or not is_link):
            shown.append(token)
        has_more = has_more or (token.type == "text" and leads and bool(token.content.strip()))
        leads = leads or token.type == "link_close"
    return shown if has_more or not is_alone else []


def coded(text: str) -> Markup:
    """A sentence, in which what stands between `...` is code."""
    parts = text.split("`")
    if len(parts) % 2 == 0:  # one of them has no end
        return escape(text)
    code = Markup("<code>{}</code>")
    return Markup("").join(code.format(part) if at % 2 else part for at, part in enumerate(parts))
