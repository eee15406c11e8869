"""Compiled loops for matches: which game has one, and when it pays.

Where the extra `fast` is installed, ordinary turns of games with one mover a turn are played by a loop that is
compiled with the game's rules (`dohyo.play.rally`). Loading it takes about as long as it saves in tens of thousands
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
from dohyo.play import rally
from dohyo.play.plain_rally import PlainLoop
from dohyo.play.rallies import Loop
from dohyo.play.tick import Tick

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
    return sys.platform == "linux" and game.turns is Turns.ALTERNATING and not hasattr(game.wire, "CLOSING")


class CompiledLoop:
    """The loop of a game, with its buffers. One match at a time uses it."""

    def __init__(self, game: Game) -> None:
        """Compile it, or load what was compiled before. Raises `OperatorError` without the extra `fast`."""
        from dohyo.sim import compiled, records

        parts = {name: getattr(game.rules, name) for name in rally.RULES}
        parts.update({name: getattr(game.wire, name) for name in rally.WIRE})
        self._loop = compiled.compile_over(rally.rally, parts, rally.FOREIGN)
        import numpy

        self.most = MOST
        self._layout = game.rules.LAYOUT
        self._records = records
        self._now = records.blank(self._layout, 1)
        self._book = rally.Book(
            packed=self._now.view(numpy.uint8)[: self._layout.size],
            told=numpy.zeros((3, MOST), numpy.int64),
            digests=numpy.zeros(rally.DIGEST * MOST, numpy.uint8),
        )
        self._end = numpy.zeros(rally.LENGTH, numpy.int64)
        self._texts = _texts([game.wire.text(action) for action in range(game.rules.ACTIONS)])
        self._rooms = rally.Rooms(
            prompt=numpy.zeros(game.wire.PROMPT_BYTES, numpy.uint8),
            input=numpy.zeros(INPUT_BYTES, numpy.uint8),
            actions=numpy.zeros(game.seats[1], numpy.int64),
            time=numpy.zeros(2, numpy.int64),
            count=numpy.zeros(1, numpy.int32),
        )

    def load(self, state: State) -> None:
        """Go on from this state."""
        self._records.write(self._layout, self._now, 0, state)

    def play(self, ways: Sequence[list[int]], limit: int, most: int, watchful: bool, tick: Tick) -> list[int]:
        """Play a rally of at most so many turns; returns `rally.end`. The tick's signal ends its reads by itself."""
        import numpy

        rows = numpy.array(ways, numpy.int64)
        rooms = (self._book, rows, self._texts, self._rooms, self._end)
        self._loop(self._now[0], *rooms, most, limit, int(watchful))
        end: list[int] = self._end.tolist()
        return end

    def state(self) -> State:
        """The state it has come to."""
        return self._records.read(self._layout, self._now, 0)

    def told(self, count: int) -> Told:
        """Who moved in the rally's turns, and how."""
        digests = self._book.digests[: rally.DIGEST * count].tobytes().decode("ascii")
        seats, actions, nanoseconds = self._book.told[:, :count]
        return Told(seats.tolist(), actions.tolist(), ((nanoseconds + 500) // 1000 / 1e6).tolist(), digests)

    def unsent(self, start: int, end: int) -> bytes:
        """A part of the last prompt."""
        part: bytes = self._rooms.prompt[start:end].tobytes()
        return part

    def came(self, count: int) -> bytes:
        """What the last read has brought."""
        line: bytes = self._rooms.input[:count].tobytes()
        return line


def _texts(texts: Sequence[str]) -> Any:
    """The table that `rally.find` looks actions up in."""
    import numpy

    longest = max(len(text) for text in texts)
    letters = numpy.zeros(len(texts) * longest, numpy.uint8)
    lengths = numpy.array([len(text) for text in texts], numpy.int64)
    slots = numpy.full(1 << (4 * len(texts) - 1).bit_length(), -1, numpy.int64)
    for action, text in enumerate(texts):
        line = numpy.frombuffer(text.encode("ascii"), numpy.uint8)
        letters[action * longest : action * longest + len(line)] = line
        place = rally.hashed(line.tolist(), len(line)) & (len(slots) - 1)
        while slots[place] >= 0:
            place = (place + 1) & (len(slots) - 1)
        slots[place] = action
    return rally.Texts(letters, lengths, slots, longest)
