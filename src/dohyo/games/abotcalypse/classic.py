"""aBOTcalypse, what the challenge's own controller did (`classic`), including its errors.

There is no gravity: moved bots and dropped rocks stay where they are put. A bot that dies in a turn keeps its square
until the turn ends, and later events of the turn still meet it there. Only the first live bot in a square, in bot
order, is killed.
"""

from __future__ import annotations

from typing import Any

from dohyo.core.flat import emit, flat, index, seldom
from dohyo.games.abotcalypse.board import (
    ALIVE,
    BODY,
    BY_COLLISION,
    BY_ROCK,
    DOWN,
    DROPPED,
    GONE,
    HALF,
    HIT,
    WIDTH,
    X_STEP,
    Y_STEP,
    die,
    holds_rock,
    inside,
    is_alive_at,
)

NOBODY = -1


@flat
def first_at(s: Any, x: int, y: int) -> int:
    """The first live bot in a square, in bot order; nobody if there is none."""
    for b in range(s.bots):
        if is_alive_at(s, b, x, y):
            return b
    return NOBODY


@seldom
@flat
def move(s: Any, b: int, direction: int) -> None:
    """Move a bot by one square; off the board: nothing."""
    x = s.x[b] + X_STEP[direction]
    y = s.y[b] + Y_STEP[direction]
    if inside(x, y):
        s.x[b] = x
        s.y[b] = y


@seldom
@flat
def drop(s: Any, b: int, direction: int, events: Any) -> None:
    """Put a rock into a square; down is the own square, and harms nobody."""
    x = s.x[b]
    y = s.y[b]
    if direction != DOWN:
        x += X_STEP[direction]
        y += Y_STEP[direction]
        if inside(x, y):
            kill_first(s, x, y, BY_ROCK, events)
    if inside(x, y) and not holds_rock(s, x, y):
        emit(events, DROPPED, x, y, 0)
        s.rocks[index(x, y // HALF, 2)] += 1 << (y % HALF)


@flat
def kill_first(s: Any, x: int, y: int, cause: int, events: Any) -> bool:
    """Kill the first live bot in a square; whether there was one."""
    b = first_at(s, x, y)
    if b != NOBODY:
        die(s, b, cause, events)
    return b != NOBODY


@seldom
@flat
def hit(s: Any, x: int, y: int, cause: int, events: Any) -> bool:
    """A shot or a meteor is in a square; whether it ends there (outside the board too)."""
    if not inside(x, y):
        return True
    killed = kill_first(s, x, y, cause, events)
    if not killed and not holds_rock(s, x, y):
        return False
    emit(events, HIT, x, y, cause)
    top = pack_column(s, x)
    bring_down(s, x, y, top, events)
    return True


@flat
def pack_column(s: Any, x: int) -> int:
    """The column loses a rock, and the rest stands packed on the floor; its highest rock before (0 if none)."""
    rocks = 0
    top = 0
    for y in range(WIDTH):
        if holds_rock(s, x, y):
            rocks += 1
            top = y
    if rocks > 0:
        rocks -= 1
    lower = rocks if rocks < HALF else HALF
    s.rocks[index(x, 0, 2)] = (1 << lower) - 1
    s.rocks[index(x, 1, 2)] = (1 << (rocks - lower)) - 1
    return top


@flat
def bring_down(s: Any, x: int, y: int, top: int, events: Any) -> None:
    """What was at the hit or above it comes down: below the old top it dies, from there on it comes down by one.

    The controller went over all bots of the turn, the dead too, but acted on the first live one in that bot's square.
    """
    for b in range(s.bots):
        if s.status[b] != GONE and s.x[b] == x and s.y[b] >= y:
            q = first_at(s, x, s.y[b])
            if q != NOBODY:
                if s.y[q] < top:
                    die(s, q, BY_ROCK, events)
                else:
                    s.y[q] -= 1


@seldom
@flat
def collide(s: Any, events: Any) -> None:
    """Bots in one square die, as the controller found them.

    It took the last bot off its list and compared it with all before it. A bot in the same square was deleted from
    the list during the loop over that list, so the bot after each deleted one was skipped. `order` serves as that
    list.
    """
    count = 0
    for b in range(s.bots):
        if s.status[b] != GONE:
            s.order[count] = b
            count += 1
    while count > 0:
        count -= 1
        last = s.order[count]
        at = 0
        while at < count:
            other = s.order[at]
            if s.x[other] == s.x[last] and s.y[other] == s.y[last]:
                meet(s, last, other, events)
                count -= 1
                for k in range(at, count):
                    s.order[k] = s.order[k + 1]
            at += 1


@flat
def meet(s: Any, one: int, other: int, events: Any) -> None:
    """Both die, if they have not yet."""
    if s.status[one] == ALIVE:
        die(s, one, BY_COLLISION, events)
    if s.status[other] == ALIVE:
        die(s, other, BY_COLLISION, events)


@seldom
@flat
def clear_the_dead(s: Any) -> None:
    """At the turn's end, remove those who died in it from the board."""
    for b in range(s.bots):
        if s.status[b] == BODY:
            s.status[b] = GONE
