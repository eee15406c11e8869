"""Replays whose lines are as Dohyo writes them, read as columns by the compiled loop of `lines.py`."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from typing import Any, NamedTuple

import numpy

from dohyo.core.errors import OperatorError
from dohyo.core.game import Game
from dohyo.core.playback import OUT_OF_THE_RULES
from dohyo.core.replay import Header, Replay, Result
from dohyo.core.replay_format import Frame, whole
from dohyo.data import lines
from dohyo.data.lines import Scanned, Table
from dohyo.sim import loops
from dohyo.sim.compiled import import_numba
from dohyo.sim.shipped_loops import native_loop
from dohyo.sim.whole_program import RECORDED, compile_loops

MAX_NUMBER = 1 << 63  # of what an array of int64 holds
NONE = -MAX_NUMBER  # stands for a text that is no action
# A line of a turn and a move take at least so many bytes; and so many there are in a replay for each of its dice.
TURN_BYTES, MOVE_BYTES, DIE_BYTES = 20, 22, 8

NOW = 1 << 14  # replays of a process, from which on it pays to compile the loop, once on a machine


class ScannedReplay(NamedTuple):
    """A replay of ordinary lines: its turns and moves as columns, in the words of `columns.Columns`."""

    frame: Frame
    digests: bytes
    dice_counts: bytes
    dice: bytes  # 8 a die
    move_counts: bytes
    movers: bytes
    actions: bytes  # 8 a move
    kept: bytes  # 1 for each move of a player that was asked

    @property
    def header(self) -> Header:
        """What is known before the first turn."""
        return self.frame.header

    @property
    def result(self) -> Result:
        """How it ended."""
        return self.frame.result

    def replay(self) -> Replay:
        """Its turns as objects."""
        return whole(self.frame)


class Scanner:
    """Reads replays of a game."""

    def __init__(self, game: Game, loop: Callable[..., Any]) -> None:
        """`loop` is `lines.scan_span`, compiled."""
        self._read, self._loop = game.protocol.read, loop
        self._cursor = numpy.zeros(1, numpy.int64)
        self._begin_table()

    def _begin_table(self) -> None:
        size = lines.MAX_TEXTS
        self._table = Table(
            slots=numpy.zeros(lines.SLOTS, numpy.int64),
            starts=numpy.zeros(size + 1, numpy.int64),
            pool=numpy.zeros(size * lines.MAX_TEXT, numpy.uint8),
            counts=numpy.zeros(3, numpy.int64),
        )
        self._actions = numpy.full(size, NONE, numpy.int64)
        self._known = 0

    def told(self, frames: Sequence[Frame]) -> list[ScannedReplay | None]:
        """These replays; none in the place of each that is not all ordinary, which `whole` decodes."""
        parts = [frame.lines for frame in frames]
        bounds = numpy.cumsum([0, *map(len, parts)])
        text = numpy.frombuffer(bytearray().join([*parts, b"\n"]), numpy.uint8)
        scanned = _room(int(bounds[-1]), len(frames))
        firsts = numpy.array([frame.header.first for frame in frames], numpy.int64)
        seats = numpy.array([len(frame.header.seats) for frame in frames], numpy.int64)
        self._loop(text, bounds, firsts, seats, self._table, scanned, self._cursor)
        self._learn()
        return self._cut(frames, scanned)

    def _learn(self) -> None:
        """Read the texts that are new in the table; what a game's own reader stumbles over is no action."""
        table = self._table
        count = int(table.counts[lines.TEXTS])
        for at in range(self._known, count):
            text = table.pool[table.starts[at] : table.starts[at + 1]].tobytes().decode()
            with suppress(*OUT_OF_THE_RULES):
                action = self._read(text)
                if action is not None and -MAX_NUMBER < action < MAX_NUMBER:
                    self._actions[at] = action
        self._known = count

    def _cut(self, frames: Sequence[Frame], scanned: Scanned) -> list[ScannedReplay | None]:
        """The columns of each replay. The table is a new one behind it, if it had no room."""
        ends = scanned.ends.tolist()
        turns, dice, moves, _ = ends[-1]
        digests, kept = scanned.digests[:turns].tobytes(), scanned.kept[:moves].tobytes()
        dice_counts, move_counts = scanned.dice_counts[:turns].tobytes(), scanned.move_counts[:turns].tobytes()
        fallen, movers = scanned.dice[:dice].tobytes(), scanned.movers[:moves].tobytes()
        numbers = self._actions[scanned.texts[:moves]]
        actions, is_whole = numbers.tobytes(), not (numbers == NONE).any()
        if self._table.counts[lines.CROWDED]:
            self._begin_table()
        found: list[ScannedReplay | None] = []
        turn = die = move = 0
        for frame, (turns, dice, moves, taken) in zip(frames, ends[1:], strict=True):
            if not taken or not (is_whole or (numbers[move:moves] != NONE).all()):
                found.append(None)
            else:
                found.append(
                    ScannedReplay(
                        frame,
                        digests[4 * turn : 4 * turns],
                        dice_counts[2 * turn : 2 * turns],
                        fallen[8 * die : 8 * dice],
                        move_counts[turn:turns],
                        movers[move:moves],
                        actions[8 * move : 8 * moves],
                        kept[move:moves],
                    )
                )
            turn, die, move = turns, dice, moves
        return found


_READ = [0]  # replays that were read in this process without the loop


def scan_loop(game: Game, replays: int) -> Any:
    """`lines.scan_span`, compiled; none as long as the replays of this process, with so many more, are few.

    Machine code that ships with the game is there at once.
    """
    found = loops.once(game, lines, lambda: _with_the_game(game))
    if found is not None:
        return found
    _READ[0] += replays
    return _shared() if _READ[0] >= NOW else None


def _with_the_game(game: Game) -> Any:
    """The loop as a part of a game's own machine code: while that is made, or where it ships."""
    functions, parts = [lines.scan_span], {"over": game.rules.over}
    is_there = bool(RECORDED) or native_loop(functions, parts) is not None
    return compile_loops(functions, parts)[0] if is_there else None


@cache
def _shared() -> Any:
    """The loop for all games; none where compiled functions are run as they are, whose bytes would overflow."""
    try:
        is_plain = import_numba().config.DISABLE_JIT
    except OperatorError:
        return None
    return None if is_plain else compile_loops([lines.scan_span], {})[0]


def numbers(content: bytes) -> array[int]:
    """Whole numbers of 64 bits."""
    found = array("q")
    found.frombytes(content)
    return found


def _room(size: int, replays: int) -> Scanned:
    """Arrays for what so many bytes may tell."""
    turns, moves, dice = size // TURN_BYTES + 1, size // MOVE_BYTES + 1, size // DIE_BYTES + 1
    return Scanned(
        digests=numpy.empty((turns, 4), numpy.uint8),
        dice_counts=numpy.empty(turns, numpy.uint16),
        dice=numpy.empty(dice, numpy.int64),
        move_counts=numpy.empty(turns, numpy.uint8),
        movers=numpy.empty(moves, numpy.uint8),
        texts=numpy.empty(moves, numpy.int64),
        kept=numpy.empty(moves, numpy.uint8),
        ends=numpy.zeros((replays + 1, 4), numpy.int64),
    )
