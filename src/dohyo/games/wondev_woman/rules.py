"""Wondev Woman, the rules: two players, and towers that everybody raises.

Source: the contest's rule text (its second wood league) and what its referee did in all leagues.
Written over a flat state (see `dohyo.core.flat`): the same functions run plain and compiled. What a state holds
is in `board.py`, the deal in `dealing.py`, what a player may do in `legality.py`; here is a turn, and the end.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dohyo.core.flat import emit, flat
from dohyo.games.wondev_woman.board import (  # noqa: F401 - some are what every game's rules have
    DIRECTIONS,
    LAYOUT,
    NOBODY,
    POINTS,
    REACH,
    SEATS,
    STEP,
    TOP,
    is_taken,
    leave,
    place,
    slot_of,
)
from dohyo.games.wondev_woman.dealing import DICE, deal, needs_dice, roll  # noqa: F401 - so are these
from dohyo.games.wondev_woman.legality import (  # noqa: F401 - and some of these
    ACTIONS,
    CONCESSIONS,
    PUSH,
    UNIT,
    acts,
    count_legal,
    is_legal,
    is_listed,
    kth_legal,
    legal,
)

ROUNDS = 200

# Events, for whoever draws: (kind, a, b, c)
MOVED, SCORED, PUSHED, BUILT, CANCELLED, WENT_OUT = 1, 2, 3, 4, 5, 6
EVENTS_A_TURN = 4

# Why a match ended
REACHED, LEFT_ALONE, AHEAD, BOTH_OUT, ROUND_LIMIT = 1, 2, 3, 4, 5
REASONS: Mapping[int, str] = {
    REACHED: "wondev-woman.reached",
    LEFT_ALONE: "wondev-woman.left-alone",
    AHEAD: "wondev-woman.ahead",
    BOTH_OUT: "wondev-woman.both-out",
    ROUND_LIMIT: "wondev-woman.round-limit",
}


# --- a turn ---------------------------------------------------------------------------------------------------------


@flat
def step(s: Any, actions: Any, events: Any) -> None:
    """Play one turn: the mover acts, or goes out when its action is not legal; then the turn passes on.

    `actions` holds one action for each seat; only the mover's is read.
    """
    p = s.mover
    action = actions[p]
    s.told[p] = 1
    if not is_listed(s, p, action):
        go_out(s, p, action, events)
    elif action < PUSH:
        move_and_build(s, p, action, events)
    else:
        push_and_build(s, p, action, events)
    s.turn += 1
    pass_on(s, p)


@flat
def move_and_build(s: Any, p: int, action: int, events: Any) -> None:
    """Move a unit, score on a cell of the top level, and build.

    The move and its point count also when an enemy that was not seen stands where it builds, and nothing is built.
    """
    slot = slot_of(p, action // UNIT)
    start = leave(s, slot)
    there = start + STEP[action % UNIT // DIRECTIONS]
    emit(events, MOVED, slot, start, there)
    place(s, slot, there)
    if s.height[there] == TOP:
        s.points[p] += 1
        emit(events, SCORED, slot, there, s.points[p])
    cell = there + STEP[action % DIRECTIONS]
    if not is_taken(s, cell):
        build(s, slot, cell, events)
    else:
        emit(events, CANCELLED, slot, cell, 0)


@flat
def push_and_build(s: Any, p: int, action: int, events: Any) -> None:
    """Push an enemy on, and raise the cell that it stood on; the pusher stays.

    Neither happens when an enemy that was not seen is on the cell behind it.
    """
    slot = slot_of(p, action % PUSH // UNIT)
    there = s.at[slot] + STEP[action % UNIT // DIRECTIONS]
    beyond = there + STEP[action % DIRECTIONS]
    if not is_taken(s, beyond):
        pushed = slot_of(1 - p, 0)
        if s.at[pushed] != there:
            pushed = slot_of(1 - p, 1)
        emit(events, PUSHED, slot, pushed, beyond)
        leave(s, pushed)
        place(s, pushed, beyond)
        build(s, slot, there, events)
    else:
        emit(events, CANCELLED, slot, beyond, 0)


@flat
def build(s: Any, slot: int, cell: int, events: Any) -> None:
    """Raise a cell by one level; the fourth takes it out of play."""
    s.low[s.height[cell]] &= ~(1 << cell)
    s.height[cell] += 1
    emit(events, BUILT, slot, cell, s.height[cell])


@flat
def go_out(s: Any, p: int, action: int, events: Any) -> None:
    """Take a player out: its units and points stay. The match ends here if the other is out, or ahead."""
    other = 1 - p
    s.out[p] = 1
    emit(events, WENT_OUT, p, action, 0)
    if s.goal == REACH:
        s.ended = LEFT_ALONE
    elif s.out[other] == 1:
        s.ended = BOTH_OUT
    elif s.points[other] > s.points[p]:
        s.ended = AHEAD


@flat
def pass_on(s: Any, p: int) -> None:
    """End the round if both have had their turn in it, and let the other player move, unless it is out."""
    other = 1 - p
    if s.ended == 0 and (p == 1 or s.out[other] == 1):
        end_round(s)
    if s.out[other] == 0:
        s.mover = other


@flat
def end_round(s: Any) -> None:
    """Count a whole round, and look whether the match ends with it."""
    s.rounds += 1
    if s.goal == REACH:
        if stands_on_top(s, 0) or stands_on_top(s, 1):
            s.ended = REACHED
    elif leads_alone(s, 0) or leads_alone(s, 1):
        s.ended = AHEAD
    if s.ended == 0 and s.rounds == ROUNDS:
        s.ended = ROUND_LIMIT


@flat
def stands_on_top(s: Any, p: int) -> bool:
    """Whether a unit of the player stands on the top level."""
    standing = 0
    for unit in range(s.units):
        if s.height[s.at[slot_of(p, unit)]] == TOP:
            standing += 1
    return standing > 0


@flat
def leads_alone(s: Any, p: int) -> bool:
    """Whether the other player is out and has fewer points."""
    return s.out[1 - p] == 1 and s.points[p] > s.points[1 - p]  # type: ignore[no-any-return]


# --- the end --------------------------------------------------------------------------------------------------------


@flat
def over(s: Any) -> bool:
    """Whether the match has ended; asked before every turn."""
    return s.ended != 0  # type: ignore[no-any-return]


@flat
def score(s: Any, p: int) -> int:
    """A player's final score: its points; where the goal is to reach the top, 1 when it stood there at a round's end.

    With that goal, -1 is for a player who is out, and 0 for everybody else, including one who stepped onto the top in
    a round that did not end.
    """
    if s.goal == POINTS:
        return s.points[p]  # type: ignore[no-any-return]
    if s.out[p] == 1:
        return -1
    return 1 if s.ended == REACHED and stands_on_top(s, p) else 0


@flat
def scores(s: Any, out: Any) -> None:
    """Fill `out` with each seat's score."""
    for p in range(SEATS):
        out[p] = score(s, p)


@flat
def winner(s: Any) -> int:
    """The player with the higher score; nobody when they are equal."""
    if score(s, 0) == score(s, 1):
        return NOBODY
    return 0 if score(s, 0) > score(s, 1) else 1


@flat
def places(s: Any, out: Any) -> int:
    """Fill `out` with each seat's place, 1 the best, equal ones shared; why the match ended."""
    for p in range(SEATS):
        out[p] = 2 if winner(s) == 1 - p else 1
    return s.ended  # type: ignore[no-any-return]
