"""aBOTcalypse in a terminal: a frame as text with rich's markup.

The board is wider than most terminals: one character stands for a square, the lowest rows are drawn, and as many as
the tallest thing on the board needs.
"""

from __future__ import annotations

from collections.abc import Sequence

from dohyo.core.game import Frame
from dohyo.games.abotcalypse.board import WIDTH
from dohyo.i18n import ENGLISH, Speaker

MIN_ROWS, MAX_ROWS = 12, 30
SKY = "#3a414b"
STYLES = {".": SKY, "&": "#9a8f80", "@": "bold #e69f00", "x": "bold #d55e00"}
BOTS = ("#56b4e9", "#f0e442", "#cc79a7", "#009e73", "#e69f00", "#ffffff")
LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def terminal(frame: Frame, names: Sequence[str], speaker: Speaker = ENGLISH) -> str:
    """The board's lower rows, 100 columns, and a line for each bot that lives (up to six)."""
    from rich.markup import escape

    living = [b for b, bot in enumerate(frame["bots"]) if bot["alive"] and bot["y"] is not None]
    tallest = max(
        [run[1] for runs in frame["columns"] for run in runs or []] + [frame["bots"][b]["y"] for b in living],
        default=0,
    )
    rows = min(MAX_ROWS, max(MIN_ROWS, tallest + 6))
    squares = {
        (x, y): "&"
        for x, runs in enumerate(frame["columns"])
        for low, high in runs or []
        for y in range(low, high + 1)
    }
    squares.update({(int(x), int(y)): "@" for x, y, _, _ in frame["meteors"]})
    bots = {(frame["bots"][b]["x"], frame["bots"][b]["y"]): b for b in living}
    lines = [_row(y, squares, bots) for y in range(rows - 1, -1, -1)]
    for b in living[:6]:
        lines.append(
            f"[bold {BOTS[b % 6]}]{LETTERS[b % 36]}[/] {escape(names[b])}  {escape(frame['bots'][b]['action'] or '')}"
        )
    return "\n".join(lines)


def _row(y: int, squares: dict[tuple[int, int], str], bots: dict[tuple[int, int], int]) -> str:
    cells = []
    for x in range(WIDTH):
        if (x, y) in bots:
            b = bots[x, y]
            cells.append(f"[bold #000000 on {BOTS[b % 6]}]{LETTERS[b % 36]}[/]")
        else:
            letter = squares.get((x, y), ".")
            cells.append(f"[{STYLES[letter]}]{letter if letter != '.' else '·'}[/]")
    return "".join(cells)
