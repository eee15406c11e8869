"""One page's Markdown as what the generator takes: headings with GitHub's identifiers, all else as HTML."""

from __future__ import annotations

import html
import re
import unicodedata
from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token
from pygments import highlight  # type: ignore[import-untyped]
from pygments.formatters import HtmlFormatter  # type: ignore[import-untyped]
from pygments.lexers import get_lexer_by_name  # type: ignore[import-untyped]
from pygments.util import ClassNotFound  # type: ignore[import-untyped]

from docs.website.pages import plain

PLAIN_CODE = ("", "text", "txt", "none")
FILE_NAME = re.compile(r"^[\w./-]+\.md$")  # the whole text of a link
OTHER_LANGUAGE = re.compile(r"^\[[^\]]+\]\([^)\s]+\.md\)$")  # the link to the same page in the other language


class Rendered(NamedTuple):
    """A page for the generator, and the identifiers of its headings, in their order."""

    text: str
    identifiers: list[str]


class Heading(NamedTuple):
    """A heading of a page."""

    level: int
    words: str  # Markdown
    identifier: str


def parser() -> MarkdownIt:
    """Markdown as GitHub reads it."""
    return MarkdownIt("gfm-like", {"linkify": False, "html": True, "highlight": _highlighted})


@cache  # a page without a translation is shown on the site of each language
def _highlighted(code: str, language: str, attributes: str) -> str:
    """A block of code, in the shape that the site's style expects. It begins with `<pre`, as the parser asks."""
    name = language.lower()
    if name in PLAIN_CODE:
        body = html.escape(code, quote=False)
    else:
        try:
            body = highlight(code, get_lexer_by_name(name), HtmlFormatter(nowrap=True))
        except ClassNotFound:
            body = html.escape(code, quote=False)
    return f'<pre class="highlight"><code>{body}</code></pre>'


@cache
def headings(text: str) -> list[Heading]:
    """The headings of a page that do not stand in a list or a quotation."""
    return _headings(parser().parse(text))


def _headings(tokens: list[Token]) -> list[Heading]:
    seen: Counter[str] = Counter()
    found = []
    for at, token in enumerate(tokens):
        if token.type == "heading_open" and token.level == 0:
            words = tokens[at + 1].content
            slug = slug_of(words)
            found.append(Heading(int(token.tag[1]), words, slug if not seen[slug] else f"{slug}-{seen[slug]}"))
            seen[slug] += 1
    return found


def slug_of(words: str) -> str:
    """The identifier that GitHub gives a heading."""
    return re.sub(r"[^\w\- ]", "", plain(words).lower()).replace(" ", "-")


def rendered(
    text: str,
    resolve: Callable[[str], str],
    language: str,
    aliases: list[str] | None = None,
    title: Callable[[str], str] = lambda link: "",
) -> Rendered:
    """The page for the generator.

    `resolve` gives a link as the site writes it; `language` is the one that the text is in. `aliases` are further
    identifiers of the headings: those of the English page, by which other pages may lead to this one. `title` gives
    the title of the page that a link leads to, "" where it leads to none.
    """
    markdown = parser()
    environment: dict[str, Any] = {}
    tokens = markdown.parse(text, environment)
    for token in tokens:
        _name_links(token.children or [], title)
        _rewrite(token, resolve)
    tokens = _without_language_link(tokens)
    found = _headings(tokens)
    aliases = aliases if aliases is not None and len(aliases) == len(found) else []
    parts: list[str] = []
    chunk: list[Token] = []
    number = 0
    at = 0

    def close() -> None:
        if body := markdown.renderer.render(chunk, markdown.options, environment).strip():
            parts.append(f'<div lang="{language}">\n{body}\n</div>')
        chunk.clear()

    while at < len(tokens):
        token = tokens[at]
        if token.type == "heading_open" and token.level == 0:
            close()
            heading = found[number]
            if aliases and aliases[number] != heading.identifier:
                parts.append(f'<div id="{html.escape(aliases[number])}"></div>')
            parts.append(f"{'#' * heading.level} {_for_generator(heading.words)} {{ #{heading.identifier} }}")
            number += 1
            at += 3
        else:
            chunk.append(token)
            at += 1
    close()
    return Rendered("\n\n".join(parts) + "\n", [heading.identifier for heading in found])


def _for_generator(words: str) -> str:
    """A heading's words, without links: the generator would look for their targets by its own rules."""
    return re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", words)


def _rewrite(token: Token, resolve: Callable[[str], str]) -> None:
    """Give the links and pictures below a token their places on the site."""
    for inner in token.children or []:
        _rewrite(inner, resolve)
    _join_lines(token.children or [])
    if token.type == "link_open":
        token.attrSet("href", resolve(str(token.attrGet("href"))))
    elif token.type == "image":
        token.attrSet("src", resolve(str(token.attrGet("src"))))
        token.attrSet("loading", "lazy")


def _name_links(children: list[Token], title: Callable[[str], str]) -> None:
    """Let links whose words are a file's name, as on GitHub, have the title of their page: a site has no files."""
    for at, token in enumerate(children[:-1]):
        words = children[at + 1]
        if token.type == "link_open" and words.type == "text" and FILE_NAME.match(words.content):
            words.content = title(str(token.attrGet("href"))) or words.content


def _join_lines(children: list[Token]) -> None:
    """Let no space stand where a line of the source ends between two Japanese characters."""
    for at, token in enumerate(children):
        if token.type == "softbreak":
            before = next((each.content for each in reversed(children[:at]) if each.content), "")
            after = next((each.content for each in children[at + 1 :] if each.content), "")
            if before and after and _is_wide(before[-1]) and _is_wide(after[0]):
                token.type, token.tag, token.content = "text", "", ""


def _is_wide(character: str) -> bool:
    return unicodedata.east_asian_width(character) in "WF"


def _without_language_link(tokens: list[Token]) -> list[Token]:
    """The page without the line that leads to its translation: the site's own switch does."""
    for at, token in enumerate(tokens[:8]):
        if token.type == "inline" and token.level == 1 and OTHER_LANGUAGE.match(token.content):
            words = plain(token.content)
            if words in ("English", "日本語") and tokens[at - 1].type == "paragraph_open":
                return [*tokens[: at - 1], *tokens[at + 2 :]]
    return tokens
