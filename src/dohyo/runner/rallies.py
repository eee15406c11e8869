"""A match's rallies: ordinary turns played in a loop of their own, with the match's own programs.

`rally.py` tells how a rally goes; here is what it needs from the programs, and what becomes of how it ended.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from dohyo.core.game import State
from dohyo.core.referee import Referee, Told
from dohyo.core.replay import Turn
from dohyo.runner import rally
from dohyo.runner.bot_process import BotProcess, shown
from dohyo.runner.heartbeat import LONG, Heartbeat
from dohyo.runner.per_match import BegunTurn, PerMatchProcesses
from dohyo.runner.read_timer import ReadTimer

TICK = rally.PATIENCE / rally.SECOND  # seconds
TALKATIVE = 16 * 1024  # bytes on standard error at once: the pipe must not fill up while nobody looks
LONGEST_REST = 1024  # turns


class Loop(Protocol):
    """The loop of a game, compiled or not, with its buffers. One match at a time uses it."""

    most: int  # turns in one go

    def load(self, state: State) -> None:
        """Go on from this state."""

    def play(self, ways: Sequence[list[int]], limit: int, most: int, watchful: bool, tick: ReadTimer) -> list[int]:
        """Play a rally of at most so many turns, while the tick runs; returns `rally.end`."""

    def state(self) -> State:
        """The state it has come to."""

    def told(self, count: int) -> Told:
        """Who moved in the rally's turns, and how."""

    def unsent(self, start: int, end: int) -> bytes:
        """A part of the last prompt."""

    def came(self, count: int) -> bytes:
        """What the last read has brought."""


