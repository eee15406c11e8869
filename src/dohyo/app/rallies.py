"""Compiled loops for matches: which game has one, and when it pays.

Where the extra `fast` is installed, ordinary turns of games with one mover a turn are played by a loop that is
compiled with the game's rules (`dohyo.runner.rally`). Loading it takes about as long as it saves in tens of thousands
of turns. So it is loaded by itself, in a process that has played so many without: who rents until the rent has come
to the price pays at most twice what a prophet would.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Sequence
from typing import Any

from dohyo.core.errors import OperatorError
from dohyo.core.game import Game, State, Turns
from dohyo.core.referee import Told
from dohyo.runner import rally
from dohyo.runner.plain_rally import PlainLoop
from dohyo.runner.rallies import Loop
from dohyo.runner.read_timer import ReadTimer

MOST = 256  # turns in one go
INPUT_BYTES = 64 * 1024
TURNS_TO_PAY = 20_000

_loops: dict[int, tuple[Game, CompiledLoop]] = {}  # by the game's identity: another of its name has other rules
_played: dict[str, int] = {}  # turns in this process, by game


def loop_for(game: Game, compiled: bool | None = None) -> Loop | None:
    """The game's loop, where it has one: the plain one, unless `compiled` says so, or the other one pays by now.

    Raises `OperatorError` when that is asked for, and the extra `fast` is not installed.
    """
    if not suits(game):
        return None
    if compiled or (compiled is None and _pays(game)):
        try:
            if id(game) not in _loops:
                _loops[id(game)] = game, CompiledLoop(game)
            return _loops[id(game)][1]
        except OperatorError:
            if compiled:
                raise
    return PlainLoop(game)


def _pays(game: Game) -> bool:
    """Whether this process has paid the price of the loop already, and it can be had."""
    return _played.get(game.name, 0) >= TURNS_TO_PAY and importlib.util.find_spec("numba") is not None


def note_turns(game: Game, turns: int) -> None:
    """So many turns have been played."""
    _played[game.name] = _played.get(game.name, 0) + turns


def suits(game: Game) -> bool:
    """Whether ordinary turns of this game can be played by the loop, on this system."""
    return sys.platform == "linux" and game.turns is Turns.ALTERNATING and not game.protocol.CLOSING


class CompiledLoop:
    """The loop of a game, with its buffers. One match at a time uses it."""

    def __init__(self, game: Game) -> None:
        """Compile it, or load what was compiled before. Raises `OperatorError` without the extra `fast`."""
        from dohyo.sim import compiled, records

        parts = {name: getattr(game.rules, name) for name in rally.RULES}
        parts.update({name: getattr(game.protocol, name) for name in rally.PROTOCOL})
        self._loop = compiled.compile_over(rally.rally, parts, rally.FOREIGN)
        import numpy

        self.most = MOST
        self._layout = game.rules.LAYOUT
        desks = _record(rally.desk_fields(game.seats[1], MOST, game.protocol.PROMPT_BYTES, INPUT_BYTES))
        states = records.blank(self._layout, 1)
        packed: Any = states.view(numpy.uint8)[: self._layout.size]
        texts = texts_of([game.protocol.text(action) for action in range(game.rules.ACTIONS)])
        self._given = states, packed, desks, texts
        # Between two turns of a program's, NumPy's own code lies in no cache any more: views are had beforehand.
        self._state = memoryview(packed)
        views = {name: memoryview(desks[name][0]) for name in desks.dtype.names}
        self._end, self._ways = views["end"], views["ways"]
        self._columns = views["seats"], views["acted"], views["seconds"]
        self._digests, self._prompt, self._input = views["digests"], views["prompt"], views["input"]

    def load(self, state: State) -> None:
        """Go on from this state. Raises `struct.error` when a value does not fit its field."""
        self._state[:] = self._layout.pack(state)

    def play(self, ways: Sequence[list[int]], limit: int, most: int, watchful: bool, tick: ReadTimer) -> list[int]:
        """Play a rally of at most so many turns; returns `rally.end`. The tick's signal ends its reads by itself."""
        at = 0
        for way in ways:
            for number in way:
                self._ways[at] = number
                at += 1
        self._loop(*self._given, len(ways), most, limit, int(watchful))
        return self._end.tolist()

    def state(self) -> State:
        """The state it has come to."""
        return self._layout.unpack(self._state)

    def told(self, count: int) -> Told:
        """Who moved in the rally's turns, and how."""
        seats, actions, seconds = (column[:count].tolist() for column in self._columns)
        return Told(seats, actions, seconds, str(self._digests[: rally.DIGEST * count], "ascii"))

    def unsent(self, start: int, end: int) -> bytes:
        """A part of the last prompt."""
        return bytes(self._prompt[start:end])

    def came(self, count: int) -> bytes:
        """What the last read has brought."""
        return bytes(self._input[:count])


def texts_of(texts: Sequence[str]) -> Any:
    """The table that `rally.find` looks actions up in, as an array of one record."""
    longest = max(len(text) for text in texts)
    slots = 1 << (4 * len(texts) - 1).bit_length()
    table = _record(rally.text_fields(longest, len(texts), slots))
    row = table[0]
    row["longest"] = longest
    row["slots"][:] = -1
    for action, text in enumerate(texts):
        line = text.encode("ascii")
        row["lengths"][action] = len(line)
        row["letters"][action * longest : action * longest + len(line)] = list(line)
        place = rally.hashed(line, len(line)) & (slots - 1)
        while row["slots"][place] >= 0:
            place = (place + 1) & (slots - 1)
        row["slots"][place] = action
    return table


def _record(fields: rally.Fields) -> Any:
    """An array of one record with these fields."""
    import numpy

    return numpy.zeros(1, numpy.dtype([(name, kind, (length,)) for name, kind, length in fields], align=True))
