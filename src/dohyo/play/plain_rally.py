"""The loop of `rally.py` in plain Python: the same turns, judged alike, where nothing is compiled.

What it knows of a turn stands there. Here a timer's handler ends a read that blocks (`tick.py`), and the state is the
referee's own.
"""

from __future__ import annotations

import fcntl
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from time import monotonic_ns

from dohyo.core.flat import row_of
from dohyo.core.game import Game, State
from dohyo.core.referee import Told
from dohyo.play.rally import (
    ASIDE,
    ASKED,
    FIONREAD,
    FIRST,
    FULL,
    GROUP,
    NOT_ORDINARY,
    OPEN,
    PATIENCE,
    STDERR,
    STDIN,
    STDOUT,
)
from dohyo.play.tick import Tick

MOST = 256  # turns in one go
CHUNK = 64 * 1024


class PlainLoop:
    """The loop of a game. One match at a time uses it."""

    def __init__(self, game: Game) -> None:
        self.most = MOST
        self._game = game
        self._layout = game.rules.LAYOUT
        self._lines = {game.wire.text(action).encode() + b"\n": action for action in range(game.rules.ACTIONS)}
        self._buffer = bytearray(game.wire.PROMPT_BYTES)
        self._view = memoryview(self._buffer)
        self._actions = row_of(game.seats[1])
        self._told: tuple[list[int], list[int], list[int], list[str]] = ([], [], [], [])
        self._came = b""

    def load(self, state: State) -> None:
        """Go on from this state, which is the referee's own, and stays it."""
        self._state = state

    def state(self) -> State:
        """The state it has come to."""
        return self._state

    def told(self, count: int) -> Told:
        """Who moved in the rally's turns, and how."""
        seats, actions, nanoseconds, digests = self._told
        seconds = [(number + 500) // 1000 / 1_000_000 for number in nanoseconds]
        return Told(seats, actions, seconds, "".join(digests))

    def unsent(self, start: int, end: int) -> bytes:
        """A part of the last prompt."""
        return bytes(self._view[start:end])

    def came(self, count: int) -> bytes:
        """What the last read has brought."""
        return self._came

    def play(self, ways: Sequence[list[int]], limit: int, most: int, watchful: bool, tick: Tick) -> list[int]:
        """Play a rally of at most so many turns; returns `rally.end`."""
        s, rules, prompt = self._state, self._game.rules, self._game.wire.prompt
        step, is_legal = rules.step, rules.is_legal
        find, digest, actions = self._lines.get, self._layout.digest, self._actions
        seats, played, took, digests = self._told = [], [], [], []
        why, sent, start, now, text = FULL, 0, 0, 0, self._view
        self._came = b""
        while why == FULL and len(seats) < most:
            seat = self._mover(ways)
            way = ways[seat]
            if seat < 0 or waiting(way[STDOUT]):
                why = NOT_ORDINARY
                break
            if way[GROUP]:
                signal_group(way[GROUP], signal.SIGCONT)
            text = self._view[: prompt(s, seat, self._buffer)]
            start = monotonic_ns()
            sent, line = exchange(way[STDIN], way[STDOUT], text, start, tick)
            now = monotonic_ns()
            action = find(line, -1)
            if action < 0 or now - start >= limit or not is_legal(s, seat, action):
                why, self._came = OPEN, line
                break
            if way[GROUP]:
                signal_group(way[GROUP], signal.SIGSTOP)
            actions[seat] = action
            step(s, actions, None)
            seats.append(seat)
            played.append(action)
            took.append(now - start)
            digests.append(digest(s))
            if watchful:
                if waiting(way[STDERR]):
                    why = ASIDE
                elif len(seats) == FIRST and not written(ways):
                    watchful = False
        return [why, len(seats), seat, sent, len(self._came), start, now, written(ways), len(text), watchful]

    def _mover(self, ways: Sequence[Sequence[int]]) -> int:
        """The one seat that acts now, if it may be asked; -1 where this is no ordinary turn."""
        s, rules = self._state, self._game.rules
        if rules.over(s) or rules.needs_dice(s):
            return -1
        acts = rules.acts
        movers = [seat for seat in range(len(ways)) if acts(s, seat)]
        return movers[0] if len(movers) == 1 and ways[movers[0]][ASKED] else -1


def exchange(stdin: int, stdout: int, text: memoryview, start: int, tick: Tick) -> tuple[int, bytes]:
    """Send a prompt, and wait for what is answered; how much was sent, and what came, if anything."""
    sent = 0
    try:
        sent = os.write(stdin, text)
        if sent == len(text):
            tick.end, tick.descriptor = start + PATIENCE, stdout
            return sent, os.read(stdout, CHUNK)
    except BlockingIOError:  # the pipe is full, or the tick has ended the read
        os.set_blocking(stdout, True)
    except OSError:  # it has closed its input, or is gone: the ring will see
        pass
    finally:
        tick.descriptor = -1
    return sent, b""


def signal_group(group: int, number: int) -> None:
    """Send a signal to a program's group, if there is anybody left."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)


def written(ways: Sequence[Sequence[int]]) -> int:
    """How many bytes wait on the standard error of the seat with most of them."""
    return max((waiting(way[STDERR]) for way in ways if way[ASKED]), default=0)


def waiting(descriptor: int) -> int:
    """How many bytes wait to be read."""
    count = bytearray(4)
    fcntl.ioctl(descriptor, FIONREAD, count)
    return int.from_bytes(count, sys.byteorder)
