"""ConnectX, what to draw: the general drawing's fields, the board as large as it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dohyo.classics.connectx import SIGNS, SIZE
from dohyo.core.game import Event, Frame


def frame(
    before: Any, actions: Sequence[int | None], events: Sequence[Event], after: Any, seat: int | None = None
) -> Frame:
    """The board after a turn, `rows` by `columns`, from the top. Every seat sees everything.

    `fields`: `turn` and `board`, each with its `shape` and `values`, of the board also `signs`, `owners` (a value 1
    is seat 0) and `edges`, the numbers of rows and columns. `actions`: the column of each seat; none where it was not
    asked. `changed`: `["board", number of the cell]` of the cells that are other than before.
    """
    old, new = _cells(before), _cells(after)
    shape = [after.rows, after.columns]
    edges = [list(map(str, range(count))) for count in shape]
    return {
        "fields": {
            "turn": {"shape": [], "values": [after.turn]},
            "board": {"shape": shape, "values": new, "signs": SIGNS["board"], "owners": True, "edges": edges},
        },
        "actions": [None if action is None else str(action) for action in actions],
        "changed": [["board", at] for at in range(len(new)) if old[at] != new[at]],
    }


def _cells(s: Any) -> list[int]:
    """The board's cells, row after row."""
    return [s.board[row * SIZE + column] for row in range(s.rows) for column in range(s.columns)]