class Rallies:
    """The rallies of one match, whose clock `spares_the_quick`. `close` ends them."""

    def __init__(
        self,
        loop: Loop,
        referee: Referee,
        ring: PerMatchProcesses,
        limit: float,
        pondering: bool,
        heartbeat: Heartbeat,
    ) -> None:
        """`limit` is the shortest time in seconds that any turn has: what takes longer, the ring judges.

        `heartbeat` looks after the waiting.
        """
        self._heartbeat = heartbeat
        self._loop = loop
        self._referee = referee
        self._ring = ring
        self._limit = int(limit * rally.SECOND)
        self._pondering = pondering
        self._comment = referee.game.comment.encode()
        self._tick = ReadTimer(TICK)
        self._tick.start()
        self._watchful = True
        self._rest = self._next_rest = 0  # turns without a try
        self._is_over = not self._tick.is_running  # whether there will be no more rallies
        self._written = 0  # bytes on standard error that have been read
        self._wrote = False  # whether anything waited there when the last rally ended
        self._at = -1  # the turn that the loop's state belongs to

    def play(self, pause: Callable[[], None]) -> tuple[set[int], BegunTurn | None]:
        """Play turns for as long as they are ordinary, or nearly; the replay has their lines when this returns.

        Returns the seats that were asked, and the turn that was begun and not ended. `pause` is called between turns
        now and then.
        """
        asked: set[int] = set()
        while True:
            begun = self._go(pause, asked)
            if begun is None or not self._end(begun):
                return asked, begun
            asked.add(begun.seat)
            pause()
            if self._referee.over:
                return asked, None

    def _go(self, pause: Callable[[], None], asked: set[int]) -> BegunTurn | None:
        """Play ordinary turns; adds the seats that were `asked`."""
        if self._rest > 0:
            self._rest -= 1
            return None
        programs = self._ring.programs
        written = sum(program.errors_seen for program in programs if program is not None)
        if self._is_over or not self._ring.is_tidy or written - self._written >= TALKATIVE:
            self._is_over, self._rest = True, LONGEST_REST
            return None
        self._written = written
        if self._at != self._referee.turn:
            self._loop.load(self._referee.state)
        start = len(self._referee.turns)
        try:
            return self._play(self._ways(programs), pause, asked)
        finally:
            self._at = self._referee.turn
            if len(self._referee.turns) > start:
                self._referee.catch_up(self._loop.state())

    def _end(self, begun: BegunTurn) -> bool:
        """End a turn that was begun, if all that is left of it is to read what the line says; whether that is so.

        It must be a line, whole and alone, come in time, that is an action; and nobody has said anything besides.
        """
        program = self._program(begun.seat)
        line, took = begun.came[:-1], begun.now - begun.start
        if self._wrote or took >= self._limit or not begun.came.endswith(b"\n") or b"\n" in line:
            return False
        if self._comment and line.startswith(self._comment):
            return False
        if not self._pondering:
            program.pause()
        move = self._referee.submit_understood(begun.seat, shown(line), round(took / rally.SECOND, 6))
        if move is None:
            return False
        move.stderr, move.stderr_dropped, move.comments, move.comments_dropped = program.take_asides()
        return True

    def _play(self, ways: Sequence[list[int]], pause: Callable[[], None], asked: set[int]) -> BegunTurn | None:
        """Play one rally after the other until there is something else to do; adds the seats that were `asked`."""
        count = 0
        while True:
            self._ring.mark()
            self._heartbeat.start()
            end = self._loop.play(ways, self._limit, self._loop.most, self._watchful, self._tick)
            turns: Sequence[Turn] = ()
            if end[rally.TURNS]:
                told = self._loop.told(end[rally.TURNS])
                asked.update(told.seats)
                self._look_after(max(told.seconds))
                turns = self._referee.follow(told)
                count += len(turns)
                self._next_rest = 0
            self._note_errors(end, turns)
            if end[rally.WHY] == rally.OPEN:
                return self._begun(end)
            if end[rally.WHY] == rally.NOT_ORDINARY:
                # What comes next is the ring's. Where that is so again and again, trying costs more than it brings.
                self._next_rest = 0 if count else min(LONGEST_REST, 2 * self._next_rest + 1)
                self._rest = self._next_rest
                return None
            pause()

    def _look_after(self, longest: float) -> None:
        """See whether the referee stood still in the longest turn, whose answer counts all the same."""
        if longest * rally.SECOND >= LONG:
            self._heartbeat.start(ago=int(longest * rally.SECOND))
            self._heartbeat.check(2 * rally.PATIENCE)
            self._heartbeat.judge(())

    def close(self) -> None:
        """Play no more."""
        self._is_over = True
        self._tick.stop()

    def _ways(self, programs: Sequence[BotProcess | None]) -> list[list[int]]:
        """The loop's rows, one a seat."""
        rows = []
        for seat, program in enumerate(programs):
            if program is None or self._referee.stopped[seat] is not None:
                rows.append([rally.NOBODY] * 3 + [0, 0])
                continue
            program.block()
            if not self._pondering:
                program.note_pause(True)
            group = 0 if self._pondering else program.process.pid
            rows.append([program.stdin, program.stdout, program.stderr, group, 1])
        return rows

    def _begun(self, end: Sequence[int]) -> BegunTurn:
        """The turn that was begun and not ended."""
        seat, came = end[rally.SEAT], end[rally.CAME]
        self._program(seat).note_pause(False)
        line = self._loop.came(came) if came > 0 else b""
        unsent = self._loop.unsent(max(0, end[rally.SENT]), end[rally.PROMPT])
        return BegunTurn(seat, unsent, line, end[rally.START], end[rally.NOW])

    def _note_errors(self, end: Sequence[int], turns: Sequence[Turn]) -> None:
        """Put what programs wrote to standard error beside their turns."""
        if end[rally.WHY] == rally.ASIDE:
            self._note_asides(end[rally.SEAT], turns)
        elif end[rally.WROTE] and not end[rally.WATCHFUL]:
            # Some time in this rally: it stands beside the last turns of those who did; but what the one wrote whose
            # turn is not over belongs there.
            for seat in range(len(self._ring.programs)):
                if end[rally.WHY] != rally.OPEN or seat != end[rally.SEAT]:
                    self._note_asides(seat, turns)
        self._wrote = end[rally.WROTE] > 0
        self._is_over |= end[rally.WROTE] >= TALKATIVE
        self._watchful = bool(end[rally.WATCHFUL] or end[rally.WROTE])

    def _note_asides(self, seat: int, turns: Sequence[Turn]) -> None:
        """Put what a program wrote to standard error beside its last turn."""
        program = self._ring.programs[seat]
        move = next((turn.moves[0] for turn in reversed(turns) if turn.moves[0].seat == seat), None)
        if program is None or move is None or not program.stderr_open or not program.read_errors():
            return
        move.stderr, move.stderr_dropped, move.comments, move.comments_dropped = program.take_asides()

    def _program(self, seat: int) -> BotProcess:
        program = self._ring.programs[seat]
        assert program is not None
        return program
