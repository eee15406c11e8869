"""Sources without their comments, strings and characters: what is left says what a program declares.

Strangers write what is read here: reading takes no longer than in proportion to the size.
"""

from __future__ import annotations

import re

_OPENER = re.compile(r"""/\*|//|\"\"\"|"|'""")
# Quoted text from its opener on, to its end if it has one: the group is then not empty. What is inside can be read in
# one way only, so that nothing is tried twice.
_QUOTED = {
    '"""': re.compile(r'"""(?:[^"\\]|\\.|"(?!""))*("""|)', re.DOTALL),
    '"': re.compile(r'"(?:[^"\\\n]|\\.)*("|)', re.DOTALL),
    "'": re.compile(r"'(?:[^'\\\n]|\\.)*('|)", re.DOTALL),
}


def strip(text: str) -> str:
    """Source text without comments, strings and characters (in Java, C, C++, C#, Kotlin, Scala and their like)."""
    kept: list[str] = []
    at = 0
    # How far it is known of each kind that no opener there has an end. Where one has none, every later one in what it
    # ran through was escaped; from behind it on both read the same, so that one has none either.
    endless = dict.fromkeys(_QUOTED, 0)
    while (opener := _OPENER.search(text, at)) is not None:
        start = opener.start()
        end = _end(text, opener[0], start, endless)
        kept.append(text[at : start + (end == start)])
        if end > start:
            kept.append("\n" * text.count("\n", start, end) or " ")
        at = max(end, start + 1)
    return "".join((*kept, text[at:]))


def _end(text: str, opener: str, start: int, endless: dict[str, int]) -> int:
    """Where the comment or quoted text that begins at `start` ends; `start` for a quote that nothing closes."""
    if opener in ("/*", "//"):
        closer = "*/" if opener == "/*" else "\n"
        end = text.find(closer, start + 2)
        return len(text) if end < 0 else end + (len(closer) if opener == "/*" else 0)
    for kind in dict.fromkeys((opener, opener[0])):
        if start >= endless[kind]:
            found = _QUOTED[kind].match(text, start)
            if found is not None and found[1]:
                return found.end()
            endless[kind] = found.end() if found is not None else start + 1
    return start
