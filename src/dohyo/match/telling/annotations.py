"""What bots draw on the board: lines of a set form on their standard error.

    @mark ROW COLUMN [COLOUR]                  a square
    @arrow ROW COLUMN ROW COLUMN [COLOUR]      from one square to another
    @text ROW COLUMN WORDS                     words on a square
    @value NAME NUMBER                         a number, plotted over the match

Any other line, and one that does not fit its form, is plain text. These lines come from strangers: a line has a
longest length, a move and a page hold so many annotations and no more, a colour is one of a list or `#rrggbb`, a
number is finite, and words are cleaned as a line of text is. docs/annotations.md tells authors of them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any

from dohyo import clean
from dohyo.core.replay import Move

Annotation = list[Any]
"""As JSON: `["mark", row, column, colour]`, `["arrow", row, column, row, column, colour]`,
`["text", row, column, words]`, `["value", name, number]`; a colour is `#rrggbb`, or none for the seat's own."""

COLOURS = {
    "black": "#1c1512",
    "blue": "#1d6fd1",
    "brown": "#8a5a2b",
    "cyan": "#19a5b8",
    "green": "#1a9850",
    "grey": "#8d8379",
    "gray": "#8d8379",
    "orange": "#ec7a08",
    "pink": "#e75fa7",
    "purple": "#8e44c9",
    "red": "#d7301f",
    "white": "#ffffff",
    "yellow": "#f0c419",
}

MAX_IN_LINE = 200  # characters; a longer line is plain text
MAX_IN_MOVE = 100
MAX_IN_PAGE = 50_000
MAX_WORDS = 60  # characters
MAX_NAME = 24  # characters
MAX_NAMES = 12  # names of values in a page
MAX_VALUE = 1e12

PLACE = r"(-?\d{1,4}(?:\.\d{1,4})?)"
COLOUR = r"(?:\s+([a-z]+|#[0-9a-f]{6}))?"
FORMS = {
    "mark": re.compile(rf"{PLACE}\s+{PLACE}{COLOUR}", re.ASCII | re.IGNORECASE),
    "arrow": re.compile(rf"{PLACE}\s+{PLACE}\s+{PLACE}\s+{PLACE}{COLOUR}", re.ASCII | re.IGNORECASE),
    "text": re.compile(rf"{PLACE}\s+{PLACE}\s+(\S.*)", re.ASCII),
    "value": re.compile(r"(\S+)\s+([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?)", re.ASCII | re.IGNORECASE),
}

BEGINNING = re.compile(rf"@({'|'.join(FORMS)})\b", re.ASCII)


def drawn_in(move: Move) -> list[Annotation]:
    """What a bot drew in a move, in the order of its lines; at most `MAX_IN_MOVE`.

    The first line is left out if something before it was not stored, since it may be the end of another.
    """
    if "@" not in move.stderr:
        return []
    found = []
    for line in move.stderr.split("\n")[1 if move.stderr_dropped else 0 :]:
        if (annotation := annotation_of(line)) is not None:
            found.append(annotation)
            if len(found) == MAX_IN_MOVE:
                break
    return found


def annotation_of(line: str) -> Annotation | None:
    """The annotation that a line is; none if it is plain text."""
    if not line.startswith("@") or len(line) > MAX_IN_LINE:
        return None
    kind, _, rest = line[1:].rstrip().partition(" ")
    form = FORMS.get(kind)
    match = form.fullmatch(rest.strip()) if form else None
    if match is None:
        return None
    if kind == "value":
        number = float(match[2])
        fits = math.isfinite(number) and abs(number) <= MAX_VALUE
        return ["value", clean.line(match[1], MAX_NAME), number] if fits else None
    if kind == "text":
        return ["text", float(match[1]), float(match[2]), clean.line(match[3], MAX_WORDS)]
    *places, colour = match.groups()
    if colour is not None and not colour.startswith("#"):
        colour = COLOURS.get(colour.lower())
        if colour is None:
            return None
    return [kind, *map(float, places), None if colour is None else colour.lower()]


def broken_in(move: Move) -> list[str]:
    """The lines of a move that begin like an annotation and are none: plain text, which their author did not mean."""
    lines = move.stderr.split("\n")[1 if move.stderr_dropped else 0 :] if "@" in move.stderr else []
    return [line for line in lines if BEGINNING.match(line) and annotation_of(line) is None]


def value_names(turns: Sequence[Sequence[dict[str, Any]]]) -> list[str]:
    """The names of the values that a page's moves have, in the order in which they appear first."""
    found: dict[str, None] = {}
    for moves in turns:
        for move in moves:
            for annotation in move.get("annotations", ()):
                if annotation[0] == "value" and len(found) < MAX_NAMES:
                    found[annotation[1]] = None
    return list(found)
