"""Wondev Woman, the protocol: from a state to the text that a program reads, from a line to an action.

Source: the rule text's section on input and output, and the contest's referee for what it leaves open.
"""

from __future__ import annotations

import re
from functools import lru_cache, reduce
from operator import or_
from typing import Any

from dohyo.core.faults import KEPT, Fault, FaultCode, FaultKind
from dohyo.core.flat import flat, flat_as
from dohyo.core.text import MAX_KEPT, NEWLINE, put, put_chosen, put_rows, put_text
from dohyo.games.wondev_woman.board import (
    BESIDE,
    CELLS,
    DIRECTIONS,
    STEP,
    TOP,
    WIDTH,
    cell_of,
    slot_of,
    units_of,
    view,
    ways_to,
    x_of,
    y_of,
)
from dohyo.games.wondev_woman.legality import (
    ACTIONS,
    CHOICES_LENGTH,
    GIVE_UP,
    NO_MOVE,
    OUT,
    PUSH,
    UNIT,
    can_act,
    can_push,
    list_choices,
)

# Bytes of the longest prompt, with room to spare: 128 actions of 19 bytes (an enemy beside a unit allows three pushes
# in the place of eight moves), a board of 56, four units and three numbers; at the end, the list while it is written.
PROMPT_BYTES = 4096
CHOICES_AT = PROMPT_BYTES - CHOICES_LENGTH  # where the choices are stored for a time: the text never gets that long

SIGNS = b"01234."  # a cell's, by its height; a hole's is the last

NAMES = ("E", "N", "NE", "NW", "S", "SE", "SW", "W")
KINDS = ("MOVE&BUILD", "PUSH&BUILD")
TEXTS = (  # by action
    *(f"{kind} {unit} {first} {second}" for kind in KINDS for unit in (0, 1) for first in NAMES for second in NAMES),
    "ACCEPT-DEFEAT",
    "NO-MOVE",
    "OUT",
)
# The listed actions' lines, each from a multiple of LINE_BYTES on, and zeros behind it.
LINE_BYTES = 20
LINES = b"".join((text + "\n").encode().ljust(LINE_BYTES, b"\0") for text in TEXTS[:GIVE_UP])
LENGTHS = tuple(len(text) + 1 for text in TEXTS[:GIVE_UP])
# Likewise: by cell, who stands there; what stands for one who is not seen.
PAIR_BYTES = 8
PAIRS = b"".join(f"{x_of(cell)} {y_of(cell)}\n".encode().ljust(PAIR_BYTES, b"\0") for cell in range(CELLS))
UNSEEN = b"-1 -1\n\0\0"

# For plain Python. By a mask of directions: these. By cell: itself and the cells at most two steps away, a mask.
WAYS = tuple(tuple(way for way in range(DIRECTIONS) if ways >> way & 1) for ways in range(1 << DIRECTIONS))
NEAR = tuple(
    reduce(or_, (BESIDE[other] for other in range(CELLS) if BESIDE[cell] >> other & 1), 1 << cell | BESIDE[cell])
    for cell in range(CELLS)
)

ACTION_OF = {text: action for action, text in enumerate(TEXTS)}

# The pushing word counts in capitals only. What is a digit or a space is as in ASCII.
DIRECTION = "(?i:([NS][EW]?|[EW]))"
ACTION = re.compile(rf"((?i:MOVE&BUILD)|PUSH&BUILD)\s+(\d)\s+{DIRECTION}\s+{DIRECTION}(\s.*)?", re.ASCII | re.DOTALL)
DEFEAT = re.compile(r"ACCEPT-DEFEAT(\s.*)?", re.ASCII | re.DOTALL)


@flat
def prompt(s: Any, seat: int, buffer: Any) -> int:
    """Write what `seat` is sent at its turn into `buffer` (PROMPT_BYTES long); how many bytes it has."""
    at = 0
    if s.told[seat] == 0:
        at = put_line(buffer, put_line(buffer, at, s.size), s.units)
    at = put_rows(buffer, at, s.height, cell_of(0, 0), s.size, s.size, WIDTH, SIGNS)
    seen = view(s, seat)
    at = put_units(s, seat, seen, buffer, at)
    at = put_units(s, 1 - seat, seen, buffer, at)
    return put_actions(s, seat, seen, buffer, at)


@flat
def put_actions_by_loop(s: Any, seat: int, seen: int, buffer: Any, at: int) -> int:
    """`put_actions`, choice by choice."""
    end = list_choices(s, seat, seen, buffer, CHOICES_AT)
    at = put_line(buffer, at, buffer[CHOICES_AT])
    for choice in range(CHOICES_AT + 1, end, 2):
        first = buffer[choice] * DIRECTIONS
        at = put_chosen(buffer, at, LINES, LENGTHS, LINE_BYTES, first, buffer[choice + 1])
    return at


