"""Shoot-Em-Up, what to draw: a frame says everything, so that no view works a rule out again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dohyo.core.game import Event, Frame
from dohyo.games.shoot_em_up import rules
from dohyo.games.shoot_em_up.protocol import text


def frame(
    before: Any, actions: Sequence[int | None], events: Sequence[Event], after: Any, seat: int | None = None
) -> Frame:
    """The board after an action, as `seat` knows it: of the other robot it knows where hits came from, no more.

    `turn`: actions taken. `mover`: the seat that acted, none in the first frame, or when `seat` cannot know what it
    did; `line`: its action as it was sent. `robots`: one a seat: `x`, `y` (none when unknown or off the board),
    `hits`, `ready` (whether its next shot has power; none when unknown). `marks`, in order: `["shot", seat, x, y, dx,
    dy, power]`, `["hit", seat, dx, dy]` (toward the shooter), `["died", seat]`, `["left", seat, x, y]`, `["failed",
    seat]`.
    """
    movers = [p for p, action in enumerate(actions) if action is not None]
    mover = movers[0] if movers else None
    known = seat is None or mover == seat
    return {
        "turn": after.turn,
        "mover": mover if known else None,
        "line": text(actions[mover] or 0) if mover is not None and known else None,
        "robots": [_robot(after, p, seat) for p in range(rules.SEATS)],
        "marks": [mark for event in events if (mark := _mark(before, event, seat))],
    }


def _robot(s: Any, p: int, seat: int | None) -> dict[str, Any]:
    known = seat is None or seat == p
    off_board = s.ended == rules.LEFT_BOARD and s.loser == p
    return {
        "x": s.x[p] if known and not off_board else None,
        "y": s.y[p] if known and not off_board else None,
        "hits": s.hits[p] if known else None,
        "ready": not s.cold[p] if known else None,
    }


def _mark(s: Any, event: Event, seat: int | None) -> list[Any]:
    kind, a, b, c = event
    if kind == rules.SHOT:
        return ["shot", a, s.x[a], s.y[a], rules.X_OF[b], rules.Y_OF[b], bool(c)] if seat in (None, a) else []
    if kind == rules.HIT:
        return ["hit", a, b, c] if seat in (None, a) else []
    if kind == rules.LEFT:
        return ["left", a, b, c] if seat in (None, a) else []
    if kind == rules.DIED:
        return ["died", a]
    return ["failed", a] if kind == rules.FAILED else []
