"""How good a position is by what lies on its board, as matches have taught it: numbers beside a game, and no code.

Where random play says little, as in chess, a search needs to know what is worth how much. A file `learned.json` in a
game's folder holds a number for each sign at each place of a field of the state, and `value` adds up those that are
there. `benchmarks/searcher.py learn GAME` makes the file, from matches that random players and then the search itself
have played; it works for each game of two seats with a field of signs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from dohyo.core.flat import flat
from dohyo.core.game import Game

FILE = "learned.json"


class Learned(msgspec.Struct, frozen=True):
    """What the signs of a field are worth for seat 0: for each place a number for each sign."""

    field: str
    worth: tuple[tuple[float, ...], ...]


def learned(game: Game) -> Learned | None:
    """What was learned of a game; none if nothing was."""
    file = Path(game.folder) / FILE
    if not file.is_file():
        return None
    return msgspec.json.decode(file.read_bytes(), type=Learned)


def value_of(known: Learned) -> Callable[[Any, int], float]:
    """The value of a state for a seat, as `AlphaBeta` takes it in plain Python."""
    name, worth = known.field, [list(each) for each in known.worth]

    @flat
    def value(s: Any, seat: int) -> float:
        placed: Sequence[int] = getattr(s, name)
        found = 0.0
        for each, sign in zip(worth, placed, strict=True):
            found += each[sign]
        return found if seat == 0 else -found

    return value
