"""What alpha-beta has found out about positions, to be known again on another way: a table, in the common language.

An entry holds the two halves of a position's key, what it is worth to who moves there, whether that is exact or a
bound, how many plies were looked ahead, and the action that was best. Two places stand for each key; of two positions
the one that was looked at less deeply gives way, and what an earlier search has left counts as nothing.
"""

from __future__ import annotations

from typing import Any

from dohyo.core.flat import Layout, flat

EXACT, AT_LEAST, AT_MOST = 0, 1, 2
ACTION_BITS, BOUND_BITS, LEFT_BITS = 24, 2, 8
LEFT_AT = ACTION_BITS + BOUND_BITS
GENERATION_AT = LEFT_AT + LEFT_BITS
NOBODY = -1


def table_layout(entries: int) -> Layout:
    """The fields of a table with room for so many positions, a power of two; with 0 it keeps none."""
    room = max(entries, 2)
    return Layout(
        "Transpositions",
        ("mask", "i8", 0),
        ("generation", "i8", 0),  # of the search; entries of others are empty
        ("first", "i8", room),  # halves of the keys
        ("second", "i8", room),
        ("about", "i8", room),  # generation, plies, bound, and the best action and 1
        ("worth", "f8", room),
    )


@flat
def place_of(table: Any, a: int, b: int) -> int:
    """Where a position is noted; NOBODY if it is not."""
    base = a & table.mask
    for side in range(2):
        at = base ^ side
        if table.first[at] == a and table.second[at] == b and table.about[at] >> GENERATION_AT == table.generation:
            return at  # type: ignore[no-any-return]
    return NOBODY


@flat
def action_at(table: Any, at: int) -> int:
    """The best action of an entry; NOBODY if none is known."""
    return (table.about[at] & (1 << ACTION_BITS) - 1) - 1  # type: ignore[no-any-return]


@flat
def bound_at(table: Any, at: int) -> int:
    """What an entry's worth is: EXACT, AT_LEAST or AT_MOST."""
    return table.about[at] >> ACTION_BITS & (1 << BOUND_BITS) - 1  # type: ignore[no-any-return]


@flat
def left_at(table: Any, at: int) -> int:
    """How many plies were looked ahead."""
    return table.about[at] >> LEFT_AT & (1 << LEFT_BITS) - 1  # type: ignore[no-any-return]


@flat
def keep(table: Any, a: int, b: int, worth: float, bound: int, left: int, action: int) -> None:
    """Note a position."""
    base = a & table.mask
    at = base
    weight = GENERATION_AT + (1 << LEFT_BITS)
    for side in range(2):
        other = base ^ side
        if table.about[other] >> GENERATION_AT != table.generation:
            depth = -1
        elif table.first[other] == a and table.second[other] == b:
            depth = -2
        else:
            depth = table.about[other] >> LEFT_AT & (1 << LEFT_BITS) - 1
        if depth < weight:
            at, weight = other, depth
    table.first[at] = a
    table.second[at] = b
    table.worth[at] = worth
    table.about[at] = ((table.generation << LEFT_BITS | left) << BOUND_BITS | bound) << ACTION_BITS | action + 1
