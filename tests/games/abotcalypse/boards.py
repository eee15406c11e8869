"""Boards of aBOTcalypse by hand: bots where one wants them, columns as high as one wants them."""

from __future__ import annotations

from typing import Any

from dohyo.core.faults import Fault
from dohyo.core.flat import read_events
from dohyo.core.options import resolve
from dohyo.games.abotcalypse import GAME, rules
from dohyo.games.abotcalypse.board import ALIVE, TOP, WIDTH
from dohyo.games.abotcalypse.protocol import parse


def board(*bots: tuple[int, int], **columns: int) -> Any:
    """A board under `post` with bots at (x, y), and columns such as `x5=3`: three rocks in column 5."""
    setup = {"columns": ",".join(str(number) for number in range(len(bots)))}
    s = GAME.new_state(resolve(GAME.options, setup), len(bots))
    for b, (x, y) in enumerate(bots):
        s.x[b], s.y[b] = x, y
    for name, height in columns.items():
        s.height[int(name[1:])] = height
    return s


def play(s: Any, *replies: str, meteor: tuple[int, int] = (-90, 99)) -> list[tuple[int, int, int, int]]:
    """Play a turn; bots without a reply rest, and the meteor (angle, column) enters. What happened, as events."""
    rules.deal(s, list(meteor), None)
    actions = []
    for b in range(s.bots):
        action = parse(replies[b] if b < len(replies) else "rest", s, b)
        assert not isinstance(action, Fault), action
        actions.append(action)
    events = GAME.new_events()
    rules.step(s, actions, events)
    return list(read_events(events))


def where(s: Any, b: int) -> tuple[int, int] | None:
    """Where a bot lives; none when it is dead."""
    return (s.x[b], s.y[b]) if s.status[b] == ALIVE else None


def heights(s: Any) -> dict[int, int]:
    """The columns that hold rocks."""
    return {x: height for x, height in enumerate(s.height) if height}


def nothing_floats(s: Any) -> bool:
    """Whether every column is as high as can be, and every live bot in its stack or on top of it, on the board."""
    return all(0 <= height <= WIDTH for height in s.height) and all(
        0 <= s.x[b] < WIDTH and 0 <= s.y[b] <= min(s.height[s.x[b]], TOP)
        for b in range(s.bots)
        if s.status[b] == ALIVE
    )
