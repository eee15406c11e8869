"""Which loop plays a match's ordinary turns: the one in Python, or the compiled one once it pays.

A game in which one player moves in each turn has a loop (`dohyo.runner.fastpath`). With the extra `fast`, the loop
can be compiled together with the game's rules. Loading the compiled loop takes about as long as it saves in tens of
thousands of turns. So a process loads it only after it has played that many turns of the game.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Sequence
from typing import Any

from dohyo.core.errors import OperatorError
from dohyo.core.game import Game, State, Turns
from dohyo.core.referee import PlayedTurns
from dohyo.runner.fastpath import kernel
from dohyo.runner.fastpath.driver import Loop
from dohyo.runner.fastpath.kernel import MAX_TURNS
from dohyo.runner.fastpath.python_loop import PythonLoop
from dohyo.runner.read_timer import ReadTimer

INPUT_BYTES = 64 * 1024
TURNS_TO_PAY = 20_000

_loops: dict[int, tuple[Game, CompiledLoop]] = {}  # by the game's identity: another of its name has other rules
_played: dict[str, int] = {}  # turns in this process, by game


def loop_for(game: Game, compiled: bool | None = None) -> Loop | None:
    """The game's loop, if it has one: the loop in Python, unless `compiled` asks for the compiled one or that one
    pays by now.

    Raises `OperatorError` if the compiled loop is asked for and the extra `fast` is not installed.
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
    return PythonLoop(game)


def _pays(game: Game) -> bool:
    """Whether this process has played enough turns for the compiled loop to pay, and the loop is available."""
    return _played.get(game.name, 0) >= TURNS_TO_PAY and importlib.util.find_spec("numba") is not None


def note_turns(game: Game, turns: int) -> None:
    """Count turns that have been played."""
    _played[game.name] = _played.get(game.name, 0) + turns


def suits(game: Game) -> bool:
    """Whether ordinary turns of this game can be played by the loop, on this system."""
    return sys.platform == "linux" and game.turns is Turns.ALTERNATING and not game.protocol.CLOSING


class CompiledLoop:
    """The compiled loop of a game, with its buffers. One match at a time uses it."""

    max_turns = MAX_TURNS

    def __init__(self, game: Game) -> None:
        """Compile it, or load what was compiled before. Raises `OperatorError` without the extra `fast`."""
        from dohyo.sim import compiled, records

        parts = {name: getattr(game.rules, name) for name in kernel.RULES}
        parts.update({name: getattr(game.protocol, name) for name in kernel.PROTOCOL})
        self._loop = compiled.compile_over(kernel.play_turns, parts, kernel.FOREIGN)
        import numpy

        self._layout = game.rules.LAYOUT
        io_records = _record(kernel.io_fields(game.seats[1], MAX_TURNS, game.protocol.PROMPT_BYTES, INPUT_BYTES))
        states = records.blank(self._layout, 1)
        packed: Any = states.view(numpy.uint8)[: self._layout.size]
        texts = texts_of([game.protocol.text(action) for action in range(game.rules.ACTIONS)])
        self._given = states, packed, io_records, texts
        # Between two turns NumPy's code is evicted from the processor's caches: views are made beforehand.
        self._state = memoryview(packed)
        views = {name: memoryview(io_records[name][0]) for name in io_records.dtype.names}
        self._end, self._channels = views["end"], views["channels"]
        self._columns = views["seats"], views["acted"], views["seconds"]
        self._digests, self._prompt, self._input = views["digests"], views["prompt"], views["input"]

    def load(self, state: State) -> None:
        """Go on from this state. Raises `struct.error` if a value does not fit its field."""
        self._state[:] = self._layout.pack(state)

    def play(
        self, channels: Sequence[list[int]], limit: int, max_turns: int, watch_stderr: bool, tick: ReadTimer
    ) -> list[int]:
        """Play at most `max_turns` turns; returns `end` (`kernel.py`). The timer ends its reads by itself."""
        at = 0
        for channel in channels:
            for number in channel:
                self._channels[at] = number
                at += 1
        self._loop(*self._given, len(channels), max_turns, limit, int(watch_stderr))
        return self._end.tolist()

    def state(self) -> State:
        """The state after the last turn."""
        return self._layout.unpack(self._state)

    def played(self, count: int) -> PlayedTurns:
        """The turns of the last call of `play`, whose number is given."""
        seats, actions, seconds = (column[:count].tolist() for column in self._columns)
        return PlayedTurns(seats, actions, seconds, str(self._digests[: kernel.DIGEST * count], "ascii"))

    def unsent(self, start: int, end: int) -> bytes:
        """Bytes `start` to `end` of the last prompt."""
        return bytes(self._prompt[start:end])

    def received(self, count: int) -> bytes:
        """What the last read returned, whose number of bytes is given."""
        return bytes(self._input[:count])


def texts_of(texts: Sequence[str]) -> Any:
    """The table in which `kernel.find_action` looks actions up, as an array of one record."""
    longest = max(len(text) for text in texts)
    slots = 1 << (4 * len(texts) - 1).bit_length()
    table = _record(kernel.text_fields(longest, len(texts), slots))
    row = table[0]
    row["longest"] = longest
    row["slots"][:] = -1
    for action, text in enumerate(texts):
        line = text.encode("ascii")
        row["lengths"][action] = len(line)
        row["letters"][action * longest : action * longest + len(line)] = list(line)
        place = kernel.hash_line(line, len(line)) & (slots - 1)
        while row["slots"][place] >= 0:
            place = (place + 1) & (slots - 1)
        row["slots"][place] = action
    return table


def _record(fields: kernel.Fields) -> Any:
    """An array of one record with these fields."""
    import numpy

    return numpy.zeros(1, numpy.dtype([(name, kind, (length,)) for name, kind, length in fields], align=True))
