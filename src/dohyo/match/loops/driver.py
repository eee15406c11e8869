"""Runs the loop in a match: chooses it, starts it, writes its turns into the replay, and acts on why it ended.

A game in which one player moves in each turn has a loop: `kernel.py` says how it plays. Of Dohyo's own games it ships
as machine code in wheels (`compiled_loop.py`), which is loaded at once, in a few milliseconds; of others it can be
compiled together with the game's rules, with the extra `fast`. Loading that takes about as long as it saves in tens
of thousands of turns. So a process loads it only after it has played so many turns of the game that it pays.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from dohyo.core.errors import OperatorError
from dohyo.core.game import Game, Turns
from dohyo.core.referee import Referee
from dohyo.match import loops as fastpath
from dohyo.match.loops.python_loop import PythonLoop
from dohyo.match.players.per_match import BegunTurn, PerMatchProcesses
from dohyo.match.processes.bot_process import BotProcess, shown
from dohyo.match.processes.heartbeat import LONG, Heartbeat
from dohyo.match.processes.poller import ReadTimer
from dohyo.system import shipped

if TYPE_CHECKING:
    from dohyo.match.loops.compiled_loop import CompiledLoop, LoopBuffers, ShippedLoop

TICK = fastpath.PATIENCE / fastpath.SECOND  # seconds
BURST_SECONDS = 0.1  # the most that the turns between two calls of `between` should take together
MAX_STDERR = 16 * 1024  # bytes on standard error at once: the pipe must not fill up while nobody reads it
MAX_SKIP = 1024  # turns

TURNS_TO_PAY = 20_000

_loops: dict[int, tuple[Game, CompiledLoop]] = {}  # by the game's identity: another of its name has other rules
_shipped: dict[int, tuple[Game, ShippedLoop | None]] = {}
_played: dict[str, int] = {}  # turns in this process, by game


class FastPath:
    """Plays ordinary turns of one match, whose clock `spares_the_quick`, in a loop. `close` ends it.

    `played` counts the turns that the loop has played.
    """

    def __init__(
        self,
        loop: PythonLoop | LoopBuffers,
        referee: Referee,
        processes: PerMatchProcesses,
        limit: float,
        pondering: bool,
        heartbeat: Heartbeat,
    ) -> None:
        """`limit` is the shortest time in seconds that any turn has; the players judge a turn that takes longer.

        `heartbeat` notes whether the referee itself stood still.
        """
        self.played = 0
        self._heartbeat = heartbeat
        self._loop = loop
        self._referee = referee
        self._processes = processes
        self._limit = int(limit * fastpath.SECOND)
        self._pondering = pondering
        self._comment = referee.game.comment.encode()
        self._tick = ReadTimer(TICK)
        self._tick.start()
        # What we waited for since the loop began may have been in the turn that it could not finish. So on a busy
        # machine the first turns say how many are soon over.
        self._max_turns = 1 if os.getloadavg()[0] > (os.cpu_count() or 1) else loop.max_turns
        self._watch_stderr = True
        self._skip = self._next_skip = 0  # turns in which the loop is not tried
        self._is_closed = not self._tick.is_running
        self._stderr_read = 0  # bytes, so far
        self._has_stderr = False  # whether any waited when the loop ended last
        self._loop_turn = -1  # the turn that the loop's state belongs to

    def play(self, between: Callable[[], None]) -> tuple[set[int], BegunTurn | None]:
        """Play turns as long as they are ordinary, or nearly so; they are in the replay when this returns.

        Returns the seats that were asked, and the turn that was begun and not ended. `between` is called between two
        turns: about every `BURST_SECONDS`, or after every turn if turns take longer.
        """
        asked: set[int] = set()
        while True:
            begun = self._try_loop(between, asked)
            if begun is None or not self._end_turn(begun):
                return asked, begun
            asked.add(begun.seat)
            between()
            if self._referee.over:
                return asked, None

    def _try_loop(self, between: Callable[[], None], asked: set[int]) -> BegunTurn | None:
        """Run the loop, if it is worth a try now; adds the seats that were `asked`."""
        if self._skip > 0:
            self._skip -= 1
            return None
        programs = self._processes.programs
        stderr_read = sum(program.errors_seen for program in programs if program is not None)
        if self._is_closed or not self._processes.is_tidy or stderr_read - self._stderr_read >= MAX_STDERR:
            self._is_closed, self._skip = True, MAX_SKIP
            return None
        self._stderr_read = stderr_read
        if self._loop_turn != self._referee.turn:
            self._loop.load(self._referee.state)
        try:
            return self._run_loop(self._channels(programs), between, asked)
        finally:
            self._loop_turn = self._referee.turn

    def _run_loop(
        self, channels: Sequence[list[int]], between: Callable[[], None], asked: set[int]
    ) -> BegunTurn | None:
        """Run the loop again and again until there is something else to do; adds the seats that were `asked`."""
        has_played = False
        while True:
            self._processes.mark()
            self._heartbeat.start()
            end = self._loop.play(channels, self._limit, self._max_turns, self._watch_stderr, self._tick)
            if end[fastpath.TURNS]:
                has_played = True
                self._append(end, asked)
            self._note_stderr(end)
            if end[fastpath.WHY] == fastpath.INCOMPLETE:
                return self._begun_turn(end)
            if end[fastpath.WHY] == fastpath.NOT_ORDINARY:
                # The next turn has to be played by the players. If that happens again and again, trying the loop
                # costs more than it saves.
                self._next_skip = 0 if has_played else min(MAX_SKIP, 2 * self._next_skip + 1)
                self._skip = self._next_skip
                if end[fastpath.TURNS]:
                    between()
                return None
            between()

    def _append(self, end: Sequence[int], asked: set[int]) -> None:
        """Write the turns that the loop has played into the replay; adds the seats that were `asked`."""
        count = end[fastpath.TURNS]
        played = self._loop.played(count)
        asked.update(played.seats)
        self._check_heartbeat(end[fastpath.LONGEST])
        self._next_skip = 0
        self.played += count
        pace = BURST_SECONDS * fastpath.SECOND * count / max(end[fastpath.TOGETHER], 1000)
        self._max_turns = max(1, min(self._loop.max_turns, int(pace)))
        self._referee.append_played(played, self._loop.state())

    def _end_turn(self, begun: BegunTurn) -> bool:
        """End a turn that was begun, if only its line is left to be read; returns whether it was ended.

        The line must be whole, in time and an action, and no program may have written anything else.
        """
        program = self._program(begun.seat)
        line, took = begun.came[:-1], begun.now - begun.start
        if self._has_stderr or took >= self._limit or not begun.came.endswith(b"\n") or b"\n" in line:
            return False
        if self._comment and line.startswith(self._comment):
            return False
        if not self._pondering:
            program.pause()
        move = self._referee.submit_understood(begun.seat, shown(line), round(took / fastpath.SECOND, 6))
        if move is None:
            return False
        move.stderr, move.stderr_dropped, move.comments, move.comments_dropped = program.take_asides()
        return True

    def _check_heartbeat(self, longest: int) -> None:
        """Note whether the referee stood still in the longest turn, whose answer counts all the same."""
        if longest >= LONG:
            self._heartbeat.start(ago=longest)
            self._heartbeat.check(2 * fastpath.PATIENCE, is_poll=False)
            self._heartbeat.judge(())

    def close(self) -> None:
        """Stop the loop for good."""
        self._is_closed = True
        self._tick.stop()

    def _channels(self, programs: Sequence[BotProcess | None]) -> list[list[int]]:
        """The loop's rows, one for each seat."""
        rows = []
        for seat, program in enumerate(programs):
            if program is None or self._referee.stopped[seat] is not None:
                rows.append([fastpath.NOBODY] * 3 + [0, 0])
                continue
            program.block()
            if not self._pondering:
                program.note_pause(True)
            group = 0 if self._pondering else program.process.pid
            rows.append([program.stdin, program.stdout, program.stderr, group, 1])
        return rows

    def _begun_turn(self, end: Sequence[int]) -> BegunTurn:
        """The turn that was begun and not ended."""
        seat, count = end[fastpath.SEAT], end[fastpath.RECEIVED]
        self._program(seat).note_pause(False)
        line = self._loop.received(count) if count > 0 else b""
        unsent = self._loop.unsent(max(0, end[fastpath.SENT]), end[fastpath.PROMPT])
        start = end[fastpath.START]
        return BegunTurn(
            seat, unsent, line, start, end[fastpath.NOW], self._tick.late_since(start), end[fastpath.ASKED]
        )

    def _note_stderr(self, end: Sequence[int]) -> None:
        """Store what programs wrote to standard error with their turns."""
        count = end[fastpath.TURNS]
        if end[fastpath.WHY] == fastpath.STDERR_SEEN:
            self._note_stderr_of(end[fastpath.SEAT], count)
        elif end[fastpath.WROTE] and not end[fastpath.WATCH_STDERR]:
            # It came at some time in these turns, so it is stored with the last turn of each program that wrote. But
            # if a turn has begun and not ended, what its program wrote belongs to that turn.
            for seat in range(len(self._processes.programs)):
                if end[fastpath.WHY] != fastpath.INCOMPLETE or seat != end[fastpath.SEAT]:
                    self._note_stderr_of(seat, count)
        self._has_stderr = end[fastpath.WROTE] > 0
        self._is_closed |= end[fastpath.WROTE] >= MAX_STDERR
        self._watch_stderr = bool(end[fastpath.WATCH_STDERR] or end[fastpath.WROTE])

    def _note_stderr_of(self, seat: int, count: int) -> None:
        """Store what a program wrote to standard error with its last turn among the last `count`."""
        program, turns = self._processes.programs[seat], self._referee.turns
        last = (turns[at].moves[0] for at in range(len(turns) - 1, len(turns) - 1 - count, -1))
        move = next((move for move in last if move.seat == seat), None)
        if program is None or move is None or not program.stderr_open or not program.read_errors():
            return
        move.stderr, move.stderr_dropped, move.comments, move.comments_dropped = program.take_asides()

    def _program(self, seat: int) -> BotProcess:
        program = self._processes.programs[seat]
        assert program is not None
        return program


def suits(game: Game) -> bool:
    """Whether ordinary turns of this game can be played by the loop, on this system."""
    is_plain = game.turns is Turns.ALTERNATING and not game.protocol.CLOSING
    return sys.platform == "linux" and is_plain


def loop_for(game: Game, compiled: bool | None = None) -> PythonLoop | LoopBuffers | None:
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
        from dohyo.match.loops.compiled_loop import shipped_loop

        _shipped[id(game)] = game, shipped_loop(game)
    return _shipped[id(game)][1]


def _pays(game: Game) -> bool:
    """Whether this process has played enough turns for the compiled loop to pay, and the loop is available."""
    return _played.get(game.name, 0) >= TURNS_TO_PAY and importlib.util.find_spec("numba") is not None


def note_turns(game: Game, turns: int) -> None:
    """Count turns that have been played."""
    _played[game.name] = _played.get(game.name, 0) + turns
