"""One match between living programs: the referee says who is asked, the ring asks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from dohyo.core.clock import Account, Clock
from dohyo.core.errors import OperatorError
from dohyo.core.faults import Fault, FaultKind
from dohyo.core.referee import Answer, Referee
from dohyo.core.replay import Result
from dohyo.interrupts import Shield
from dohyo.runner.errands import Errands
from dohyo.runner.fastpath.driver import FastPath, Loop
from dohyo.runner.heartbeat import NANO, Heartbeat
from dohyo.runner.launch import NO_ROOM, Launch
from dohyo.runner.program import Program
from dohyo.runner.ring import Ring
from dohyo.runner.stopwatch import stopwatches

UNFINISHED = Result((), None, "unfinished", unfinished=True)


class Match:
    """The referee's match, played with one program a seat.

    The turns stand in `referee.turns`; `result` says at any time how it has ended, or that it has not; `cpu` is as in
    a `Replay`, once it has ended. `on_turn` is called after every turn, outside everybody's thinking time; where a
    `loop` plays turns, now and then between them. Unless `pondering`, a program is paused while it is not to move.
    """

    def __init__(
        self,
        referee: Referee,
        launches: Sequence[Launch],
        clock: Clock,
        on_turn: Callable[[], None] | None = None,
        pondering: bool = True,
        loop: Loop | None = None,
    ) -> None:
        """`loop` plays ordinary turns, where the clock allows it and all programs live for the match."""
        self.result = UNFINISHED
        self.cpu: tuple[float | None, ...] = ()
        self._referee = referee
        self._launches = launches
        self._clock = clock
        self._on_turn = on_turn
        self._pondering = pondering
        self._shield = Shield()
        a_turn = {seat: launch for seat, launch in enumerate(launches) if launch.a_turn}
        self._watches = stopwatches(clock)
        self._heartbeat = Heartbeat()
        self._errands = Errands(a_turn, self._shield, referee.game.comment, self._watches, self._heartbeat)
        self._accounts = [Account(clock) for _ in launches] if clock.has_reserve else []
        self._loop = loop if clock.spares_the_quick and not a_turn else None
        self._asked: set[int] = set()
        self._last: dict[int, Answer] = {}  # what came from seats after their last turn

    def play(self) -> Result:
        """Play to the end.

        However this ends, no program of the match is left running: an exception of `on_turn`, or one that a signal's
        handler raises (a `KeyboardInterrupt`, say), takes effect only between turns or while programs are awaited,
        and leaves turns and `result` that add up.
        """
        with self._shield:
            programs: list[Program | None] = []
            ring = fast_path = None
            try:
                self._start(programs)
                ring = Ring(programs, self._shield, self._watches, self._pondering, self._heartbeat)
                self._await_ready(ring)
                if self._loop is not None:
                    limit = min(self._clock.limit(True), self._clock.limit(False))
                    fast_path = FastPath(self._loop, self._referee, ring, limit, self._pondering, self._heartbeat)
                self._play_turns(ring, fast_path)
                ring.await_ends(self._referee.farewell)
            finally:
                try:
                    if fast_path is not None:
                        fast_path.close()
                    self._errands.stop_all()
                finally:
                    ring = ring or Ring(programs)
                    self._last.update(ring.stop_all())
                ran = {**self._errands.ran, **ring.ran}
                took = [ran.get(seat) for seat in range(len(self._launches))]
                self.cpu = tuple(None if seconds is None else round(seconds, 6) for seconds in took)
                self.result = self._referee.result(self._last)
        return self.result

    @property
    def disturbed(self) -> float:
        """Seconds for which the referee itself stood still where that may have changed the match."""
        return round(self._heartbeat.disturbed / NANO, 6)

    def _start(self, programs: list[Program | None]) -> None:
        """Start all programs together, before anybody's time runs; a seat whose program does not start has none.

        Nor has one whose program is started for every turn.
        """
        comment = self._referee.game.comment
        for seat, launch in enumerate(self._launches):
            if launch.a_turn:
                programs.append(None)
                continue
            try:
                programs.append(
                    Program(launch.command, launch.folder, launch.environment, comment, house=launch.house)
                )
            except OSError as error:
                if error.errno in NO_ROOM:
                    raise OperatorError("no-room-for-programs", reason=error.strerror) from error
                programs.append(None)
                fault = Fault(FaultKind.EXITED, f"could not be started: {error.strerror}")
                self._referee.stop(seat, Answer(None, (fault,)))

    def _await_ready(self, ring: Ring) -> None:
        """Wait until everybody is ready, where the game's protocol asks for that; else until everybody reads."""
        if word := self._referee.game.wire.READY:
            ready = self._clock.ready
            failed = ring.await_ready(word, ready, self._clock.behind(ready))
            late = sum(fault.kind is FaultKind.NOT_READY for answer in failed.values() for fault in answer.faults)
            self._heartbeat.judge([(ready, ready)] * late)
            for seat, answer in failed.items():
                self._referee.stop(seat, answer)
        else:
            ring.await_reading()

    def _play_turns(self, ring: Ring, fast_path: FastPath | None) -> None:
        """Ask, judge and play until the match is over."""
        referee = self._referee
        begun = None
        stops = referee.game.wire.stops
        # Where a prompt does not show where it ends, a program that lives on is told.
        closing: bytes = getattr(referee.game.wire, "CLOSING", b"")
        errands = self._errands
        while not referee.over:
            if fast_path is not None:
                asked, begun = fast_path.play(self._let_see)
                self._asked |= asked
                if asked and referee.over:
                    break
            seats = referee.pending()
            limits, behind = self._limits(seats)
            if begun is None:
                sent = {seat: referee.prompt(seat) + closing for seat in seats if seat not in errands.launches}
            else:
                sent = {begun.seat: begun.unsent}
            given = {seat: referee.prompt(seat) for seat in seats if seat in errands.launches}
            answers = ring.ask(sent, limits, stops, behind, begun) if sent else {}
            self._judge(answers, limits)
            if given:
                answers.update(errands.ask(referee.turn, given, limits, behind))
                self._judge(answers, limits)
            if self._accounts:
                self._settle(answers)
            self._asked.update(seats)
            turn = referee.submit(answers)
            if given:
                errands.log(referee.turn - 1, turn.moves)
            for seat in seats:
                # The reply itself may have been the end of it: then it is stopped only now.
                if referee.stopped[seat] is not None and ring.programs[seat] is not None:
                    self._last[seat] = ring.end(seat)
            self._let_see()

    def _limits(self, seats: Sequence[int]) -> tuple[dict[int, float], dict[int, float]]:
        """How many seconds each seat is allowed now, its reserve included; and how many by the watch behind that."""
        asked = self._asked
        if self._accounts:
            limits = {seat: self._accounts[seat].limit(seat not in asked) for seat in seats}
        else:
            limits = {seat: self._clock.limit(seat not in asked) for seat in seats}
        if self._watches is None:
            return limits, limits
        return limits, {seat: self._clock.behind(limit) for seat, limit in limits.items()}

    def _judge(self, answers: Mapping[int, Answer], limits: Mapping[int, float]) -> None:
        """Note where it matters that the referee stood still while these answers were awaited."""
        if self._heartbeat.missed:
            self._heartbeat.judge(
                (answer.seconds, limits[seat] if answer.reply is None else self._clock.limit(seat not in self._asked))
                for seat, answer in answers.items()
                if answer.seconds is not None
            )

    def _settle(self, answers: Mapping[int, Answer]) -> None:
        """Take overruns from the reserves, and note strikes."""
        for seat, answer in answers.items():
            account = self._accounts[seat]
            if answer.seconds is not None:
                strike = account.settle(answer.seconds, seat not in self._asked, answer.reply is not None)
                if strike:
                    answer.faults = (*answer.faults, Fault(FaultKind.TIMEOUT, strike))
            if self._clock.bank:
                answer.bank = account.bank

    def _let_see(self) -> None:
        """Between two turns: signals take effect, and the caller sees the turn."""
        self._shield.open()
        try:
            if self._on_turn is not None:
                self._on_turn()
        finally:
            self._shield.shut()
