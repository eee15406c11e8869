"""A process that judges positions of a game as they come: how likely each seat wins, for whoever shows a match.

    python -P -m dohyo.guests.analysis.positions HERE GAME

HERE is the folder in which the command was typed. Each line of the standard input is an object of JSON, `mark` (of
whoever asks), `seats`, and `state`: the packed state in base64. For each there is one on the standard output: `mark`,
and `chances`, one for each seat; empty where the search is not sure enough to say any.

It takes little: a search of a bounded length, then a pause that is several times as long, and all of it gives way to
whoever else wants the processor. It ends with its standard input.
"""

from __future__ import annotations

import base64
import os
import sys
import time
from typing import Any

import msgspec

from dohyo import games
from dohyo.core.game import Game
from dohyo.series.analyst import Analyst
from dohyo.system import interpreter
from dohyo.system.priority import giving_way

SECONDS = 0.15  # of a search
PAUSES = 5.0  # times as long as a search took: a sixth of one processor at most
UNSURE = 0.2  # half of a 90 % interval: with a wider one nothing is said


class Position(msgspec.Struct):
    """What is asked."""

    mark: list[int]
    seats: int
    state: str


class Positions:
    """Judges positions of one game."""

    def __init__(self, game: Game, *, compiled: bool = True) -> None:
        self._game = game
        self._compiled = compiled
        self._analysts: dict[int, Analyst] = {}

    def chances(self, asked: Position, *, playouts: int | None = None) -> list[float]:
        """Each seat's chance; nothing where it is not known well enough."""
        layout = self._game.rules.LAYOUT
        state = layout.unpack(base64.b64decode(asked.state))
        if self._game.rules.over(state):
            return []
        if asked.seats not in self._analysts:
            self._analysts[asked.seats] = Analyst(self._game, asked.seats, compiled=self._compiled)
        seconds = SECONDS if playouts is None else None
        judged = self._analysts[asked.seats].judge(
            worlds_of(self._game, state, self._compiled), seconds=seconds, playouts=playouts, deciding=False
        )
        return [] if max(judged.error) > UNSURE else [round(chance, 3) for chance in judged.chance]


def worlds_of(game: Game, state: Any, compiled: bool) -> Any:
    """A true state as the only world of a search."""
    if not compiled:
        return [state]
    from dohyo.sim import records

    worlds = records.blank(game.rules.LAYOUT, 1)
    records.write(game.rules.LAYOUT, worlds, 0, state)
    return worlds


def main() -> None:
    """Answer what the standard input asks."""
    interpreter.enter(sys.argv[1])
    ours = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a game prints is not for whoever asks
    judge = Positions(games.find(sys.argv[2]))
    with giving_way():
        for line in sys.stdin.buffer:
            asked = msgspec.json.decode(line, type=Position)
            begin = time.monotonic()
            found = judge.chances(asked)
            took = min(time.monotonic() - begin, 2 * SECONDS)  # the first one compiles the rules
            ours.write(msgspec.json.encode({"mark": asked.mark, "chances": found}) + b"\n")
            ours.flush()
            time.sleep(PAUSES * took)


if __name__ == "__main__":
    main()
