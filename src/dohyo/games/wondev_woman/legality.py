"""Wondev Woman, what is legal: as the player sees it, so that an enemy in the fog forbids nothing.

Numbers
    action     push * 128 + unit * 64 + direction * 8 + second direction; then GIVE_UP, NO_MOVE and OUT
    choice     an action without its second direction: action // 8; its second directions are a mask
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dohyo.core.flat import LOWEST, flat, popcount
from dohyo.games.wondev_woman.board import (
    BESIDE,
    BEYOND,
    CELLS,
    CLOCKWISE,
    DIRECTIONS,
    MAX_UNITS,
    STEP,
    TOP,
    slot_of,
    units_of,
    view,
    ways_to,
)

PUSH = 128  # in an action's number
UNIT = 64
GIVE_UP = 256
NO_MOVE = 257  # what a player does for whom nothing is listed, whatever it says
OUT = 258  # the rules' answer to every fault
ACTIONS = 259
CONCESSIONS: Sequence[int] = (GIVE_UP,)
CHOICES = 2 * PUSH // DIRECTIONS  # numbers of choices
CHOICES_LENGTH = 1 + 2 * MAX_UNITS * DIRECTIONS  # numbers that hold all choices that a player can have
CHOICES_AT = ACTIONS - CHOICES_LENGTH  # where `list_actions` stores them for a time: its list never gets that long

# By direction: the set of itself and its two neighbours on the compass, where an enemy can be pushed on.
AHEAD = tuple(
    sum(
        1 << second
        for second in range(DIRECTIONS)
        if (CLOCKWISE[second] - CLOCKWISE[first]) % DIRECTIONS in (0, 1, DIRECTIONS - 1)
    )
    for first in range(DIRECTIONS)
)
# By a set and a number: the direction that stands there in the set.
KTH = bytes(
    ([way for way in range(DIRECTIONS) if ways >> way & 1] + [0] * DIRECTIONS)[k]
    for ways in range(1 << DIRECTIONS)
    for k in range(DIRECTIONS)
)
HOW_MANY = bytes(bin(ways).count("1") for ways in range(1 << DIRECTIONS))  # directions in a set


@flat
def acts(s: Any, seat: int) -> bool:
    """Whether this seat is asked now; also when nothing is legal for it."""
    return s.ended == 0 and s.mover == seat  # type: ignore[no-any-return]


@flat
def legal(s: Any, seat: int, out: Any) -> int:
    """Fill `out` with what the player may do; how many: the actions it is sent, or else NO_MOVE alone."""
    count = list_actions(s, seat, out)
    if count == 0:
        out[0] = NO_MOVE
        count = 1
    return count


@flat
def count_legal(s: Any, seat: int, notes: Any) -> int:
    """How many actions `legal` lists; `notes` has by choice how many there are of it and of all choices before it.

    `notes[CHOICES]` says for how many choices: pushes are there only when an enemy is beside a unit.
    """
    free = ~(s.taken & view(s, seat))
    count = 0
    for unit in range(MAX_UNITS):
        start = s.at[slot_of(seat, unit)] & CELLS
        enter = can_enter(s, start) if unit < s.units else 0
        around = s.low[TOP] & (free | 1 << start)
        for way in range(DIRECTIONS):
            count += popcount(around & BEYOND[start * DIRECTIONS + way]) * (enter >> way & 1)
            notes[unit * DIRECTIONS + way] = count
    notes[CHOICES] = PUSH // DIRECTIONS
    if s.push and is_beside(s, seat):
        count = count_pushes(s, seat, free, count, notes)
        notes[CHOICES] = CHOICES
    return count if count else 1


@flat
def is_beside(s: Any, p: int) -> bool:
    """Whether an enemy is beside a unit of the player."""
    around = BESIDE[s.at[slot_of(p, 0)] & CELLS]
    if s.units > 1:
        around |= BESIDE[s.at[slot_of(p, 1)] & CELLS]
    return units_of(s, 1 - p) & around != 0  # type: ignore[no-any-return]


@flat
def count_pushes(s: Any, p: int, free: int, moves: int, notes: Any) -> int:
    """`count_legal`, for the choices that push; `moves` is how many actions come before."""
    count = moves
    enemies = units_of(s, 1 - p)
    for unit in range(MAX_UNITS):
        start = s.at[slot_of(p, unit)] & CELLS
        beside = ways_to(enemies, start) if unit < s.units else 0
        for way in range(DIRECTIONS):
            if beside >> way & 1:
                count += HOW_MANY[can_push(s, free, start + STEP[way], way)]
            notes[(PUSH + unit * UNIT) // DIRECTIONS + way] = count
    return count


@flat
def kth_legal(s: Any, seat: int, k: int, notes: Any) -> int:
    """The action at place k of those that `legal` lists."""
    choice = 0
    for other in range(notes[CHOICES]):
        choice += notes[other] <= k
    if choice == notes[CHOICES]:
        return NO_MOVE
    free = ~(s.taken & view(s, seat))
    start = s.at[slot_of(seat, choice // DIRECTIONS % MAX_UNITS)] & CELLS
    way = choice % DIRECTIONS
    if choice < PUSH // DIRECTIONS:
        ways = ways_to(s.low[TOP] & (free | 1 << start), start + STEP[way])
    else:
        ways = can_push(s, free, start + STEP[way], way)
    before = notes[choice - 1] if choice > 0 else 0
    return choice * DIRECTIONS + KTH[ways * DIRECTIONS + k - before]


@flat
def list_actions(s: Any, p: int, out: Any) -> int:
    """Fill `out` with the actions that the player is sent, in that order; how many, perhaps none."""
    end = list_choices(s, p, view(s, p), out, CHOICES_AT)
    count = 0
    for at in range(CHOICES_AT + 1, end, 2):
        action = out[at] * DIRECTIONS
        ways = out[at + 1]
        while ways:
            out[count] = action + LOWEST[ways]
            count += 1
            ways &= ways - 1
    return count


@flat
def list_choices(s: Any, p: int, seen: int, out: Any, at: int) -> int:
    """Write into `out`, from `at` on, how many actions the player is sent, and each choice that has some.

    A choice is two numbers, itself and the mask of its second directions; CHOICES_LENGTH numbers are the most.
    Returns where they end. Units that the player does not see (it does those on the cells in `seen`) change nothing.
    """
    end = at + 1
    count = 0
    free = ~(s.taken & seen)
    for unit in range(s.units):
        start = s.at[slot_of(p, unit)] & CELLS
        enter = can_enter(s, start)
        around = s.low[TOP] & (free | 1 << start)
        for way in range(DIRECTIONS):
            if enter >> way & 1:
                ways = ways_to(around, start + STEP[way])
                out[end] = unit * DIRECTIONS + way
                out[end + 1] = ways
                end += 2
                count += HOW_MANY[ways]
    if s.push:
        enemies = units_of(s, 1 - p)
        for unit in range(s.units):
            start = s.at[slot_of(p, unit)] & CELLS
            if enemies & BESIDE[start]:  # and so it is seen
                beside = ways_to(enemies, start)
                for way in range(DIRECTIONS):
                    if beside >> way & 1:
                        ways = can_push(s, free, start + STEP[way], way)
                        if ways:
                            out[end] = (PUSH + unit * UNIT) // DIRECTIONS + way
                            out[end + 1] = ways
                            end += 2
                            count += HOW_MANY[ways]
    out[at] = count
    return end


@flat
def can_enter(s: Any, start: int) -> int:
    """The directions, a mask, in which a unit on `start` may move: in play, nobody there, at most one level up."""
    level = s.height[start] + 1
    return ways_to(s.low[level if level < TOP else TOP] & ~s.taken, start)


@flat
def can_push(s: Any, free: int, there: int, way: int) -> int:
    """Where a unit may push the enemy that stands on `there`, in direction `way` from it: a mask of directions.

    That is straight on or to either side: in play, among the `free` cells, at most one level up.
    """
    level = s.height[there] + 1
    return ways_to(s.low[level if level < TOP else TOP] & free, there) & AHEAD[way]


@flat
def is_legal(s: Any, seat: int, action: int) -> bool:
    """Whether an action is one that `legal` lists."""
    if action == NO_MOVE:
        return not can_act(s, seat)
    return is_listed(s, seat, action)


@flat
def is_listed(s: Any, p: int, action: int) -> bool:
    """Whether an action is one that `list_actions` lists."""
    if not 0 <= action < GIVE_UP or action % PUSH // UNIT >= s.units:
        return False
    start = s.at[slot_of(p, action % PUSH // UNIT)] & CELLS
    way = action % UNIT // DIRECTIONS
    free = ~(s.taken & view(s, p))
    ways = 0
    if action < PUSH:
        if can_enter(s, start) >> way & 1:
            ways = ways_to(s.low[TOP] & (free | 1 << start), start + STEP[way])
    elif s.push and ways_to(units_of(s, 1 - p), start) >> way & 1:  # who is beside a unit is seen
        ways = can_push(s, free, start + STEP[way], way)
    return ways >> action % DIRECTIONS & 1 == 1


@flat
def can_act(s: Any, p: int) -> bool:
    """Whether `list_actions` lists anything."""
    for unit in range(s.units):
        start = s.at[slot_of(p, unit)] & CELLS
        if can_enter(s, start):  # and build where it came from, at least
            return True
        if s.push:
            beside = ways_to(units_of(s, 1 - p), start)
            for way in range(DIRECTIONS):
                if beside >> way & 1 and can_push(s, ~(s.taken & view(s, p)), start + STEP[way], way):
                    return True
    return False
