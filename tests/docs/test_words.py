"""How much there is to read: the English words of all pages that a reader is given."""

from __future__ import annotations

import re

from docs.website.pages import Page, written_pages

MAX_WORDS = 45_000
# Written by a script, or read by who looks for what has changed or why something is as it is.
NOT_COUNTED = re.compile(r"CHANGELOG$|docs/licences$|docs/decisions/")
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
BLOCK = re.compile(r"^ *```.*?^ *```", re.DOTALL | re.MULTILINE)


def words(text: str) -> int:
    """How many words a page has, with those of its tables, without blocks of code; the lines of a table are none."""
    text = BLOCK.sub("", COMMENT.sub("", text))
    return sum(any(sign.isalnum() for sign in word) for word in text.split())


def read_by_people() -> list[Page]:
    """The pages that count: what is made from the code has no file, and is not among them."""
    return [page for page in written_pages() if not NOT_COUNTED.search(page.name)]


def test_all_pages_together_stay_short() -> None:
    """Nobody reads a hundred thousand words to hold a contest: who adds a sentence looks for one that can go.

    There were 124,000 words when each page still had its proofs, its measurements and what other pages say, and
    people did not find what they asked for.
    """
    each = {page.name: words(page.texts["en"]) for page in read_by_people()}
    longest = sorted(each.items(), key=lambda one: -one[1])[:10]
    assert sum(each.values()) <= MAX_WORDS, f"{sum(each.values()):,} words; the longest pages: {longest}"


def test_words_are_counted() -> None:
    """Marks, rules of tables, comments and blocks of code are no words; a command in a sentence is."""
    page = "# A page\n\n| a | b |\n| --- | --- |\n<!-- group: x -->\n`dohyo play` - now.\n```sh\nrm -r x\n```\n"
    assert words(page) == 7
