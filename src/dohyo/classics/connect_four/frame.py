"""Connect four, what to draw: a frame contains everything, so that no view needs to know the rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dohyo.classics.connect_four import rules
from dohyo.classics.connect_four.protocol import text
from dohyo.classics.connect_four.rules import COLUMNS, HEIGHT, ROWS, SEATS, STEPS
from dohyo.core.game import Event, Frame


def frame(
    before: Any, actions: Sequence[int | None], events: Sequence[Event], after: Any, seat: int | None = None
) -> Frame:
    """The board after a turn, and what happened in it. Every seat sees everything.

    `turn`: stones dropped, with those of the start. `mover`: the seat that was to move, none in the first frame;
    `action`: its action as text. `rows`: the board from the top, each cell a seat's number, or none. `line`: the
    cells that are in a row of four, `[column, row]` with row 0 at the top. `marks`: what happened, in order:
    `["drop", seat, column, row]`, `["four", seat]`, `["give-up", seat]`. `highlights`: the marks "four" and
    "give-up", as `[kind, seat]`, for a time line.
    """
    movers = [p for p, action in enumerate(actions) if action is not None]
    mover = movers[0] if movers else None
    marks = [_mark(event) for event in events]
    return {
        "turn": after.turn,
        "mover": mover,
        "action": None if mover is None else text(actions[mover] or 0),
        "rows": [[_owner(after, column, row) for column in range(COLUMNS)] for row in range(ROWS)],
        "line": [[column, row] for row in range(ROWS) for column in range(COLUMNS) if _in_line(after, column, row)],
        "marks": marks,
        "highlights": [mark[:2] for mark in marks if mark[0] != "drop"],
    }


def _bit(column: int, row: int) -> int:
    """A cell's bit, its row counted from the top."""
    return 1 << column * HEIGHT + ROWS - 1 - row


def _owner(s: Any, column: int, row: int) -> int | None:
    return next((p for p in range(SEATS) if s.stones[p] & _bit(column, row)), None)


def _in_line(s: Any, column: int, row: int) -> bool:
    return bool(any(_lines(stones) & _bit(column, row) for stones in s.stones))


def _lines(stones: int) -> int:
    """All stones that are part of four in a row."""
    found = 0
    for step in STEPS:
        first = rules.fours(stones, step)
        found |= first | first << step | first << 2 * step | first << 3 * step
    return found


def _mark(event: Event) -> list[Any]:
    kind, p, column, row = event
    if kind == rules.DROPPED:
        return ["drop", p, column, ROWS - 1 - row]
    return ["four", p] if kind == rules.CONNECTED else ["give-up", p]