@flat_as(put_actions_by_loop)
def put_actions(s: Any, seat: int, seen: int, buffer: Any, at: int) -> int:
    """Write how many actions the player is sent, and the actions; where the next byte goes.

    The lines of a unit's moves follow from the cells near it: they are remembered.
    """
    low, taken = s.low, s.taken
    free = ~(taken & seen)
    top = low[TOP] & free
    slot, parts = slot_of(seat, 0), []
    for unit in range(s.units):
        start = s.at[slot + unit]
        level = s.height[start] + 1
        enter = low[level if level < TOP else TOP] & ~taken & BESIDE[start]
        parts.append(_moves(unit, start, enter, (top | 1 << start) & NEAR[start]))
    if s.push:
        enemies = units_of(s, 1 - seat)
        for unit in range(s.units):
            start = s.at[slot + unit]
            if enemies & BESIDE[start]:  # and so it is seen
                for way in WAYS[ways_to(enemies, start)]:
                    ways = can_push(s, free, start + STEP[way], way)
                    parts.append(_lines[(PUSH + unit * UNIT) // DIRECTIONS + way, ways])
    text = b"".join(parts)
    text = b"%d\n%b" % (text.count(b"\n"), text)
    end = at + len(text)
    buffer[at:end] = text
    return end


@lru_cache(MAX_KEPT)
def _moves(unit: int, start: int, enter: int, around: int) -> bytes:
    """The lines of a unit's moves from `start` onto the cells of `enter`; it may then build on those of `around`."""
    first = unit * DIRECTIONS
    lines = _lines
    return b"".join([lines[first + way, ways_to(around, start + STEP[way])] for way in WAYS[ways_to(enter, start)]])


class _Lines(dict[tuple[int, int], bytes]):
    """The lines of a choice with a mask of second directions, made when they are asked for first."""

    def __missing__(self, asked: tuple[int, int]) -> bytes:
        choice, ways = asked
        chosen = (TEXTS[choice * DIRECTIONS + second] for second in WAYS[ways])
        self[asked] = text = "".join(f"{line}\n" for line in chosen).encode()
        return text


_lines = _Lines()


@flat
def put_line(buffer: Any, at: int, number: int) -> int:
    """A number alone on its line."""
    at = put(buffer, at, number)
    buffer[at] = NEWLINE
    return at + 1


@flat
def put_units(s: Any, owner: int, seen: int, buffer: Any, at: int) -> int:
    """Where the owner's units are, one on each line; -1 -1 for one that is on none of the `seen` cells."""
    for unit in range(s.units):
        cell = s.at[slot_of(owner, unit)]
        if seen >> cell & 1:
            at = put_text(buffer, at, PAIRS, cell * PAIR_BYTES, 4, PAIR_BYTES)
        else:
            at = put_text(buffer, at, UNSEEN, 0, 6, PAIR_BYTES)
    return at


@flat
def forced(s: Any, seat: int) -> int:
    """A player for whom nothing is legal has no move, whatever it writes; -1 for any other."""
    return -1 if can_act(s, seat) else NO_MOVE


def parse(reply: str, s: Any, seat: int) -> int | Fault:
    """The action in a line, or the fault of a line that has none.

    A player for whom nothing is legal has no action, whatever it writes. Otherwise the line must begin with an
    action, which may be followed by a space or a tab and a text.
    """
    if forced(s, seat) >= 0:
        return NO_MOVE
    if DEFEAT.fullmatch(reply):
        return GIVE_UP
    match = ACTION.fullmatch(reply)
    if match is None:
        if not reply:
            return Fault(FaultKind.MALFORMED, FaultCode.EMPTY_LINE)
        return Fault(FaultKind.MALFORMED, "wondev-woman.detail.no-action", {"written": reply[:KEPT]})
    kind, unit, first, second, _ = match.groups()
    if int(unit) >= s.units:
        return Fault(FaultKind.ILLEGAL, "wondev-woman.detail.no-unit", {"unit": int(unit)})
    return ACTION_OF[f"{kind} {unit} {first} {second}".upper()]


def message(reply: str) -> str:
    """The text that a player wrote after its action, to be shown beside the board; empty if there is none."""
    match = ACTION.fullmatch(reply) or DEFEAT.fullmatch(reply)
    return (match.groups()[-1] or "").strip() if match else ""


def text(action: int) -> str:
    """An action as it is sent."""
    return TEXTS[action]


def answer(s: Any, seat: int, fault: Fault) -> int:
    """The rules' answer to a fault: the player is out."""
    return OUT


assert len(TEXTS) == ACTIONS
