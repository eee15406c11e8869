"""What the operator may choose before a duel of Shoot-Em-Up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dohyo.core.options import Option, Value, whole
from dohyo.games.shoot_em_up.rules import ACTIONS, LIVES, MOVES, PAIR_LIMIT, SEATS, WIDTH

MAX_PAIRS = 100_000


def read_places(value: Value) -> list[int]:
    """Where both robots start: four numbers `x,y,x,y`, or a list of them."""
    words = value.split(",") if isinstance(value, str) else value
    if len(words) != 2 * SEATS:
        raise ValueError
    return [whole(0, WIDTH - 1)(word) for word in words]


OPTIONS = (
    Option("pairs", 500, f"0 to {MAX_PAIRS}", "pairs of actions after which a combat is a draw", whole(0, MAX_PAIRS)),
    Option("places", None, "X,Y,X,Y, each from 0 to 9", "where both robots start, instead of the dice", read_places),
)


def start(s: Any, setup: Mapping[str, Value], seats: int) -> None:
    """Write a resolved setup into a new state."""
    s.limit = setup["pairs"]
    if setup["places"] is not None:
        s.dealt = 1
        for p in range(SEATS):
            s.x[p], s.y[p] = setup["places"][2 * p], setup["places"][2 * p + 1]


def possible(s: Any) -> bool:
    """Whether a duel can come to this state: a replay that somebody wrote by hand may hold any numbers."""
    on_board = all(0 <= place < WIDTH for place in (*s.x, *s.y))
    guns = all(shot == 0 or MOVES <= shot < ACTIONS for shot in s.shot)
    flags = all(flag in (0, 1) for flag in (*s.power, *s.was_hit, *s.told, s.dealt))
    hits = all(0 <= hits <= LIVES for hits in s.hits) and all(-1 <= step <= 1 for step in (*s.hit_x, *s.hit_y))
    end = 0 <= s.ended <= PAIR_LIMIT and -1 <= s.loser < SEATS
    return on_board and guns and flags and hits and end and s.turn >= 0 and 0 <= s.limit <= MAX_PAIRS


def reseat(s: Any) -> None:
    """New programs are first sent the positions of their robots."""
    s.told[:] = [0] * SEATS
