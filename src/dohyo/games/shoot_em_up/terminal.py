"""Shoot-Em-Up in a terminal: a frame as text with rich's markup."""

from __future__ import annotations

from collections.abc import Sequence

from dohyo.core.game import Frame
from dohyo.core.words import say
from dohyo.games.shoot_em_up.rules import WIDTH
from dohyo.games.shoot_em_up.words import WORDS

ROBOTS = ("#56b4e9", "#f0e442")
SHOTS = ("+", "-")
EMPTY = ("· ", "#8a929e on #2d333b")
ROWS_A_ROBOT = 5  # beside the board


def terminal(frame: Frame, names: Sequence[str], language: str = "en") -> str:
    """The board and the robots beside it: 10 lines of at most 78 columns."""
    squares = [[EMPTY] * WIDTH for _ in range(WIDTH)]
    for mark in frame["marks"]:
        if mark[0] == "shot":
            _draw_shot(squares, mark)
    for p, robot in reversed(list(enumerate(frame["robots"]))):
        if robot["x"] is not None:
            squares[robot["y"]][robot["x"]] = (f"{p} ", f"bold #000000 on {ROBOTS[p]}")
    beside = [line for p in range(len(names)) for line in _robot(frame, p, names[p], language)]
    rows = ["".join(f"[{style}]{text}[/]" for text, style in row) for row in squares]
    return "\n".join(f"{row}  {line}" for row, line in zip(rows, beside, strict=True))


def _draw_shot(squares: list[list[tuple[str, str]]], mark: Sequence[int]) -> None:
    """A shot's line to the edge of the board."""
    _, p, x, y, dx, dy, power = mark
    x, y = x + dx, y + dy
    while 0 <= x < WIDTH and 0 <= y < WIDTH:
        squares[y][x] = (f"{SHOTS[p]} ", f"{'bold' if power else 'dim'} {ROBOTS[p]} on #2d333b")
        x, y = x + dx, y + dy


def _robot(frame: Frame, p: int, name: str, language: str) -> list[str]:
    """Five lines about a robot: its name, its hits, its gun, what it does now, nothing."""
    from rich.cells import set_cell_size
    from rich.markup import escape

    robot = frame["robots"][p]
    hits = "?" if robot["hits"] is None else "✕" * robot["hits"] + "·" * (3 - robot["hits"])
    gun = (
        "" if robot["ready"] is None else say(f"shoot-em-up.{'ready' if robot['ready'] else 'cold'}", language, WORDS)
    )
    return [
        f"[bold #000000 on {ROBOTS[p]}]{p} [/] [{ROBOTS[p]}]{escape(set_cell_size(name, 30).rstrip())}[/]",
        f"   {say('shoot-em-up.hits', language, WORDS)} {hits}",
        f"   {gun}",
        f"   {frame['line'] if frame['mover'] == p else ''}",
        "",
    ]
