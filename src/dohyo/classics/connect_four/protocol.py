"""Connect four, the protocol: from a state to the text that a program reads, from a line to an action."""

from __future__ import annotations

from typing import Any

from dohyo.classics.connect_four.rules import ACTIONS, COLUMNS, HEIGHT, ROWS
from dohyo.core.faults import Fault, FaultKind
from dohyo.core.flat import flat
from dohyo.core.text import NEWLINE, ZERO

PROMPT_BYTES = 64  # two for the number of the seat, and six rows of eight

DOT = 46
SHOWN = 60  # characters of a line that are shown in a fault

TEXTS = (*(str(column) for column in range(COLUMNS)), "GIVE-UP")
ACTION_OF = {text: action for action, text in enumerate(TEXTS)}


@flat
def prompt(s: Any, seat: int, buffer: Any) -> int:
    """Write what `seat` is sent at its turn into `buffer` (PROMPT_BYTES long); how many bytes it has."""
    buffer[0] = ZERO + seat
    buffer[1] = NEWLINE
    at = 2
    for row in range(ROWS):
        for column in range(COLUMNS):
            buffer[at] = cell(s, column * HEIGHT + ROWS - 1 - row)
            at += 1
        buffer[at] = NEWLINE
        at += 1
    return at


@flat
def cell(s: Any, bit: int) -> int:
    """The sign of a cell: the number of the player whose stone is there, or a dot."""
    if s.stones[0] >> bit & 1:
        return ZERO
    return ZERO + 1 if s.stones[1] >> bit & 1 else DOT


def parse(reply: str, s: Any, seat: int) -> int | Fault:
    """The action in a line, which may have spaces around it; or the fault of a line that has none."""
    word = reply.strip()
    action = ACTION_OF.get(word)
    if action is None:
        shown = repr(word[:SHOWN]) + ("..." if len(word) > SHOWN else "")
        detail = f"{shown} is no column from 0 to {COLUMNS - 1}, and not GIVE-UP" if word else "an empty line"
        return Fault(FaultKind.MALFORMED, detail)
    return action


def text(action: int) -> str:
    """An action as it is sent, which `read` reads back."""
    return TEXTS[action]


assert len(TEXTS) == ACTIONS
