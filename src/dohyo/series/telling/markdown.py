"""The standings as a table in Markdown, for a forum or the text of a pull request.

Names may be strangers', and so may the words by which a program said why it failed, or somebody why a result does not
count. Each stands in a span of code, in
which nothing is a link, a mention or HTML; what would end that or the cell, and a line, cannot be in it. Outside of
one, forges make a mention of `\\@all` too, and a link of `www.`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from dohyo import clean
from dohyo.core.game import title_in
from dohyo.i18n import Speaker
from dohyo.series.telling.cells import NAME, cells_of, columns_of, is_right, table_names
from dohyo.series.telling.words import format_in, how_far

if TYPE_CHECKING:
    from dohyo.series.session import ContestView

LOOKALIKES = {"`": "'", "|": "\N{BROKEN BAR}"}
MARKS = re.compile(r"([\\`*_{}\[\]<>()#+!|~@&:-])")


def code(name: str, most: int = NAME) -> str:
    """A name as a span of code."""
    shown = clean.line(name, most).strip() or clean.SIGN
    return f"`{''.join(LOOKALIKES.get(letter, letter) for letter in shown)}`"


def escaped(text: str) -> str:
    """Text of ours in a cell: signs that Markdown reads stand for themselves."""
    return MARKS.sub(r"\\\1", clean.line(text))


def standings(view: ContestView, speaker: Speaker) -> str:
    """What is played, how far it is, and the table."""
    from dohyo.series.fault_reasons import fault_reasons
    from dohyo.series.formats import BY_SHARE
    from dohyo.series.rulings import Book, sentences
    from dohyo.series.standings import share_note

    table = view.standings()
    columns, names = columns_of(table), table_names(table, speaker)
    rows = [
        [
            code(cell, clean.LONGEST)
            if column == "bot"
            else escaped(cell)
            if column in ("faults", "remark")
            else cell
            for column, cell in zip(columns, cells, strict=True)
        ]
        for cells in cells_of(columns, table.rows, names, speaker)
    ]
    about = speaker.listed(
        [title_in(view.game, speaker), format_in(view.spec.format, speaker), how_far(view, speaker)]
    )
    headings = [speaker.say(f"contest.column.{column}") for column in columns]
    lines = [f"{code(view.contest.name, clean.LONGEST)}: {escaped(about)}", "", _row(headings)]
    lines.append(_row(["---:" if is_right(column) else "---" for column in columns]))
    lines += [_row(row) for row in rows]
    if table.placed_by == BY_SHARE:
        lines += ["", escaped(speaker.say(share_note(view.format)))]
    if table.rated:
        lines += ["", escaped(speaker.say("contest.markdown-elo"))]
    words: list[str] = []
    if ruled := sentences(Book(view), speaker, lambda name: place(words, clean.line(name, NAME)),
                          lambda because: place(words, because)):  # fmt: skip
        lines += ["", *(f"* {named(each, words, clean.LONGEST)}" for each in ruled)]
    if reasons := fault_reasons(view):
        lines.append("")
        told = (named(speaker.say("contest.reason-of", reason=place([], ""), match=each.match),
                      [each.say(view.game, speaker)], clean.LONGEST) for each in reasons)  # fmt: skip
        lines += [
            f"* {code(names[each.entrant], clean.LONGEST)}: {one}" for each, one in zip(reasons, told, strict=True)
        ]
    return "\n".join(lines) + "\n"


def place(words: list[str], word: str) -> str:
    """Where a stranger's word stands in a sentence until `named` puts it there; it is added to these."""
    words.append(word)
    return f"<{len(words)}>"


def named(sentence: str, words: Sequence[str], most: int = NAME) -> str:
    """A sentence of ours with these words at their places, in one go: a word may look like such a place."""
    if not words:
        return escaped(sentence)
    called = {escaped(f"<{at}>"): code(word, most) for at, word in enumerate(words, 1)}
    return re.sub("|".join(map(re.escape, called)), lambda found: called[found[0]], escaped(sentence))


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
