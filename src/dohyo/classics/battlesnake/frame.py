"""Battlesnake, what to draw: a frame contains everything, so that no view needs to know the rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dohyo.classics.battlesnake import WORDS
from dohyo.classics.battlesnake_api import body_of
from dohyo.classics.battlesnake_hazards import SIZE
from dohyo.core.game import Event, Frame


def frame(
    before: Any, actions: Sequence[int | None], events: Sequence[Event], after: Any, seat: int | None = None
) -> Frame:
    """The board after a turn. Every seat sees everything.

    `turn`: turns played. `food`, `hazards`: their places, `[row, column]` with row 0 at the top. `snakes`, by seat:
    `body`, its places from the head on (a tail that stays is there as often as it stays; none of a snake that is
    out), `health`, `length`, and `out`, whether it is out. `fallen`: `[seat, row, column]` of each snake that went
    out in this turn, and where its head was. `ate`: the seats that ate. `actions`: what each seat did; none where it
    was not asked. `highlights`: `["out", seat]`, for a time line.
    """
    seats = range(after.seats)
    fallen = [p for p in seats if after.died[p] > 0 and before.died[p] == 0 and after.turn > before.turn]
    return {
        "turn": after.turn,
        "food": [_place(at) for at in range(SIZE * SIZE) if after.food[at]],
        "hazards": [_place(at) for at in range(SIZE * SIZE) if after.hazards[at]],
        "snakes": [_snake(after, p) for p in seats],
        "fallen": [[p, *_place(after.head[p])] for p in fallen],
        "ate": [p for p in seats if after.length[p] > before.length[p]],
        "actions": [None if action is None else WORDS[action] for action in actions],
        "highlights": [["out", p] for p in fallen],
    }


def _place(at: int) -> list[int]:
    return [at // SIZE, at % SIZE]


def _snake(s: Any, seat: int) -> dict[str, Any]:
    is_there = s.snakes[s.head[seat]] == seat + 1
    return {
        "body": [_place(at) for at in body_of(s, seat)] if is_there else [],
        "health": s.health[seat],
        "length": s.length[seat],
        "out": s.died[seat] > 0,
    }
