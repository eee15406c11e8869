"""Wondev Woman: why an action is not legal, in a sentence.

It looks at the board by itself, cell by cell; a law checks that it finds a reason exactly where `is_legal` refuses.
It tells a player no more than it sees.
"""

from __future__ import annotations

from typing import Any

from dohyo.games.wondev_woman.board import CELLS, DIRECTIONS, HOLE, STEP, TOP, slot_of, units_of, view
from dohyo.games.wondev_woman.legality import AHEAD, GIVE_UP, NO_MOVE, PUSH, UNIT, can_act
from dohyo.games.wondev_woman.protocol import NAMES
from dohyo.i18n import Message

DETAIL = "wondev-woman.detail."


def why_illegal(s: Any, seat: int, action: int) -> Message | None:
    """Why the seat may not do this now: a sentence's key and what it names; none if it may."""
    if action == NO_MOVE:
        return Message(DETAIL + "can-move") if can_act(s, seat) else None
    if not 0 <= action < GIVE_UP:
        return None if action == GIVE_UP else Message(DETAIL + "not-sent")
    unit = action % PUSH // UNIT
    if unit >= s.units:
        return Message(DETAIL + "lacks-unit", {"unit": unit})
    way, second = action % UNIT // DIRECTIONS, action % DIRECTIONS
    start = s.at[slot_of(seat, unit)]
    there = start + STEP[way]
    told = {"unit": unit, "first": NAMES[way], "second": NAMES[second]}
    if action >= PUSH:
        return _why_no_push(s, seat, there, way, second, told)
    if (why := _why_no_way(s, there, s.height[start], s.taken)) is not None:
        return Message(DETAIL + f"move-{why[0]}", told | why[1])
    cell = there + STEP[second]
    if (why := _why_no_way(s, cell, TOP, s.taken & view(s, seat) & ~(1 << start))) is not None:
        return Message(DETAIL + f"build-{why[0]}", told | why[1])
    return None


def _why_no_push(s: Any, seat: int, there: int, way: int, second: int, told: dict[str, object]) -> Message | None:
    """The same of a push of whoever stands on the cell `there`."""
    if s.push == 0:
        return Message(DETAIL + "no-pushes")
    if there < 0 or not units_of(s, 1 - seat) >> there & 1:
        return Message(DETAIL + "push-nobody", told)
    if not AHEAD[way] >> second & 1:
        allowed = ", ".join(name for at, name in enumerate(NAMES) if AHEAD[way] >> at & 1)
        return Message(DETAIL + "push-aside", told | {"allowed": allowed})
    beyond = there + STEP[second]
    if (why := _why_no_way(s, beyond, s.height[there], s.taken & view(s, seat))) is not None:
        return Message(DETAIL + f"push-{why[0]}", told | why[1])
    return None


def _why_no_way(s: Any, cell: int, level: int, taken: int) -> tuple[str, dict[str, object]] | None:
    """Why a cell cannot be used from a level, if units stand on the cells `taken`, a mask; none if it can.

    It is the end of a key, and what its sentence names of heights.
    """
    height = s.height[cell] if 0 <= cell < CELLS else HOLE  # above and below the board there is no further column
    if height == HOLE:
        return "hole", {}
    if height > TOP:
        return "dome", {}
    if taken >> cell & 1:
        return "taken", {}
    if height > level + 1:
        return "high", {"height": height, "level": level}
    return None
