"""Wondev Woman, what is legal: as the player sees it, so that an enemy in the fog forbids nothing.

Numbers
    action     push * 128 + unit * 64 + direction * 8 + second direction; then GIVE_UP, NO_MOVE and OUT
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dohyo.core.flat import flat
from dohyo.games.wondev_woman.board import CLOCKWISE, DIRECTIONS, MOST_UNITS, NOBODY, STEP, TOP, seems_free, slot_of

PUSH = 128  # in an action's number
UNIT = 64
GIVE_UP = 256
NO_MOVE = 257  # what a player does for whom nothing is listed, whatever it says
OUT = 258  # the rules' answer to every fault
ACTIONS = 259
CONCESSIONS: Sequence[int] = (GIVE_UP,)


@flat
def acts(s: Any, seat: int) -> bool:
    """Whether this seat is asked now; also when nothing is legal for it."""
    return s.mover == seat and s.ended == 0  # type: ignore[no-any-return]


@flat
def legal(s: Any, seat: int, out: Any) -> int:
    """Fill `out` with what the player may do; how many: the actions it is sent, or else NO_MOVE alone."""
    count = list_actions(s, seat, out)
    if count == 0:
        out[0] = NO_MOVE
        count = 1
    return count


@flat
def list_actions(s: Any, p: int, out: Any) -> int:
    """Fill `out` with the actions that the player is sent, in that order; how many, perhaps none.

    Units that the player does not see change nothing here.
    """
    count = 0
    for unit in range(s.units):
        count = list_moves(s, p, unit, out, count)
    for unit in range(s.units * s.push):
        count = list_pushes(s, p, unit, out, count)
    return count


@flat
def list_moves(s: Any, p: int, unit: int, out: Any, count: int) -> int:
    """Add what a unit may do with MOVE&BUILD to the `count` actions in `out`; how many they are then."""
    start = s.at[slot_of(p, unit)]
    for first in range(DIRECTIONS):
        there = start + STEP[first]
        if can_enter(s, start, there):
            for second in range(DIRECTIONS):
                if can_build(s, p, start, there + STEP[second]):
                    out[count] = unit * UNIT + first * DIRECTIONS + second
                    count += 1
    return count


@flat
def list_pushes(s: Any, p: int, unit: int, out: Any, count: int) -> int:
    """Add what a unit may do with PUSH&BUILD to the `count` actions in `out`; how many they are then."""
    start = s.at[slot_of(p, unit)]
    for first in range(DIRECTIONS):
        there = start + STEP[first]
        if holds_enemy(s, p, there):
            for second in range(DIRECTIONS):
                if is_ahead(first, second) and can_push(s, p, there, there + STEP[second]):
                    out[count] = PUSH + unit * UNIT + first * DIRECTIONS + second
                    count += 1
    return count


@flat
def is_legal(s: Any, seat: int, action: int) -> bool:
    """Whether the player may do this: what it is sent, or NO_MOVE where that is nothing."""
    return not can_act(s, seat) if action == NO_MOVE else is_listed(s, seat, action)


@flat
def is_listed(s: Any, p: int, action: int) -> bool:
    """Whether an action is one that `list_actions` lists."""
    if not 0 <= action < GIVE_UP or action % PUSH // UNIT >= s.units:
        return False
    start = s.at[slot_of(p, action % PUSH // UNIT)]
    first = action % UNIT // DIRECTIONS
    second = action % DIRECTIONS
    there = start + STEP[first]
    beyond = there + STEP[second]
    if action < PUSH:
        return can_enter(s, start, there) and can_build(s, p, start, beyond)
    if s.push == 0 or not is_ahead(first, second):
        return False
    return holds_enemy(s, p, there) and can_push(s, p, there, beyond)


@flat
def can_act(s: Any, p: int) -> bool:
    """Whether `list_actions` lists anything."""
    for unit in range(s.units):
        for first in range(DIRECTIONS):
            if can_go(s, p, unit, first):
                return True
    return False


@flat
def can_go(s: Any, p: int, unit: int, first: int) -> bool:
    """Whether any action of a unit with this first direction is listed."""
    start = s.at[slot_of(p, unit)]
    there = start + STEP[first]
    if can_enter(s, start, there):  # and build where it came from, at least
        return True
    if s.push == 0 or not holds_enemy(s, p, there):
        return False
    for second in range(DIRECTIONS):
        if is_ahead(first, second) and can_push(s, p, there, there + STEP[second]):
            return True
    return False


@flat
def can_enter(s: Any, start: int, there: int) -> bool:
    """Whether a unit may move to the cell beside it: in play, nobody there, at most one level up."""
    height = s.height[there]
    return 0 <= height <= TOP and height <= s.height[start] + 1 and s.who[there] == NOBODY  # type: ignore[no-any-return]


@flat
def can_build(s: Any, p: int, start: int, cell: int) -> bool:
    """Whether a unit that comes from `start` may build on a cell: in play, and nobody seen there but itself."""
    return 0 <= s.height[cell] <= TOP and (cell == start or seems_free(s, p, cell))


@flat
def can_push(s: Any, p: int, there: int, beyond: int) -> bool:
    """Whether the enemy on `there` may be pushed to `beyond`: in play, nobody seen there, at most one level up."""
    height = s.height[beyond]
    return 0 <= height <= TOP and height <= s.height[there] + 1 and seems_free(s, p, beyond)


@flat
def holds_enemy(s: Any, p: int, cell: int) -> bool:
    """Whether a unit of the other player stands on a cell."""
    return s.who[cell] != NOBODY and s.who[cell] // MOST_UNITS != p  # type: ignore[no-any-return]


@flat
def is_ahead(first: int, second: int) -> bool:
    """Whether the second direction is the first, or one of its two neighbours on the compass."""
    turned = (CLOCKWISE[second] - CLOCKWISE[first]) % DIRECTIONS
    return turned <= 1 or turned == DIRECTIONS - 1
