"""The standings as a table in Markdown, for a forum or the text of a pull request.

Names may be strangers', and so may the words by which a program said why it failed. Each stands in a span of code, in
which nothing is a link, a mention or HTML; what would end that or the cell, and a line, cannot be in it. Outside of
one, forges make a mention of `\\@all` too, and a link of `www.`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from dohyo import clean
from dohyo.cli.contest_printing import NAME, cells_of, columns_of, how_far, is_right
from dohyo.i18n import say

if TYPE_CHECKING:
    from dohyo.app.contest.session import ContestView

LOOKALIKES = {"`": "'", "|": "\N{BROKEN BAR}"}
PLACES = ("<1>", "<2>")  # of strangers' words in a sentence
MARKS = re.compile(r"([\\`*_{}\[\]<>()#+!|~@&:-])")


def code(name: str, most: int = NAME) -> str:
    """A name as a span of code."""
    shown = clean.line(name, most).strip() or clean.SIGN
    return f"`{''.join(LOOKALIKES.get(letter, letter) for letter in shown)}`"


def escaped(text: str) -> str:
    """Text of ours in a cell: signs that Markdown reads stand for themselves."""
    return MARKS.sub(r"\\\1", clean.line(text))


def standings(view: ContestView, language: str) -> str:
    """What is played, how far it is, and the table."""
    from dohyo.app.contest.duel import duel
    from dohyo.app.contest.fault_reasons import fault_reasons
    from dohyo.contest.formats import BY_SHARE

    table = view.standings()
    columns = columns_of(table)
    rows = [
        [
            code(row.bot) if column == "bot" else escaped(cell) if column in ("faults", "remark") else cell
            for column, cell in zip(columns, cells, strict=True)
        ]
        for row, cells in zip(table.rows, cells_of(columns, table.rows, language), strict=True)
    ]
    about = ", ".join([view.game.title, view.spec.format, how_far(view, language)])
    headings = [say(f"contest.column.{column}", language) for column in columns]
    lines = [f"{code(view.contest.name, clean.LONGEST)}: {escaped(about)}", "", _row(headings)]
    lines.append(_row(["---:" if is_right(column) else "---" for column in columns]))
    lines += [_row(row) for row in rows]
    if table.placed_by == BY_SHARE:
        lines += ["", escaped(say("contest.by-share", language))]
    if table.rated:
        lines += ["", escaped(say("contest.markdown-elo", language))]
    if (pair := duel(view.store, view.contest.id, table)) is not None:
        lines += ["", named(pair.say(*PLACES, language), [view.name(pair.entrant), view.name(pair.other)])]
    if reasons := fault_reasons(view):
        lines.append("")
        told = (named(say("contest.reason-of", language, reason=PLACES[0], match=each.match),
                      [each.say(view.game, language)], clean.LONGEST) for each in reasons)  # fmt: skip
        lines += [f"* {code(view.name(each.entrant))}: {one}" for each, one in zip(reasons, told, strict=True)]
    return "\n".join(lines) + "\n"


def named(sentence: str, names: Sequence[str], most: int = NAME) -> str:
    """A sentence of ours with these names at `PLACES`, in one go: a name may look like such a place."""
    called = {escaped(place): code(name, most) for place, name in zip(PLACES, names, strict=False)}
    return re.sub("|".join(map(re.escape, called)), lambda found: called[found[0]], escaped(sentence))


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
