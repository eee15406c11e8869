"""The loop of `kernel.py` in plain Python, for where nothing is compiled: the same turns, judged in the same way.

See there how a turn is played. Here a timer's handler ends a blocking read (`poller.py`), and the state is the
referee's own object.
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
from dohyo.core.replay import PlayedTurns
from dohyo.match.loops import (
    FIONREAD,
    INCOMPLETE,
    LIMIT_REACHED,
    MAX_TURNS,
    NOT_ORDINARY,
    PATIENCE,
    RUNNING,
    STDERR,
    STDERR_SEEN,
    TRIAL_TURNS,
)
from dohyo.match.processes.poller import ReadTimer

CHUNK = 64 * 1024
NONE = bytes(4)  # a C int of 0
Channels = Sequence[list[int]]
Row = tuple[int, int, int, int, list[float]]  # of a turn: seat, action, what it said, nanoseconds, the state's values


class PythonLoop:
    """The loop of a game. One match at a time uses it."""

    max_turns = MAX_TURNS

    def __init__(self, game: Game) -> None:
        self._game = game
        self._layout = game.rules.LAYOUT
        self._lines = {game.protocol.text(action).encode() + b"\n": action for action in range(game.rules.ACTIONS)}
        self._buffer = bytearray(game.protocol.PROMPT_BYTES)
        self._view = memoryview(self._buffer)
        self._actions = row_of(game.seats[1])
        self._rows: list[Row] = []
        self._reply = b""
        self._count = bytearray(len(NONE))

    def load(self, state: State) -> None:
        """Continue from this state, which is and stays the referee's own object."""
        self._state = state

    def state(self) -> State:
        """The state after the last turn."""
        return self._state

    def played(self, count: int) -> PlayedTurns:
        """The turns of the last call of `play`; the argument says how many."""
        seats, actions, said, nanoseconds, states = zip(*self._rows, strict=True)
        pack = self._layout.pack_values
        checksums = [crc32(pack(values)) for values in states]  # many at once: the caches are warm
        seconds = [(number + 500) // 1000 / 1_000_000 for number in nanoseconds]
        return PlayedTurns(seats, actions, actions if said == actions else said, seconds, digits(checksums))

    def unsent(self, start: int, end: int) -> bytes:
        """Bytes `start` to `end` of the last prompt."""
        return bytes(self._view[start:end])

    def received(self, count: int) -> bytes:
        """What the last read returned."""
        return self._reply

    def play(self, channels: Channels, limit: int, max_turns: int, watch_stderr: bool, tick: ReadTimer) -> list[int]:
        """Play at most `max_turns` turns; returns `end` (`kernel.py`)."""
        try:
            return self._play(channels, limit, max_turns, watch_stderr, tick)
        finally:
            tick.descriptor = -1

    def _play(self, channels: Channels, limit: int, max_turns: int, watch: bool, tick: ReadTimer) -> list[int]:
        s, rules, prompt, buffer = self._state, self._game.rules, self._game.protocol.prompt, self._buffer
        over, needs_dice, acts, is_legal, step = rules.over, rules.needs_dice, rules.acts, rules.is_legal, rules.step
        view, find, values, actions = self._view, self._lines.get, self._layout.values, self._actions
        count, turns = self._count, self._rows
        turns.clear()
        why, seat, sent, size, start, asked, now, self._reply = NOT_ORDINARY, -1, 0, 0, 0, 0, 0, b""
        for _ in range(max_turns):
            if over(s) or needs_dice(s):
                break
            seat = seat + 1 if seat + 1 < len(channels) else 0  # usually the next seat acts, and it acts alone
            if not acts(s, seat) and (seat := self._mover(channels)) < 0:
                break
            stdin, stdout, stderr, group, is_running = channels[seat]
            if not is_running or bytes_waiting(stdout, count):
                break
            if group:
                signal_group(group, signal.SIGCONT)
            size, sent, line = prompt(s, seat, buffer), 0, b""
            start = asked = monotonic_ns()
            try:
                sent = os.write(stdin, view[:size])
                asked = monotonic_ns()
                tick.end, tick.descriptor, tick.begun = start + PATIENCE, stdout, start
                if sent == size:
                    line = os.read(stdout, CHUNK)
            except BlockingIOError:  # the pipe is full, or the tick has ended the read
                os.set_blocking(stdout, True)
            except OSError:  # it has closed its input, or has ended: the caller will see
                pass
            now = monotonic_ns()
            action = said = find(line, -1)
            if said >= 0 and not is_legal(s, seat, said):
                action = self._game.protocol.forced(s, seat)
            if action < 0 or now - start >= limit:
                why, self._reply = INCOMPLETE, line
                break
            if group:
                signal_group(group, signal.SIGSTOP)
            actions[seat] = action
            step(s, actions, None)
            turns.append((seat, action, said, now - start, values(s)))
            if watch:
                if bytes_waiting(stderr, count):
                    why = STDERR_SEEN
                    break
                watch = len(turns) != TRIAL_TURNS or stderr_bytes(channels, count) > 0
        else:
            why = LIMIT_REACHED
        wrote, rest = stderr_bytes(channels, count), _times(turns)
        return [why, len(turns), seat, sent, len(self._reply), start, now, wrote, size, watch, *rest, asked]

    def _mover(self, channels: Sequence[Sequence[int]]) -> int:
        """The one seat that acts now; -1 if there is none."""
        return next((seat for seat in range(len(channels)) if self._game.rules.acts(self._state, seat)), -1)


def _times(turns: Sequence[Row]) -> tuple[int, int, int]:
    """The end of `end`: FORCED, which the rows tell here, LONGEST and TOGETHER."""
    took = [nanoseconds for _, _, _, nanoseconds, _ in turns]
    return 0, max(took, default=0), sum(took)


def signal_group(group: int, number: int) -> None:
    """Send a signal to a program's group, if any of its processes is left."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)


def stderr_bytes(channels: Sequence[Sequence[int]], count: bytearray) -> int:
    """The number of bytes waiting on standard error, of the seat that has the most."""
    return max((bytes_waiting(channel[STDERR], count) for channel in channels if channel[RUNNING]), default=0)


def bytes_waiting(descriptor: int, count: bytearray) -> int:
    """How many bytes wait to be read. The system writes the number into `count`."""
    ioctl(descriptor, FIONREAD, count)
    return 0 if count == NONE else int.from_bytes(count, sys.byteorder)
