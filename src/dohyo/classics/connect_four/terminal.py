"""Connect four in a terminal: a frame as text with rich's markup.

Every cell is three characters wide: the number of the player whose stone is there, in brackets if it is in a row of
four. The colours are Okabe and Ito's, which people with any kind of colour vision can distinguish.
"""

from __future__ import annotations

from collections.abc import Sequence

from dohyo.classics.connect_four.rules import COLUMNS, ROWS
from dohyo.core.game import Frame
from dohyo.i18n import ENGLISH, Speaker

PLAYERS = ("#56b4e9", "#f0e442")
FREE = "#6f7884 on #2d333b"
NUMBERS = "#8a929e"
NAME_CELLS = 30


def terminal(frame: Frame, names: Sequence[str], speaker: Speaker = ENGLISH) -> str:
    """The board with the columns' numbers below, and the players beside it."""
    line = {(column, row) for column, row in frame["line"]}
    board = [
        "".join(_cell(frame["rows"][row][column], (column, row) in line) for column in range(COLUMNS))
        for row in range(ROWS)
    ]
    board.append("".join(f"[{NUMBERS}] {column} [/]" for column in range(COLUMNS)))
    beside = [text for p, name in enumerate(names) for text in _player(frame, p, name, speaker)]
    beside += [""] * (len(board) - len(beside))
    return "\n".join(f"{row}  {text}" for row, text in zip(board, beside, strict=True))


def _cell(owner: int | None, in_line: bool) -> str:
    if owner is None:
        return f"[{FREE}] . [/]"
    left, right = ("\\[", "]") if in_line else (" ", " ")  # rich reads an opening bracket as markup
    return f"[bold #000000 on {PLAYERS[owner]}]{left}{owner}{right}[/]"


def _player(frame: Frame, p: int, name: str, speaker: Speaker) -> list[str]:
    """Three lines about a player: its name, what it does now, nothing."""
    from rich.cells import set_cell_size
    from rich.markup import escape

    does = ""
    if frame["mover"] == p:
        gives_up = not frame["action"].isdigit()
        key = "connect-four.plays-out" if gives_up else "connect-four.plays"
        does = speaker.say(key, column=frame["action"])
    shown = escape(set_cell_size(name, NAME_CELLS).rstrip())
    return [f"[bold #000000 on {PLAYERS[p]}] {p} [/]  [{PLAYERS[p]}]{shown}[/]", f"     {does}", ""]
