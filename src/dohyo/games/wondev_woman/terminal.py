"""Wondev Woman in a terminal: a frame as text with rich's markup.

Every cell is four characters wide: its height, then the unit on it, A0 or A1 of the first player, B0 or B1 of the
other: the letter is the player's, the number what actions and their words call the unit. The colours are Okabe and
Ito's, which people with any kind of colour vision tell apart; the ground grows lighter with every level.
"""

from __future__ import annotations

from collections.abc import Sequence

from dohyo.core.game import Frame
from dohyo.i18n import ENGLISH, Speaker

PLAYERS = ("#56b4e9", "#f0e442")
LETTERS = "AB"  # of the players
LEVELS = (  # by height; the last is out of play
    "#8a929e on #24292f",
    "#b3bac4 on #3d4650",
    "#ffffff on #66727f",
    "#000000 on #c9d1d9",
    "#5a5a5a on #000000",
)
FOG = "#6f6f6f"  # the height's colour where the seat does not see who is there
ROW = 9  # at least so many lines, so that the players fit beside the board
NAME_CELLS = 30


def terminal(frame: Frame, names: Sequence[str], speaker: Speaker = ENGLISH) -> str:
    """The board and the players beside it."""
    who = {
        tuple(cell): (p, f"{LETTERS[p]}{unit}")
        for p, cells in enumerate(frame["units"])
        for unit, cell in enumerate(cells)
        if cell is not None
    }
    size = len(frame["heights"])
    board = ["".join(_cell(frame, x, y, who.get((x, y))) for x in range(size)) for y in range(size)]
    board += [" " * 4 * size] * (ROW - size)
    beside = [line for p, name in enumerate(names) for line in _player(frame, p, name, speaker)]
    beside += [""] * (len(board) - len(beside))
    return "\n".join(f"{row}  {line}" for row, line in zip(board, beside, strict=True))


def _cell(frame: Frame, x: int, y: int, unit: tuple[int, str] | None) -> str:
    """One cell: nothing for a hole, its height, and who is on it."""
    height = frame["heights"][y][x]
    if height is None:
        return "    "
    style = LEVELS[height]
    if not frame["seen"][y][x]:
        style = f"{FOG} on {style.split()[-1]}"
    if unit is None:
        return f"[{style}] {height}  [/]"
    p, name = unit
    return f"[{style}] {height}[/][bold #000000 on {PLAYERS[p]}]{name}[/]"


def _player(frame: Frame, p: int, name: str, speaker: Speaker) -> list[str]:
    """Four lines about a player: its name, its score, what it does now, nothing."""
    from rich.cells import set_cell_size
    from rich.markup import escape

    shown = escape(set_cell_size(name, NAME_CELLS).rstrip())
    score = frame["scores"][p]
    line = speaker.say("wondev-woman.score", score="?" if score is None else score)
    if frame["out"][p]:
        line += f"   [bold]{speaker.say('wondev-woman.out')}[/]"
    does = ""
    if frame["mover"] == p and frame["action"] is not None:
        does = speaker.say("wondev-woman.plays", action=frame["action"])
    return [
        f"[bold #000000 on {PLAYERS[p]}] {LETTERS[p]} [/]  [{PLAYERS[p]}]{shown}[/]",
        f"     {line}",
        f"     {does}",
        "",
    ]
