"""Sentences in wide letters, broken by width: there are few spaces to break them at."""

from __future__ import annotations

import re

from rich.cells import cell_len

# Letters of which any may begin a line, marks that none begins with, and marks that none ends with.
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_CLOSING = "、。\uff0c\uff0e：\uff1b！？\uff09」』】〉》\u3015・ー々ゃゅょっァィゥェォャュョッ%)\\]…"
_OPENING = "\uff08「『【〈《\u3014(\\["
_PIECES = re.compile(
    rf"\n|[{_OPENING}]*(?:[^\W\u3000-\uffef]+(?:[^\s\u2e80-\uffef]*)|[^\s])[{_CLOSING}]*[ \t]*|[ \t]+"
)


def folded(text: str, width: int) -> str:
    """A text in wide letters, broken where a line of `width` cells is full; any other text as it is.

    Words of narrow letters stay whole. No line begins with a mark that closes, and none ends with one that opens.
    """
    if cell_len(text) <= width or not _WIDE.search(text):
        return text
    lines, line, room = [], "", width
    for piece in _PIECES.findall(text):
        if piece == "\n" or (line and cell_len(piece.rstrip()) > room):
            lines.append(line.rstrip())
            line, room = "", width
        line, room = line + piece.strip("\n"), room - cell_len(piece.strip("\n"))
    return "\n".join([*lines, line])
