"""Battlesnake in a terminal: a frame as text with rich's markup.

Every place is two characters wide: a head is its snake's number and @, a body is filled in its snake's colour and has
its number; a hazard is ~, and shows behind food and bodies. The colours are Okabe and Ito's, which people with any
kind of colour vision can distinguish.
"""

from __future__ import annotations

from collections.abc import Sequence

from dohyo.classics.battlesnake_hazards import SIZE
from dohyo.core.game import Frame
from dohyo.i18n import ENGLISH, Speaker

PLAYERS = ("#56b4e9", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#f0e442", "#0072b2", "#8d8379")
FREE = "#6f7884 on #2d333b"
FOOD = "bold #ff7b72 on #2d333b"
HAZARD = "#e3b341 on #4d3b1f"
QUIET = "#8a929e"
NAME_CELLS = 24


def terminal(frame: Frame, names: Sequence[str], speaker: Speaker = ENGLISH) -> str:
    """The board, and the snakes beside it."""
    hazards = {*map(tuple, frame["hazards"])}
    behind = {
        at: "~" if at in hazards else " " for at in ((row, column) for row in range(SIZE) for column in range(SIZE))
    }
    cells = dict.fromkeys(hazards, f"[{HAZARD}]~~[/]")
    cells |= {at: f"[{FOOD}]*{behind[at]}[/]" for at in map(tuple, frame["food"])}
    for p, snake in enumerate(frame["snakes"]):
        for row, column in snake["body"]:
            cells[row, column] = f"[#000000 on {PLAYERS[p]}]{p}{behind[row, column]}[/]"
        for row, column in snake["body"][:1]:
            cells[row, column] = f"[bold #000000 on {PLAYERS[p]}]{p}@[/]"
    for p, row, column in frame["fallen"]:
        cells[row, column] = f"[bold {PLAYERS[p]}]{p}x[/]"
    free = f"[{FREE}]. [/]"
    board = ["".join(cells.get((row, column), free) for column in range(SIZE)) for row in range(SIZE)]
    beside = [_player(frame["snakes"][p], p, name, speaker) for p, name in enumerate(names)]
    beside += [""] * (SIZE - len(beside))
    return "\n".join(f"{row}  {text}".rstrip() for row, text in zip(board, beside, strict=True))


def _player(snake: Frame, p: int, name: str, speaker: Speaker) -> str:
    from rich.cells import set_cell_size
    from rich.markup import escape

    key = "battlesnake.out" if snake["out"] else "battlesnake.fares"
    fares = speaker.say(key, length=snake["length"], health=snake["health"])
    shown = escape(set_cell_size(name, NAME_CELLS))
    return f"[bold #000000 on {PLAYERS[p]}] {p} [/] [{PLAYERS[p]}]{shown}[/] [{QUIET}]{fares}[/]"
