"""Games that Kaggle has too: what an agent sees of them there, by the same names."""

from __future__ import annotations

from collections.abc import Callable

from dohyo.kaggle.values import Struct


def _connectx(seen: Struct, player: int | None) -> Struct:
    """`board` is one list, row after row from the top: 0 nobody, 1 and 2 the players; `mark` is the agent's own.

    `step` counts the turns of both.
    """
    seat = seen.get("seat", player)
    seen = seen if seat is None else Struct({**seen, "mark": seat + 1})
    if "board" not in seen:  # nothing was sent yet
        return seen
    board = [cell for row in seen.board[: seen.rows] for cell in row[: seen.columns]]
    return Struct({**seen, "board": board, "step": seen.turn})


_VIEWS: dict[str, Callable[[Struct, int | None], Struct]] = {"connectx": _connectx}


def as_there(game: str, seen: Struct, player: int | None) -> Struct:
    """The observation with what Kaggle's own environment of this name adds to it or has in another form."""
    view = _VIEWS.get(game)
    return seen if view is None else view(seen, player)
