"""aBOTcalypse, the rules of the text (`post`): gravity is real.

A column is `height[x]` rocks on the floor. A bot is on top (y equals the height) or in the stack (y below it).
Every function here keeps that so: no rock floats, no bot is unsupported.
"""

from __future__ import annotations

from typing import Any

from dohyo.core.flat import emit, flat
from dohyo.games.abotcalypse.board import (
    ALIVE,
    BODY,
    BY_COLLISION,
    BY_FALL,
    BY_ROCK,
    DIED,
    DOWN,
    DROPPED,
    GONE,
    HIT,
    TOP,
    UP,
    WIDTH,
    X_STEP,
    die,
    inside,
    kill_all_at,
)


@flat
def move(s: Any, b: int, direction: int, events: Any) -> None:
    """Move a bot by one square; off the board: nothing."""
    if direction == UP:
        climb(s, b)
    elif direction == DOWN:
        if s.y[b] > 0:
            s.y[b] -= 1
    else:
        walk(s, b, s.x[b] + X_STEP[direction], events)


@flat
def climb(s: Any, b: int) -> None:
    """Up in the stack; from the top a bot comes back at once."""
    if s.y[b] < s.height[s.x[b]] and s.y[b] < TOP:
        s.y[b] += 1


@flat
def walk(s: Any, b: int, x: int, events: Any) -> None:
    """Sideways, into a stack or down onto the next column's top; a fall of more than one square kills.

    A bot killed by its fall stays where it landed until the collisions, and takes along whom it meets there.
    """
    if x < 0 or x >= WIDTH:
        return
    s.x[b] = x
    fall = s.y[b] - s.height[x]
    if fall > 0:
        s.y[b] = s.height[x]
    if fall > 1:
        leave_body(s, b, BY_FALL, events)


@flat
def leave_body(s: Any, b: int, cause: int, events: Any) -> None:
    """A bot is dead, and its body still counts at the collisions."""
    emit(events, DIED, b, cause, 0)
    s.status[b] = BODY
    s.cause[b] = cause


@flat
def drop(s: Any, b: int, direction: int, events: Any) -> None:
    """Put a rock down."""
    if direction == DOWN:
        if s.y[b] == s.height[s.x[b]]:
            land(s, s.x[b], events)
    elif direction == UP:
        if s.y[b] < TOP:
            push_rock(s, s.x[b], s.y[b] + (s.y[b] < s.height[s.x[b]]), events)
    elif 0 <= s.x[b] + X_STEP[direction] < WIDTH:
        push_rock(s, s.x[b] + X_STEP[direction], s.y[b], events)


@flat
def push_rock(s: Any, x: int, y: int, events: Any) -> None:
    """A rock goes into a square and falls from there; in a stack nothing is added. It kills whom it meets."""
    if y < s.height[x]:
        kill_all_at(s, x, y, BY_ROCK, events)
    else:
        kill_all_at(s, x, s.height[x], BY_ROCK, events)
        land(s, x, events)


@flat
def land(s: Any, x: int, events: Any) -> None:
    """A rock comes to rest on a column."""
    emit(events, DROPPED, x, s.height[x], 0)
    s.height[x] += 1


@flat
def hit(s: Any, x: int, y: int, cause: int, events: Any) -> bool:
    """A shot or a meteor is in a square; whether it ends there (outside the board too)."""
    if not inside(x, y):
        return True
    if y < s.height[x]:
        emit(events, HIT, x, y, cause)
        shatter(s, x, y, cause, events)
        return True
    return y == s.height[x] and kill_all_at(s, x, y, cause, events) > 0


@flat
def shatter(s: Any, x: int, y: int, cause: int, events: Any) -> None:
    """The rock in (x, y) is gone, and what was above it comes down.

    Bots in the square die; those above it, but below the top rock, die under the rocks; those in the top rock's
    square or on top come down by one, which is a fall that harms nobody.
    """
    top = s.height[x] - 1
    for b in range(s.bots):
        if s.status[b] == ALIVE and s.x[b] == x and s.y[b] >= y:
            if s.y[b] > y and s.y[b] >= top:
                s.y[b] -= 1
            else:
                die(s, b, cause if s.y[b] == y else BY_ROCK, events)
    s.height[x] -= 1


@flat
def collide(s: Any, events: Any) -> None:
    """All bots that ended in one square die, and those who fell to their death there take part."""
    for b in range(s.bots):
        if s.status[b] == ALIVE and shares_square(s, b):
            leave_body(s, b, BY_COLLISION, events)
    for b in range(s.bots):
        s.status[b] &= ALIVE  # a body is gone now, too


@flat
def shares_square(s: Any, b: int) -> bool:
    """Whether anybody else is in b's square."""
    for other in range(s.bots):
        if other != b and s.status[other] != GONE and s.x[other] == s.x[b] and s.y[other] == s.y[b]:
            return True
    return False
