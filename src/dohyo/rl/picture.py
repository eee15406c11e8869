"""A match as a picture, made without a browser: its terminal view, character by character, in its colours.

What every game says of its board is text with colours, so this draws every game. The letters are in `glyphs.txt`: a
line has a character and, in 26 hexadecimal digits, its 13 rows of 6 points. They are those of the X Window System's
`6x13`, which is in the public domain.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

import numpy

WIDTH, HEIGHT = 6, 13  # of a character, in points
INK, PAPER = (208, 214, 222), (22, 26, 31)  # of text that has no colour of its own
TERMINAL = (24 * HEIGHT, 80 * WIDTH)  # the least size: what games are drawn for, so that few pictures are larger
COLUMNS_STEP, ROWS_STEP = 20, 12  # what a picture grows by, so that it seldom does


def picture(markup: str, least: tuple[int, int] = TERMINAL) -> Any:
    """Rich's markup as an array (height, width, 3) of uint8, red, green and blue.

    It is at least of the size `least` (height, width), and larger where the text needs it.
    """
    from rich.cells import cell_len
    from rich.text import Text

    lines = Text.from_markup(markup, emoji=False).split("\n", allow_blank=True)
    columns = _rounded(2 + max((cell_len(line.plain) for line in lines), default=0), COLUMNS_STEP)
    rows = _rounded(2 + len(lines), ROWS_STEP)
    rows, columns = max(rows, -(-least[0] // HEIGHT)), max(columns, -(-least[1] // WIDTH))
    found = numpy.empty((rows * HEIGHT, columns * WIDTH, 3), numpy.uint8)
    found[:] = PAPER
    for row, line in enumerate(lines, 1):
        _draw_line(found[row * HEIGHT : (row + 1) * HEIGHT], line)
    return found


def _rounded(number: int, step: int) -> int:
    return -(-number // step) * step


def _draw_line(strip: Any, line: Any) -> None:
    """Draw a line of text, beginning behind the margin."""
    from rich.cells import cell_len

    colours: list[tuple[Any, Any]] = [(INK, PAPER)] * len(line.plain)
    for span in line.spans:
        ink, paper = _colours(str(span.style))
        for at in range(max(0, span.start), min(span.end, len(colours))):
            before = colours[at]
            colours[at] = (ink or before[0], paper or before[1])
    column = 1
    for letter, (ink, paper) in zip(line.plain, colours, strict=True):
        cells = cell_len(letter)
        place = strip[:, column * WIDTH : (column + cells) * WIDTH]
        place[:] = paper
        points = glyphs().get(letter)
        if points is not None:
            place[:, :WIDTH][points] = ink
        elif not letter.isspace() and cells:
            place[2:-2, 1:-1] = ink
            place[3:-3, 2:-2] = paper
        column += cells


@cache
def _colours(style: str) -> tuple[tuple[int, int, int] | None, tuple[int, int, int] | None]:
    """The colours of the letters and of the ground that a style names; nothing for one that it does not name."""
    from rich.style import Style

    read = Style.parse(style)
    ink, paper = (read.bgcolor, read.color) if read.reverse else (read.color, read.bgcolor)
    return (
        tuple(ink.get_truecolor()) if ink is not None else (PAPER if read.reverse else None),  # type: ignore[return-value]
        tuple(paper.get_truecolor()) if paper is not None else (INK if read.reverse else None),
    )


@cache
def glyphs() -> dict[str, Any]:
    """The points of each character, (HEIGHT, WIDTH) of bool."""
    lines = files("dohyo.rl").joinpath("glyphs.txt").read_text(encoding="utf-8").splitlines()
    shifts = numpy.arange(WIDTH - 1, -1, -1)
    return {
        line[0]: (numpy.frombuffer(bytes.fromhex(line[2:]), numpy.uint8)[:, None] >> shifts & 1).astype(bool)
        for line in lines
    }
