"""aBOTcalypse, what to draw: a frame contains everything, so that no view needs to know the rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dohyo.core.game import Event, Frame
from dohyo.games.abotcalypse import board
from dohyo.games.abotcalypse.directions import ACROSS, FIRST, UPWARD
from dohyo.games.abotcalypse.outcome import CAUSES
from dohyo.games.abotcalypse.protocol import SIGHT, text


def frame(
    before: Any, actions: Sequence[int | None], events: Sequence[Event], after: Any, seat: int | None = None
) -> Frame:
    """The board after a turn, and what happened in it; for a seat, the part that it sees from where it stands.

    `turn`: turns played. `bots`: one a seat, `x`, `y` (of the dead: where they died, none where a seat cannot see),
    `alive`, `died` (`[turn, cause]`, none for the living), `action` (its words in this turn, none if it had none).
    `columns`: for each x the heights at which rocks lie, as runs `[from, to]`; none where a seat cannot see.
    `meteors`: `[x, y, dx, dy]` each, rounded to three digits. `marks`, in order: `["throw", seat, direction,
    distance]`, `["hit", x, y, cause]`, `["rock", x, y]` (one was put down), `["died", seat, cause]`. `highlights`:
    `["died", seat]` each. `hidden`: seats whose actions and messages `seat` does not see.
    """
    eye = None if seat is None else (before.x[seat], before.y[seat])
    marks = [mark for event in events if (mark := _mark(event))] if seat is None else []
    return {
        "turn": after.turn,
        "bots": [_bot(after, b, actions, eye, seat) for b in range(after.bots)],
        "columns": [_runs(after, x) if _sees(eye, x, None) else None for x in range(board.WIDTH)],
        "meteors": [_meteor(after, m) for m in range(after.meteors) if _sees(eye, *_square(after, m))],
        "marks": marks,
        "highlights": [["died", mark[1]] for mark in marks if mark[0] == "died"],
        "hidden": [] if seat is None else [b for b in range(after.bots) if b != seat],
    }


def _sees(eye: tuple[int, int] | None, x: int, y: int | None) -> bool:
    if eye is None:
        return True
    return abs(x - eye[0]) <= SIGHT and (y is None or abs(y - eye[1]) <= SIGHT)


def _bot(
    s: Any, b: int, actions: Sequence[int | None], eye: tuple[int, int] | None, seat: int | None
) -> dict[str, Any]:
    known = b == seat or _sees(eye, s.x[b], s.y[b])
    action = actions[b] if b < len(actions) and seat in (None, b) else None
    return {
        "x": s.x[b] if known else None,
        "y": s.y[b] if known else None,
        "alive": s.status[b] == board.ALIVE,
        "died": [s.score[b], CAUSES[s.cause[b]]] if s.cause[b] else None,
        "action": None if action is None else text(action),
    }


def _runs(s: Any, x: int) -> list[list[int]]:
    """The rocks of a column as runs of heights."""
    if s.rules == board.POST:
        return [[0, s.height[x] - 1]] if s.height[x] else []
    runs: list[list[int]] = []
    for y in range(board.WIDTH):
        if board.holds_rock(s, x, y):
            if runs and runs[-1][1] == y - 1:
                runs[-1][1] = y
            else:
                runs.append([y, y])
    return runs


def _square(s: Any, m: int) -> tuple[int, int]:
    return int(s.meteor_x[m]), int(s.meteor_y[m])


def _meteor(s: Any, m: int) -> list[float]:
    angle = s.meteor_angle[m] - FIRST
    return [round(value, 3) for value in (s.meteor_x[m], s.meteor_y[m], ACROSS[angle], UPWARD[angle])]


def _mark(event: Event) -> list[Any]:
    kind, a, b, c = event
    if kind == board.SHOT:
        return ["throw", a, b, c]
    if kind == board.HIT:
        return ["hit", a, b, CAUSES[c]]
    if kind == board.DROPPED:
        return ["rock", a, b]
    if kind == board.DIED:
        return ["died", a, CAUSES[b]]
    return []
