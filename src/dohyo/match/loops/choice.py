"""Which loop plays a match's ordinary turns: the one in Python, or a compiled one once it pays.

A game in which one player moves in each turn has a loop (`dohyo.match.loops`). Of Dohyo's own games it ships as
machine code in wheels (`shipped_loop.py`), which is loaded at once, in a few milliseconds; of others it can be
compiled together with the game's rules, with the extra `fast`. Loading that takes about as long as it saves in tens
of thousands of turns. So a process loads it only after it has played so many turns of the game that it pays.
"""

from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING

from dohyo.core.errors import OperatorError
from dohyo.core.game import Game
from dohyo.match.loops.driver import TurnLoop, suits
from dohyo.match.loops.python_loop import PythonLoop
from dohyo.system import shipped

if TYPE_CHECKING:
    from dohyo.match.loops.compiled_loop import CompiledLoop
    from dohyo.match.loops.shipped_loop import ShippedLoop

TURNS_TO_PAY = 20_000

_loops: dict[int, tuple[Game, CompiledLoop]] = {}  # by the game's identity: another of its name has other rules
_shipped: dict[int, tuple[Game, ShippedLoop | None]] = {}
_played: dict[str, int] = {}  # turns in this process, by game


def loop_for(game: Game, compiled: bool | None = None) -> TurnLoop | None:
    """The game's loop, if it has one: what ships; else the one in Python, or that of Numba where it pays.

    `compiled` asks for the last one, or, if it is false, for the loop in Python.

    Raises `OperatorError` if the compiled loop is asked for and the extra `fast` is not installed.
    """
    if not suits(game):
        return None
    if compiled is None and (loop := _that_ships(game)):
        return loop
    if compiled or (compiled is None and _pays(game)):
        from dohyo.match.loops.compiled_loop import CompiledLoop

        try:
            if id(game) not in _loops:
                _loops[id(game)] = game, CompiledLoop(game)
            return _loops[id(game)][1]
        except OperatorError:
            if compiled:
                raise
    return PythonLoop(game)


def _that_ships(game: Game) -> ShippedLoop | None:
    """The game's loop that ships with Dohyo, loaded once."""
    if not shipped.is_there():
        return None
    if id(game) not in _shipped:
        from dohyo.match.loops.shipped_loop import shipped_loop

        _shipped[id(game)] = game, shipped_loop(game)
    return _shipped[id(game)][1]


def _pays(game: Game) -> bool:
    """Whether this process has played enough turns for the compiled loop to pay, and the loop is available."""
    return _played.get(game.name, 0) >= TURNS_TO_PAY and importlib.util.find_spec("numba") is not None


def note_turns(game: Game, turns: int) -> None:
    """Count turns that have been played."""
    _played[game.name] = _played.get(game.name, 0) + turns
