"""The loop of `rally.py` in plain Python: the same turns, judged alike, where nothing is compiled.

What it knows of a turn stands there. Here a timer's handler ends a read that blocks (`read_timer.py`), and the state
is the referee's own.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from fcntl import ioctl
from time import monotonic_ns
from zlib import crc32

from dohyo.core.flat import digits, row_of
from dohyo.core.game import Game, State
from dohyo.core.referee import Told
from dohyo.runner.rally import (
    ASIDE,
    ASKED,
    FIONREAD,
    FIRST,
    FULL,
    NOT_ORDINARY,
    OPEN,
    PATIENCE,
    STDERR,
)
from dohyo.runner.read_timer import ReadTimer

MOST = 256  # turns in one go
CHUNK = 64 * 1024
NONE = bytes(4)  # a C int of 0


class PlainLoop:
    """The loop of a game. One match at a time uses it."""

    def __init__(self, game: Game) -> None:
        self.most = MOST
        self._game = game
        self._layout = game.rules.LAYOUT
        self._lines = {game.protocol.text(action).encode() + b"\n": action for action in range(game.rules.ACTIONS)}
        self._buffer = bytearray(game.protocol.PROMPT_BYTES)
        self._view = memoryview(self._buffer)
        self._actions = row_of(game.seats[1])
        self._told: tuple[list[int], list[int], list[int], list[list[float]]] = ([], [], [], [])
        self._came = b""
        self._count = bytearray(len(NONE))

    def load(self, state: State) -> None:
        """Go on from this state, which is the referee's own, and stays it."""
        self._state = state

    def state(self) -> State:
        """The state it has come to."""
        return self._state

    def told(self, count: int) -> Told:
        """Who moved in the rally's turns, and how."""
        seats, actions, nanoseconds, states = self._told
        pack = self._layout.pack_values
        checksums = [crc32(pack(values)) for values in states]  # many at once: the caches are warm
        seconds = [(number + 500) // 1000 / 1_000_000 for number in nanoseconds]
        return Told(seats, actions, seconds, digits(checksums))

    def unsent(self, start: int, end: int) -> bytes:
        """A part of the last prompt."""
        return bytes(self._view[start:end])

    def came(self, count: int) -> bytes:
        """What the last read has brought."""
        return self._came

    def play(self, ways: Sequence[list[int]], limit: int, most: int, watchful: bool, tick: ReadTimer) -> list[int]:
        """Play a rally of at most so many turns; returns `rally.end`."""
        try:
            return self._play(ways, limit, most, watchful, tick)
        finally:
            tick.descriptor = -1

    def _play(self, ways: Sequence[list[int]], limit: int, most: int, watchful: bool, tick: ReadTimer) -> list[int]:
        s, rules, prompt, buffer = self._state, self._game.rules, self._game.protocol.prompt, self._buffer
        over, needs_dice, acts, is_legal, step = rules.over, rules.needs_dice, rules.acts, rules.is_legal, rules.step
        view, find, values, actions = self._view, self._lines.get, self._layout.values, self._actions
        count = self._count
        seats, played, took, states = self._told = [], [], [], []
        why, seat, sent, size, start, now, self._came = NOT_ORDINARY, -1, 0, 0, 0, 0, b""
        for _ in range(most):
            if over(s) or needs_dice(s):
                break
            seat = seat + 1 if seat + 1 < len(ways) else 0  # it is mostly the next one, and no other acts with it
            if not acts(s, seat) and (seat := self._mover(ways)) < 0:
                break
            stdin, stdout, stderr, group, is_asked = ways[seat]
            if not is_asked or waiting(stdout, count):
                break
            if group:
                signal_group(group, signal.SIGCONT)
            size, sent, line = prompt(s, seat, buffer), 0, b""
            start = monotonic_ns()
            try:
                sent = os.write(stdin, view[:size])
                tick.end, tick.descriptor = start + PATIENCE, stdout
                if sent == size:
                    line = os.read(stdout, CHUNK)
            except BlockingIOError:  # the pipe is full, or the tick has ended the read
                os.set_blocking(stdout, True)
            except OSError:  # it has closed its input, or is gone: the ring will see
                pass
            now = monotonic_ns()
            action = find(line, -1)
            if action < 0 or now - start >= limit or not is_legal(s, seat, action):
                why, self._came = OPEN, line
                break
            if group:
                signal_group(group, signal.SIGSTOP)
            actions[seat] = action
            step(s, actions, None)
            seats.append(seat)
            played.append(action)
            took.append(now - start)
            states.append(values(s))
            if watchful:
                if waiting(stderr, count):
                    why = ASIDE
                    break
                watchful = len(seats) != FIRST or written(ways, count) > 0
        else:
            why = FULL
        return [why, len(seats), seat, sent, len(self._came), start, now, written(ways, count), size, watchful]

    def _mover(self, ways: Sequence[Sequence[int]]) -> int:
        """The seat that acts now; -1 where nobody does."""
        return next((seat for seat in range(len(ways)) if self._game.rules.acts(self._state, seat)), -1)


def signal_group(group: int, number: int) -> None:
    """Send a signal to a program's group, if there is anybody left."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)


def written(ways: Sequence[Sequence[int]], count: bytearray) -> int:
    """How many bytes wait on the standard error of the seat with most of them."""
    return max((waiting(way[STDERR], count) for way in ways if way[ASKED]), default=0)


def waiting(descriptor: int, count: bytearray) -> int:
    """How many bytes wait to be read. The number goes through `count`."""
    ioctl(descriptor, FIONREAD, count)
    return 0 if count == NONE else int.from_bytes(count, sys.byteorder)
