"""Shoot-Em-Up, what to draw: a frame contains everything, so that no view needs to know the rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dohyo.core.game import Event, Frame
from dohyo.games.shoot_em_up import rules
from dohyo.games.shoot_em_up.board import crossed
from dohyo.games.shoot_em_up.protocol import text

NAMES = {rules.HIT: "hit", rules.DIED: "died", rules.LEFT: "left", rules.FAILED: "failed"}


def frame(
    before: Any, actions: Sequence[int | None], events: Sequence[Event], after: Any, seat: int | None = None
) -> Frame:
    """The board after an action, as `seat` knows it: of the other robot it knows where hits came from, no more.

    `turn`: actions taken. `mover`: the seat that acted, none in the first frame; `line`: its action as it was sent,
    none where `seat` cannot know it. `robots`, one a seat:

        x, y      where it is, or was when it left the board; none when unknown
        hits      how often it was hit; none when unknown
        ready     whether its next shot has power; none when unknown
        shot      its last action if that was a shot: `power`, and the `squares` [x, y] that it crossed; else none
        hit       [dx, dy] toward where it was hit from since its last action; none if it was not
        lost      how it lost: "died" (shot down), "left" (the board), "failed" (its program); none while it has not

    `marks`, in order: `["shot", seat, power]`, `["hit", seat, dx, dy]` (toward the shooter), `["died", seat]`,
    `["left", seat, dx, dy]` (the step that led off the board), `["failed", seat]`. `highlights`: all but the shots;
    and for everybody's eyes `["near", seat]`, a shot of that seat with power that passed the other by one square.
    `hidden`: seats whose actions and messages `seat` does not see.
    """
    mover = next((p for p, action in enumerate(actions) if action is not None), None)
    action = None if mover is None or seat not in (None, mover) else actions[mover]
    marks = [mark for event in events if (mark := _mark(before, event, seat))]
    return {
        "turn": after.turn,
        "mover": mover,
        "line": None if action is None else text(action),
        "robots": [_robot(after, p, seat) for p in range(rules.SEATS)],
        "marks": marks,
        "highlights": [*(mark[:2] for mark in marks if mark[0] != "shot"), *_near(after, marks, seat)],
        "hidden": [p for p in range(rules.SEATS) if seat not in (None, p)],
    }


def _near(s: Any, marks: Sequence[list[Any]], seat: int | None) -> list[list[Any]]:
    """A shot with power that hit nobody and crossed a square beside the other robot; for everybody only."""
    if seat is not None or any(mark[0] == "hit" for mark in marks):
        return []
    shooters = [mark[1] for mark in marks if mark[0] == "shot" and mark[2]]
    return [["near", p] for p in shooters if any(_is_beside(s, 1 - p, square) for square in crossed(s, p))]


def _is_beside(s: Any, p: int, square: tuple[int, int]) -> bool:
    return bool(max(abs(square[0] - s.x[p]), abs(square[1] - s.y[p])) == 1)


def _robot(s: Any, p: int, seat: int | None) -> dict[str, Any]:
    lost = HOW_LOST.get(s.ended) if s.loser == p else None
    if seat not in (None, p):
        return {"x": None, "y": None, "hits": None, "ready": None, "shot": None, "hit": None, "lost": lost}
    shot = {"power": bool(s.power[p]), "squares": [list(square) for square in crossed(s, p)]} if s.shot[p] else None
    return {
        "x": s.x[p],
        "y": s.y[p],
        "hits": s.hits[p],
        "ready": s.shot[p] == 0,
        "shot": shot,
        "hit": [s.hit_x[p], s.hit_y[p]] if s.was_hit[p] else None,
        "lost": lost,
    }


HOW_LOST = {rules.SHOT_DOWN: "died", rules.LEFT_BOARD: "left", rules.PROGRAM_ERROR: "failed"}


def _mark(s: Any, event: Event, seat: int | None) -> list[Any]:
    """What happened, as a mark; nothing where `seat` cannot know it."""
    kind, p, b, c = event
    known = seat in (None, p)
    if kind == rules.SHOT:
        return ["shot", p, bool(c)] if known else []
    if kind == rules.HIT:
        return ["hit", p, b, c] if known else []
    if kind == rules.LEFT:
        return ["left", p, b - s.x[p], c - s.y[p]] if known else ["left", p]
    return [NAMES[kind], p] if kind in NAMES else []
