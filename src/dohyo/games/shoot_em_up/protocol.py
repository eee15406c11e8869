"""Shoot-Em-Up, the protocol: lines to a robot's program, and its moves back.

Source: the assignment's text, sections on the program's input and output.
"""

from __future__ import annotations

import re
from typing import Any

from dohyo.core.faults import KEPT, Fault, FaultKind
from dohyo.core.flat import flat
from dohyo.core.text import NEWLINE, SPACE, put
from dohyo.games.shoot_em_up.rules import ERROR, MOVES, X_OF, Y_OF, winner

COMMENT = "/"  # lines that begin with it are not answers
PROMPT_BYTES = 32

PLACE, HIT, NOTHING, WON, LOST = 80, 72, 78, 87, 76  # P H N W L

LINE = re.compile(r"([MS]) (-1|0|1) (-1|0|1)")
ACTION_OF = {(i >= MOVES, X_OF[i], Y_OF[i]): i for i in range(len(X_OF))}


@flat
def prompt(s: Any, seat: int, buffer: Any) -> int:
    """Write the line that asks for the seat's next action: where it starts, or what the opponent did."""
    if s.told[seat] == 0:
        return put_pair(buffer, 0, PLACE, s.x[seat], s.y[seat])
    if s.was_hit[seat]:
        return put_pair(buffer, 0, HIT, s.hit_x[seat], s.hit_y[seat])
    return put_letter(buffer, 0, NOTHING)


@flat
def farewell(s: Any, seat: int, buffer: Any) -> int:
    """Write the last line: won or lost; the protocol has no line for a draw, so both are told that they lost.

    A seat that was never asked is first told where it would have started.
    """
    at = 0
    if s.told[seat] == 0:
        at = put_pair(buffer, at, PLACE, s.x[seat], s.y[seat])
    return put_letter(buffer, at, WON if winner(s) == seat else LOST)


@flat
def put_letter(buffer: Any, at: int, letter: int) -> int:
    """A line of one letter."""
    buffer[at] = letter
    buffer[at + 1] = NEWLINE
    return at + 2


@flat
def put_pair(buffer: Any, at: int, letter: int, x: int, y: int) -> int:
    """A line of a letter and two numbers."""
    buffer[at] = letter
    buffer[at + 1] = SPACE
    at = put(buffer, at + 2, x)
    buffer[at] = SPACE
    at = put(buffer, at + 1, y)
    buffer[at] = NEWLINE
    return at + 1


def parse(reply: str, s: Any, seat: int) -> int | Fault:
    """The action in a line: exactly one space between its parts, numbers -1, 0, 1, no shot at the own square."""
    found = LINE.fullmatch(reply)
    if found is None:
        return Fault(FaultKind.MALFORMED, "shoot-em-up.detail.no-action", {"written": reply[:KEPT]})
    action = ACTION_OF.get((found[1] == "S", int(found[2]), int(found[3])))
    return Fault(FaultKind.MALFORMED, "shoot-em-up.detail.no-direction") if action is None else action


def text(action: int) -> str:
    """An action as the line that `parse` reads."""
    if action == ERROR:
        return "ERROR"
    return f"{'S' if action >= MOVES else 'M'} {X_OF[action]} {Y_OF[action]}"
