"""ConnectX in a terminal: a frame as text with rich's markup, a letter for each cell."""

from __future__ import annotations

from collections.abc import Sequence

from dohyo.core.game import Frame
from dohyo.i18n import ENGLISH, Speaker

PLAYERS = ("#56b4e9", "#e69f00")  # Okabe and Ito's, which people with any kind of colour vision can distinguish
QUIET = "#8a929e"


def terminal(frame: Frame, names: Sequence[str], speaker: Speaker = ENGLISH) -> str:
    """The players with their letters and columns, and the board above the numbers of its columns."""
    from rich.markup import escape

    board = frame["fields"]["board"]
    rows, columns = board["shape"]
    changed = {at for _, at in frame["changed"]}
    lines = [
        f"[{PLAYERS[seat]}]{board['signs'][seat + 1]}[/] {escape(name)}  {frame['actions'][seat] or ''}".rstrip()
        for seat, name in enumerate(names)
    ]
    lines.append("")
    for row in range(rows):
        cells = [_cell(board, row * columns + column, changed) for column in range(columns)]
        lines.append(" ".join(cells))
    return "\n".join([*lines, f"[{QUIET}]{' '.join(map(str, range(columns)))}[/]"])


def _cell(board: Frame, at: int, changed: set[int]) -> str:
    value = board["values"][at]
    if not value:
        return f"[{QUIET}].[/]"
    bold = "bold reverse " if at in changed else ""
    return f"[{bold}{PLAYERS[value - 1]}]{board['signs'][value]}[/]"
