"""Drop-Block in a terminal: a frame as text with rich's markup."""

from __future__ import annotations

from collections.abc import Sequence

from dohyo.core.game import Frame


def terminal(frame: Frame, names: Sequence[str]) -> str:
    """The board as lines of text in rich's markup."""
    squares = [["." for _ in range(18)] for _ in range(18)]
    for p, player in enumerate(frame["players"]):
        if player["row"] is not None:
            squares[player["row"]][player["column"]] = str(p)
    return "\n".join(" ".join(row) for row in squares)
