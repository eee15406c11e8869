"""Wondev Woman, what to draw: a frame contains everything, so that no view needs to know the rules."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from dohyo.core.flat import row_of
from dohyo.core.game import Event, Frame
from dohyo.games.wondev_woman import rules
from dohyo.games.wondev_woman.board import HOLE, MAX_UNITS, SEATS, cell_of, sees, slot_of, view, x_of, y_of
from dohyo.games.wondev_woman.legality import GIVE_UP, NO_MOVE
from dohyo.games.wondev_woman.protocol import text

Mark = list[Any]

MAX_KEPT = 256  # rows of the latest frames

HIGHLIGHTS = ("score", "push", "out")
WAYS_OUT = {GIVE_UP: "gave-up", NO_MOVE: "no-move"}  # all other actions that take a player out are faults


def frame(
    before: Any, actions: Sequence[int | None], events: Sequence[Event], after: Any, seat: int | None = None
) -> Frame:
    """The board after a turn, and what happened in it, as `seat` sees it (everything when none).

    `turn`: turns played. `round`: whole rounds played. `mover`: the seat that was to move, none in the first frame;
    `action`: its action as text. `next`: the seat that moves now, none when the match is over. `fog`: whether the
    league has any. `heights`: rows of 0..4, none for a hole; everybody knows them. `seen`: rows, whether the seat
    sees who is on a cell. `units`: one list a seat, `[x, y]` each, none for one that the seat does not see. `scores`:
    one a seat (points, or what the wood3 league counts). `out`: one a seat. `marks`: what happened, in order:

    `["move", seat, unit, from, to]`, `["score", seat, unit]`, `["push", seat, unit, other seat, its unit, from, to]`,
    `["build", cell, height]`, `["cancel", seat, unit, cell]` (an enemy that was not seen stood there, so nothing was
    built there or pushed there), `["out", seat, "gave-up" | "no-move" | "fault"]`; a cell is `[x, y]`.
    `highlights`: the marks "score", "push" and "out", as `[kind, seat]`, for a time line. `hidden`: seats whose
    actions and messages the seat does not see.

    With fog, a seat is shown neither the other's action and score, nor where the other's units go while out of sight.
    """
    movers = [p for p, action in enumerate(actions) if action is not None]
    mover = movers[0] if movers else None
    marks = [mark for event in events if (mark := _mark(event, before, after, seat))]
    scores = row_of(SEATS)
    rules.scores(after, scores)
    hides = seat is not None and after.fog == 1
    return {
        "turn": after.turn,
        "round": after.rounds,
        "mover": mover,
        "action": None if mover is None or (hides and mover != seat) else text(actions[mover] or 0),
        "next": None if after.ended or not after.dealt else after.mover,
        "fog": bool(after.fog),
        "heights": _rows_of_heights(tuple(after.height), after.size),
        "seen": _rows_of_cells(-1 if seat is None else view(after, seat), after.size),
        "units": [[_unit(after, slot_of(p, unit), seat) for unit in range(after.units)] for p in range(SEATS)],
        "scores": [None if hides and p != seat else score for p, score in enumerate(scores)],
        "out": [bool(out) for out in after.out],
        "marks": marks,
        "highlights": [mark[:2] for mark in marks if mark[0] in HIGHLIGHTS],
        "hidden": [p for p in range(SEATS) if hides and p != seat],
    }


def _sees(s: Any, seat: int | None, cell: int) -> bool:
    return seat is None or sees(s, seat, cell)


# Each turn is drawn for everybody and for each seat, with the same heights; nobody changes what is in a frame.
@lru_cache(MAX_KEPT)
def _rows_of_heights(heights: tuple[int, ...], size: int) -> list[list[int | None]]:
    rows = (heights[cell_of(0, y) : cell_of(size, y)] for y in range(size))
    return [[None if height == HOLE else height for height in row] for row in rows]


@lru_cache(MAX_KEPT)
def _rows_of_cells(cells: int, size: int) -> list[list[bool]]:
    """Which cells are in a mask."""
    return [[cells >> cell_of(x, y) & 1 == 1 for x in range(size)] for y in range(size)]


def _unit(s: Any, slot: int, seat: int | None) -> list[int] | None:
    return _cell(s.at[slot]) if s.dealt and _sees(s, seat, s.at[slot]) else None


def _cell(cell: int) -> list[int]:
    """A cell as `[x, y]`."""
    return [x_of(cell), y_of(cell)]


def _mark(event: Event, before: Any, after: Any, seat: int | None) -> Mark | None:
    """What the seat notices of an event; none when it notices nothing."""
    kind, a, b, c = event
    if kind == rules.BUILT:
        return ["build", _cell(b), c]
    if kind == rules.WENT_OUT:
        return ["out", a, WAYS_OUT.get(b, "fault")]
    p, unit = divmod(a, MAX_UNITS)
    all_known = seat is None or p == seat or after.fog == 0
    if kind == rules.PUSHED:  # the pusher stands beside the pushed: each player sees one of them for sure
        return ["push", p, unit, *divmod(b, MAX_UNITS), _cell(before.at[b]), _cell(c)]
    if kind == rules.MOVED:
        start = _cell(b) if all_known or _sees(before, seat, b) else None
        there = _cell(c) if all_known or _sees(after, seat, c) else None
        return ["move", p, unit, start, there] if start or there else None
    if kind == rules.SCORED:
        return ["score", p, unit] if all_known or _sees(after, seat, b) else None
    return ["cancel", p, unit, _cell(b)] if all_known else None
