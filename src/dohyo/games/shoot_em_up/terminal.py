"""Shoot-Em-Up in a terminal: a frame as text with rich's markup."""

from __future__ import annotations

from collections.abc import Sequence

from dohyo.core.game import Frame
from dohyo.games.shoot_em_up.rules import LIVES, WIDTH
from dohyo.i18n import ENGLISH, Speaker

ROBOTS = ("#56b4e9", "#f0e442")
SHOTS = ("+", "-")
EMPTY = ("· ", "#8a929e on #2d333b")


def terminal(frame: Frame, names: Sequence[str], speaker: Speaker = ENGLISH) -> str:
    """The board and the robots beside it: 10 lines of at most 78 columns."""
    squares = [[EMPTY] * WIDTH for _ in range(WIDTH)]
    robots = list(enumerate(frame["robots"]))
    for p, robot in reversed(robots):
        if robot["shot"]:
            style = f"{'bold' if robot['shot']['power'] else 'dim'} {ROBOTS[p]} on #2d333b"
            for x, y in robot["shot"]["squares"]:
                squares[y][x] = (f"{SHOTS[p]} ", style)
    for p, robot in reversed(robots):
        if robot["x"] is not None and robot["lost"] != "left":
            squares[robot["y"]][robot["x"]] = (f"{p} ", f"bold #000000 on {ROBOTS[p]}")
    beside = [line for p in range(len(names)) for line in _robot(frame, p, names[p], speaker)]
    rows = ["".join(f"[{style}]{text}[/]" for text, style in row) for row in squares]
    return "\n".join(f"{row}  {line}" for row, line in zip(rows, beside, strict=True))


def _robot(frame: Frame, p: int, name: str, speaker: Speaker) -> list[str]:
    """Five lines about a robot: its name, its hits, its gun, what it does now, nothing."""
    from rich.cells import set_cell_size
    from rich.markup import escape

    robot = frame["robots"][p]
    hits = "?" if robot["hits"] is None else "✕" * robot["hits"] + "·" * (LIVES - robot["hits"])
    gun = "" if robot["ready"] is None else speaker.say(f"shoot-em-up.{'ready' if robot['ready'] else 'cold'}")
    return [
        f"[bold #000000 on {ROBOTS[p]}]{p} [/] [{ROBOTS[p]}]{escape(set_cell_size(name, 30).rstrip())}[/]",
        f"   {speaker.say('shoot-em-up.hits')} {hits}",
        f"   {gun}",
        f"   {(frame['line'] or '') if frame['mover'] == p else ''}",
        "",
    ]
