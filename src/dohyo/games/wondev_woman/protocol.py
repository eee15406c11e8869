"""Wondev Woman, what travels: a state to the text that a program reads, a line to an action. No pipes here.

Source: the rule text's section on input and output, and the contest's referee for what it leaves open.
"""

from __future__ import annotations

import re
from typing import Any

from dohyo.core.faults import Fault, FaultKind
from dohyo.core.flat import NEWLINE, SPACE, ZERO, flat, put
from dohyo.games.wondev_woman.board import DIRECTIONS, HOLE, WIDTH, cell_of, sees, slot_of
from dohyo.games.wondev_woman.legality import (
    ACTIONS,
    GIVE_UP,
    NO_MOVE,
    OUT,
    PUSH,
    UNIT,
    can_act,
    list_actions,
)

READY = ""

# Bytes of the longest prompt, with room to spare: 128 actions of 19 bytes (an enemy beside a unit allows three pushes
# in the place of eight moves), a board of 56, four units and three numbers; at the end, the list while it is written.
PROMPT_BYTES = 4096
LIST_AT = PROMPT_BYTES - GIVE_UP

MOVE_WORD = (77, 79, 86, 69, 38, 66, 85, 73, 76, 68, 32)  # "MOVE&BUILD "
PUSH_WORD = (80, 85, 83, 72, 38, 66, 85, 73, 76, 68, 32)  # "PUSH&BUILD "
FIRST_LETTER = (69, 78, 78, 78, 83, 83, 83, 87)
SECOND_LETTER = (0, 0, 69, 87, 0, 69, 87, 0)
DOT = 46
ONE = 49

NAMES = ("E", "N", "NE", "NW", "S", "SE", "SW", "W")
KINDS = ("MOVE&BUILD", "PUSH&BUILD")
TEXTS = (  # by action
    *(f"{kind} {unit} {first} {second}" for kind in KINDS for unit in (0, 1) for first in NAMES for second in NAMES),
    "ACCEPT-DEFEAT",
    "NO-MOVE",
    "OUT",
)
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
        at = put_action(buffer, at, buffer[LIST_AT + i])
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


@flat
def put_action(buffer: Any, at: int, action: int) -> int:
    """An action on a line."""
    for i in range(len(MOVE_WORD)):
        buffer[at + i] = MOVE_WORD[i] if action < PUSH else PUSH_WORD[i]
    at += len(MOVE_WORD)
    buffer[at] = ZERO if action % PUSH < UNIT else ONE
    buffer[at + 1] = SPACE
    at = put_direction(buffer, at + 2, action % UNIT // DIRECTIONS)
    buffer[at] = SPACE
    at = put_direction(buffer, at + 1, action % DIRECTIONS)
    buffer[at] = NEWLINE
    return at + 1


@flat
def put_direction(buffer: Any, at: int, direction: int) -> int:
    """A direction's one or two letters."""
    buffer[at] = FIRST_LETTER[direction]
    if SECOND_LETTER[direction] == 0:
        return at + 1
    buffer[at + 1] = SECOND_LETTER[direction]
    return at + 2


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
