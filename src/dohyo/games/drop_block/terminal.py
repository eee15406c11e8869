"""Drop-Block in a terminal: a frame as text with rich's markup.

Every square is two characters wide. What a block is can be read without colours too: dots where one can stand, a
number in a grey field where it will fall, a number on an empty field where it has fallen and will come back. The
colours are Okabe and Ito's, which people with any kind of colour vision can distinguish. The arrows have the same
width in terminals of East Asian languages as in others.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from dohyo.core.game import Frame
from dohyo.games.drop_block.rules import BLOCK_WIDTH, BLOCKS, SQUARES
from dohyo.i18n import ENGLISH, Speaker

Cell = tuple[str, str]  # two characters, and their style

PLAYERS = ("#56b4e9", "#f0e442", "#cc79a7", "#009e73")
ARROWS = {"U": "▴", "R": "▸", "D": "▾", "L": "◂"}
STABLE = ("#6f7884 on #3a414b", "#5d6672 on #2d333b")  # in turn, so that one sees where a block ends
GONE = "#6f6f6f on #000000"
NUMBER = "bold #ffffff"
FALLING = ((2, "#e8743a", "#c24a00"), (6, "#ad5a28", "#8c3a08"), (99, "#7d5236", "#5e3216"))  # up to, shade, ground
NAME_CELLS = 30


def terminal(frame: Frame, names: Sequence[str], speaker: Speaker = ENGLISH) -> str:
    """The board and the players beside it, 18 lines of at most 78 columns."""
    falls = [what for kind, *what in frame["marks"] if kind == "fall"]
    taken = {(player["row"], player["column"]) for player in frame["players"]}
    taken.update((row, column) for _, row, column in falls)
    squares = [[_square(frame, row, column, taken) for column in range(SQUARES)] for row in range(SQUARES)]
    for p, row, column in falls:
        squares[row][column] = (f"{p}x", f"bold {PLAYERS[p]} on #000000")
    for p, player in enumerate(frame["players"]):
        if player["row"] is not None:
            squares[player["row"]][player["column"]] = (f"{p}{ARROWS[player['facing']]}", _badge(p))
    beside = [line for p in range(len(names)) for line in _player(frame, p, names[p], speaker)]
    beside += [""] * (SQUARES - len(beside))
    return "\n".join(f"{_runs(row)}  {line}" for row, line in zip(squares, beside, strict=True))


def _badge(p: int) -> str:
    return f"bold #000000 on {PLAYERS[p]}"


def _square(frame: Frame, row: int, column: int, taken: set[tuple[int, int]]) -> Cell:
    """An empty square: the block under it, with its number in the middle, or in a corner if somebody stands there."""
    block_row, block_column = row // BLOCK_WIDTH, column // BLOCK_WIDTH
    value = frame["blocks"][block_row * BLOCKS + block_column]
    if value == 0:
        return ". ", STABLE[(block_row + block_column) % 2]
    middle = (block_row * BLOCK_WIDTH + 1, block_column * BLOCK_WIDTH + 1)
    place = (middle[0] - 1, middle[1] - 1) if middle in taken else middle
    is_numbered = (row, column) == place
    if value < 0:
        return f"{-value:2}" if is_numbered else "  ", GONE
    shade, ground = next(colours for most, *colours in FALLING if value <= most)
    return (f"{value:2}", f"{NUMBER} on {ground}") if is_numbered else ("░░", f"{shade} on {ground}")


def _runs(cells: Sequence[Cell]) -> str:
    """A row of cells as markup, neighbours of one style together."""
    groups = groupby(cells, key=lambda cell: cell[1])
    return "".join(f"[{style}]{''.join(text for text, _ in run)}[/]" for style, run in groups)


def _player(frame: Frame, p: int, name: str, speaker: Speaker) -> list[str]:
    """Four lines about a player: its name, where it stands, what it does now, nothing."""
    from rich.cells import set_cell_size
    from rich.markup import escape

    player: dict[str, Any] = frame["players"][p]
    shown = escape(set_cell_size(name, NAME_CELLS).rstrip())
    if player["row"] is None:
        where = speaker.say("drop-block.fallen")
        return [f"[dim]{p}   {shown}[/]", f"[dim]    {where}[/]", "", ""]
    where = speaker.say("drop-block.at", row=player["row"], column=player["column"])
    if player["stun"]:
        where += f"   [bold]{speaker.say('drop-block.stunned', turns=player['stun'])}[/]"
    does = ""
    if frame["mover"] == p:
        does = speaker.say(
            "drop-block.ignored" if frame["ignored"] else "drop-block.plays",
            letter=frame["letter"],
        )
    return [
        f"[{_badge(p)}]{p}{ARROWS[player['facing']]}[/]  [{PLAYERS[p]}]{shown}[/]",
        f"    {where}",
        f"    {does}",
        "",
    ]
