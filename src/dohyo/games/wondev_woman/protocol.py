"""Wondev Woman, what travels: a state to the text that a program reads, a line to an action. No pipes here.

Source: the rule text's section on input and output, and the contest's referee for what it leaves open.
"""

from __future__ import annotations

import re
from typing import Any

from dohyo.core.faults import Fault, FaultKind
from dohyo.core.flat import flat
from dohyo.core.text import NEWLINE, SPACE, ZERO, put, put_text
from dohyo.games.wondev_woman.board import HOLE, WIDTH, cell_of, sees, slot_of
from dohyo.games.wondev_woman.legality import (
    ACTIONS,
    GIVE_UP,
    NO_MOVE,
    OUT,
    can_act,
    list_actions,
)

READY = ""

# Bytes of the longest prompt, with room to spare: 128 actions of 19 bytes (an enemy beside a unit allows three pushes
# in the place of eight moves), a board of 56, four units and three numbers; at the end, the list while it is written.
PROMPT_BYTES = 4096
LIST_AT = PROMPT_BYTES - GIVE_UP

DOT = 46

NAMES = ("E", "N", "NE", "NW", "S", "SE", "SW", "W")
KINDS = ("MOVE&BUILD", "PUSH&BUILD")
TEXTS = (  # by action
    *(f"{kind} {unit} {first} {second}" for kind in KINDS for unit in (0, 1) for first in NAMES for second in NAMES),
    "ACCEPT-DEFEAT",
    "NO-MOVE",
    "OUT",
)
# The listed actions' lines, each from a multiple of LINE_BYTES on; how long they are.
LINE_BYTES = 20
LINES = b"".join((text + "\n").encode().ljust(LINE_BYTES) for text in TEXTS[:GIVE_UP])
LENGTHS = tuple(len(text) + 1 for text in TEXTS[:GIVE_UP])

ACTION_OF = {text: action for action, text in enumerate(TEXTS)}

# The pushing word counts in capitals only. What is a digit or a space is as in ASCII.
DIRECTION = "(?i:([NS][EW]?|[EW]))"
ACTION = re.compile(rf"((?i:MOVE&BUILD)|PUSH&BUILD)\s+(\d)\s+{DIRECTION}\s+{DIRECTION}(\s.*)?", re.ASCII | re.DOTALL)
DEFEAT = re.compile(r"ACCEPT-DEFEAT(\s.*)?", re.ASCII | re.DOTALL)
SHOWN = 60  # characters of a line that are told in a fault


@flat
def prompt(s: Any, seat: int, buffer: Any) -> int:
    """Write what `seat` is sent at its turn into `buffer` (PROMPT_BYTES long); how many bytes it has."""
    count = put_list_aside(s, seat, buffer)
    at = 0
    if s.told[seat] == 0:
        at = put_line(buffer, put_line(buffer, at, s.size), s.units)
    at = put_heights(s, buffer, at)
    at = put_units(s, seat, seat, buffer, at)
    at = put_units(s, seat, 1 - seat, buffer, at)
    at = put_line(buffer, at, count)
    for i in range(count):
        action = buffer[LIST_AT + i]
        at = put_text(buffer, at, LINES, action * LINE_BYTES, LENGTHS[action], LINE_BYTES)
    return at


@flat
def put_list_aside(s: Any, seat: int, buffer: Any) -> int:
    """List the legal actions at the end of `buffer`, where the text does not reach; how many.

    There is no other room: nothing is allocated here. They fit, because those that are listed are below 256.
    """
    count = list_actions(s, seat, buffer)
    for i in range(count):
        buffer[LIST_AT + i] = buffer[i]
    return count


@flat
def put_line(buffer: Any, at: int, number: int) -> int:
    """A number alone on its line."""
    at = put(buffer, at, number)
    buffer[at] = NEWLINE
    return at + 1


@flat
def put_heights(s: Any, buffer: Any, at: int) -> int:
    """The board's rows: a digit a cell, a dot a hole."""
    for y in range(s.size):
        for x in range(s.size):
            height = s.height[cell_of(x, y)]
            buffer[at] = DOT if height == HOLE else ZERO + height
            at += 1
        buffer[at] = NEWLINE
        at += 1
    return at


@flat
def put_units(s: Any, seat: int, owner: int, buffer: Any, at: int) -> int:
    """Where the owner's units are, as `seat` sees it: one a line, -1 -1 for one that is not seen."""
    for unit in range(s.units):
        cell = s.at[slot_of(owner, unit)]
        if sees(s, seat, cell):
            at = put_pair(buffer, at, cell % WIDTH - 1, cell // WIDTH - 1)
        else:
            at = put_pair(buffer, at, -1, -1)
    return at


@flat
def put_pair(buffer: Any, at: int, x: int, y: int) -> int:
    """Two numbers on a line."""
    at = put(buffer, at, x)
    buffer[at] = SPACE
    return put_line(buffer, at + 1, y)


def parse(reply: str, s: Any, seat: int) -> int | Fault:
    """The action in a line, or the fault of a line that has none.

    A player for whom nothing is legal has no action, whatever it says. Otherwise the whole line must be an action, or
    one with a text behind it that a space or a tab parts from it; nothing may stand before it.
    """
    if not can_act(s, seat):
        return NO_MOVE
    if DEFEAT.fullmatch(reply):
        return GIVE_UP
    match = ACTION.fullmatch(reply)
    if match is None:
        shown = repr(reply[:SHOWN]) + ("..." if len(reply) > SHOWN else "")
        return Fault(FaultKind.MALFORMED, f"{shown} is not an action" if reply else "an empty line")
    kind, unit, first, second, _ = match.groups()
    if int(unit) >= s.units:
        return Fault(FaultKind.ILLEGAL, f"there is no unit {unit}")
    return ACTION_OF[f"{kind} {unit} {first} {second}".upper()]


def message(reply: str) -> str:
    """The text that a player put behind its action, to be shown beside the board; empty when there is none."""
    match = ACTION.fullmatch(reply) or DEFEAT.fullmatch(reply)
    return (match.groups()[-1] or "").strip() if match else ""


def text(action: int) -> str:
    """An action as it is sent, which `read` reads back."""
    return TEXTS[action]


def read(word: str) -> int | None:
    """The action whose `text` this is; none if it is no action's."""
    return ACTION_OF.get(word)


def answer(s: Any, seat: int, fault: Fault) -> int:
    """The rules' answer to a fault: the player is out."""
    return OUT


def stops(fault: Fault) -> bool:
    """Whether a fault ends the program for the rest of the match: all do, since who is out is not asked."""
    return True


assert len(TEXTS) == ACTIONS
