"""Bots as processes at a table where a learner plays: started, asked and ended as in any match.

The clock stands still while the learner thinks; nobody else's does. As in any match, a program that fails is ended,
and the rules answer for it.
"""

from __future__ import annotations

import weakref
from collections.abc import Mapping, Sequence
from contextlib import ExitStack

from dohyo.app.housing import launch
from dohyo.app.play import ERROR_LOG, environment
from dohyo.app.working_copies import WorkingCopies
from dohyo.bots import Bot
from dohyo.core.clock import Account, Clock
from dohyo.core.errors import OperatorError
from dohyo.core.faults import Fault, FaultKind
from dohyo.core.referee import Answer, Referee
from dohyo.interrupts import Shield
from dohyo.runner.errands import Errands
from dohyo.runner.launch import NO_ROOM, Launch
from dohyo.runner.program import Program
from dohyo.runner.ring import Ring
from dohyo.runner.stopwatch import stopwatches
from dohyo.sandbox import Box


class Guests:
    """The programs of one match; made running. They end with `close`, or when this is no longer there."""

    def __init__(self, referee: Referee, bots: Mapping[int, Bot], clock: Clock, box: Box, seed: int) -> None:
        """`bots` by seat. Raises `OperatorError` when the machine has no room for them."""
        self._referee = referee
        self._clock = clock
        self._accounts = {seat: Account(clock) for seat in bots}
        self._asked: set[int] = set()
        self._closing: bytes = getattr(referee.game.wire, "CLOSING", b"")
        watches, shield = stopwatches(clock), Shield()
        programs: list[Program | None] = [None] * referee.seats
        with Shield(), ExitStack() as undo:
            copies = undo.enter_context(WorkingCopies())
            launches = {seat: _launch(referee, seat, bot, seed, copies, box) for seat, bot in bots.items()}
            a_turn = {seat: launch for seat, launch in launches.items() if launch.a_turn}
            self._errands = Errands(a_turn, shield, referee.game.comment, watches)
            undo.callback(self._errands.stop_all)
            for seat, launch in launches.items():
                if not launch.a_turn and (program := self._start(seat, launch)) is not None:
                    programs[seat] = program
                    undo.callback(program.stop)
            self._ring = Ring(programs, shield, watches)
            undo.pop_all()
            self._end = weakref.finalize(self, _end, self._ring, self._errands, copies)
        try:
            self._await_ready()
        except BaseException:
            self._end()
            raise

    def ask(self, seats: Sequence[int]) -> dict[int, Answer]:
        """The answers of these seats to what they are sent now."""
        referee, errands = self._referee, self._errands
        prompts = {seat: referee.prompt(seat) for seat in seats}
        limits = {seat: self._accounts[seat].limit(seat not in self._asked) for seat in seats}
        behind = {seat: self._clock.behind(limit) for seat, limit in limits.items()}
        sent = {seat: text + self._closing for seat, text in prompts.items() if seat not in errands.launches}
        given = {seat: text for seat, text in prompts.items() if seat in errands.launches}
        answers = self._ring.ask(sent, limits, referee.game.wire.stops, behind) if sent else {}
        if given:
            answers.update(errands.ask(referee.turn, given, limits, behind))
        for seat, answer in answers.items():
            if self._clock.has_reserve and answer.seconds is not None:
                self._accounts[seat].settle(answer.seconds, seat not in self._asked, answer.reply is not None)
        self._asked.update(seats)
        return answers

    def dismiss(self) -> None:
        """End the programs of seats that the referee has stopped; a reply may have been the end of it."""
        for seat, program in enumerate(self._ring.programs):
            if program is not None and self._referee.stopped[seat] is not None:
                self._ring.stop(seat)

    def close(self) -> None:
        """End all programs; after a match that is over, those that live are sent its end first."""
        if self._end.alive:
            with Shield():
                try:
                    if self._referee.over:
                        self._ring.await_ends(self._referee.farewell)
                finally:
                    self._end()

    def _start(self, seat: int, launch: Launch) -> Program | None:
        try:
            comment = self._referee.game.comment
            return Program(launch.command, launch.folder, launch.environment, comment, house=launch.house)
        except OSError as error:
            if error.errno in NO_ROOM:
                raise OperatorError("no-room-for-programs", reason=error.strerror) from error
            fault = Fault(FaultKind.EXITED, f"could not be started: {error.strerror}")
            self._referee.stop(seat, Answer(None, (fault,)))
            return None

    def _await_ready(self) -> None:
        """Wait until all are ready, where the game's protocol asks for that."""
        if word := self._referee.game.wire.READY:
            ready = self._clock.ready
            for seat, answer in self._ring.await_ready(word, ready, self._clock.behind(ready)).items():
                self._referee.stop(seat, answer)
        else:
            self._ring.await_reading()


def _launch(referee: Referee, seat: int, bot: Bot, seed: int, copies: WorkingCopies, box: Box) -> Launch:
    """How the seat's program is started: as in `dohyo play`."""
    lifetimes = referee.game.lifetimes
    at_home = copies.make([bot])[0] if lifetimes else bot
    a_turn = bot.lifetime == "turn" and "turn" in lifetimes
    return launch(at_home, environment(seed, seat), box, a_turn=a_turn, log=ERROR_LOG if a_turn else "")


def _end(ring: Ring, errands: Errands, copies: WorkingCopies) -> None:
    """End whatever runs, and remove the bots' folders."""
    with copies:
        try:
            errands.stop_all()
        finally:
            ring.stop_all()
