"""The players of one match, of whatever kind: started, asked and ended, with the time that each has left.

A match between bots (`match.py`) and one in which a learner plays (`dohyo.rl`) use this same code, so that a bot gets
the same time, the same strikes and the same faults in both.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from dohyo.core.clock import Account, Clock
from dohyo.core.faults import Fault, FaultKind
from dohyo.core.referee import Answer, Referee
from dohyo.core.replay import Turn
from dohyo.interrupts import DeferSignals
from dohyo.match import verdict
from dohyo.match.players.per_match import BegunTurn, PerMatchProcesses
from dohyo.match.players.player import NANO
from dohyo.match.processes.bot_process import BotProcess, launched
from dohyo.match.processes.heartbeat import Heartbeat
from dohyo.match.processes.launch import Launch

if TYPE_CHECKING:
    from dohyo.core.sent import Sent
    from dohyo.match.players.engines.engines import Engines
    from dohyo.match.players.engines.kept_engines import KeptEngines
    from dohyo.match.players.in_process import InProcessPlayers, Talking
    from dohyo.match.players.per_turn import PerTurnProcesses
    from dohyo.match.players.servers.http_players import HttpPlayers
    from dohyo.match.processes.stopwatch import Watches


class Players:
    """The players by seat. Call `start`, then `ask` and `see` for each turn, and `stop_all`: then none is left
    running.

    `asked` are the seats that have been asked in this match; `last` holds what players wrote after their last turn.
    """

    def __init__(
        self,
        referee: Referee,
        launches: Mapping[int, Launch],
        clock: Clock,
        signals: DeferSignals,
        pondering: bool | None = None,
        objects: Mapping[int, Talking] | None = None,
        told: Sent | None = None,
        kept: KeptEngines | None = None,
    ) -> None:
        """`launches` by seat; other code plays the other seats. `signals` take effect during waits for players.

        With `pondering` engines are asked to think while others move; without it (False, not None) a player is paused
        while it is not to move. `objects` are players in this process, by
        seat. With `told`, engines and servers are told the times and words of a recorded match, not of this one.
        `kept` are the engines of earlier matches.
        """
        self.asked: set[int] = set()
        self.last: dict[int, Answer] = {}
        self.heartbeat = Heartbeat()
        self.per_match = PerMatchProcesses([])
        self._referee, self._launches, self._clock, self._signals = referee, launches, clock, signals
        self._pondering, self._told = pondering, told
        self._watches = _stopwatches(clock)
        seats = {*launches, *(objects or ())}
        self._accounts = {seat: Account(clock) for seat in sorted(seats)} if clock.has_reserve else {}
        # If a prompt does not show where it ends, a program that lives on gets a mark for the end.
        self._closing: bytes = referee.game.protocol.CLOSING
        self._engines = self._with_engines(launches, kept)
        per_turn = {seat: launch for seat, launch in launches.items() if launch.a_turn}
        self._per_turn = self._per_turn_processes(per_turn)
        self._objects = self._in_process(objects or {})
        self._servers = self._with_servers({seat: launch.url for seat, launch in launches.items() if launch.url})
        servers = () if self._servers is None else self._servers.seats
        self._not_per_match = frozenset({*per_turn, *(objects or ()), *servers})

    def _with_engines(self, launches: Mapping[int, Launch], kept: KeptEngines | None) -> Engines | None:
        """The engines; none where there are none, so that nothing is imported for it."""
        if not any(launch.protocol for launch in launches.values()):
            return None
        from dohyo.match.players.engines.engines import Engines

        return Engines(launches, self._referee, self._clock, self._told, self._pondering is True, kept)

    def _in_process(self, objects: Mapping[int, Talking]) -> InProcessPlayers | None:
        """The players in this process; none where there are none, so that nothing is imported for it."""
        if not objects:
            return None
        from dohyo.match.players.in_process import InProcessPlayers

        return InProcessPlayers(objects, self._referee.game, self._clock, self._signals)

    def _with_servers(self, urls: Mapping[int, str]) -> HttpPlayers | None:
        """The players that are servers; none where there are none, so that nothing is imported for it."""
        if not urls:
            return None
        from dohyo.match.players.servers.http_players import HttpPlayers

        told = None if self._told is None else self._told.to_servers
        return HttpPlayers(urls, self._referee, self._clock, self._signals, told)

    def _per_turn_processes(self, launches: Mapping[int, Launch]) -> PerTurnProcesses | None:
        """The players that live for a turn; none where all live for the match, so that nothing is imported for it."""
        if not launches:
            return None
        from dohyo.match.players.per_turn import PerTurnProcesses

        comment = self._referee.game.comment
        return PerTurnProcesses(launches, self._signals, comment, self._watches, self.heartbeat)

    def start(self) -> None:
        """Start all, before any clock runs, and wait until they are ready. Raises `OperatorError`.

        A player that cannot be started, or is not ready in time, is stopped. However this ends, call `stop_all`
        afterwards.
        """
        processes: list[BotProcess | None] = [None] * self._referee.seats
        try:
            self._start(processes)
            self.per_match = PerMatchProcesses(
                processes, self._signals, self._watches, self._pondering is not False, self.heartbeat, self._engines
            )
        except BaseException:
            self.per_match = PerMatchProcesses(processes, self._signals)
            raise
        self._await_ready()

    def _start(self, processes: list[BotProcess | None]) -> None:
        """Start the processes that live for the match, all together."""
        for seat, launch in sorted(self._launches.items()):
            if not launch.a_turn and not launch.url:
                started = self._launched(seat, launch)
                if isinstance(started, Fault):
                    self._referee.stop(seat, Answer(None, (started,)))
                else:
                    processes[seat] = started

    def _launched(self, seat: int, launch: Launch) -> BotProcess | Fault:
        """Start one of them; the fault where it cannot be started, or cannot play this game."""
        if self._engines is not None and seat in self._engines.seats:
            return self._engines.fault or self._engines.take_kept(seat, self._signals) or launched(launch)
        return launched(launch, self._referee.game.comment)

    def _await_ready(self) -> None:
        """Wait until all are ready, if the game's protocol asks for that; otherwise until all read their input."""
        if self._engines is not None:
            self._await_word("readyok", self._engines.ready_limit(), engines=True)
        if word := self._referee.game.protocol.READY:
            self._await_word(word, self._clock.ready)
        else:
            self.per_match.await_reading()
        for others in (self._objects, self._servers):
            if others is not None:
                for seat, answer in others.start().items():
                    self._referee.stop(seat, answer)

    def _await_word(self, word: str, ready: float, engines: bool = False) -> None:
        """Wait until all `engines`, or all others, are ready; those that are not in time are stopped."""
        failed = self.per_match.await_ready(word, ready, self._clock.behind(ready), engines)
        late = sum(fault.kind is FaultKind.NOT_READY for answer in failed.values() for fault in answer.faults)
        self.heartbeat.judge([(ready, ready)] * late)
        for seat, answer in failed.items():
            self._referee.stop(seat, answer)

    # --- a turn

    def ask(self, seats: Sequence[int], begun: BegunTurn | None = None) -> dict[int, Answer]:
        """The answers of these seats to what the referee sends them now; `begun` is the turn of one asked already."""
        referee, others = self._referee, self._not_per_match
        limits, behind = self._limits(seats)
        if begun is None:
            sent = {seat: self._prompt(seat) for seat in seats if seat not in others}
        else:
            sent = {begun.seat: begun.unsent}
        given = {seat: referee.prompt(seat) for seat in seats if seat in others}
        called = {} if self._objects is None else self._objects.take_from(given)
        remote = [] if self._servers is None else [seat for seat in given if seat in self._servers.seats]
        for seat in remote:
            given.pop(seat)
        answers = self.per_match.ask(sent, limits, referee.game.protocol.stops, behind, begun) if sent else {}
        self._judge(answers, limits)
        if given and self._per_turn is not None:
            answers.update(self._per_turn.ask(referee.turn, given, limits, behind))
            self._judge(answers, limits)
        if called and self._objects is not None:
            answers.update(self._objects.ask(called, limits, behind))
        if remote and self._servers is not None:
            answers.update(self._servers.ask({seat: limits[seat] for seat in remote}))
        if self._accounts:
            self._settle(answers)
        self.asked.update(seats)
        return answers

    def _prompt(self, seat: int) -> bytes:
        """What a process on this seat is sent now."""
        if self._engines is not None and seat in self._engines.seats:
            return self._engines.prompt(seat, seat not in self.asked, self._accounts)
        return self._referee.prompt(seat) + self._closing

    def _limits(self, seats: Sequence[int]) -> tuple[dict[int, float], dict[int, float]]:
        """How many seconds each seat is allowed now, with its reserve; and the wall clock limit behind that."""
        asked = self.asked
        if self._accounts:
            limits = {seat: self._accounts[seat].limit(seat not in asked) for seat in seats}
        else:
            limits = {seat: self._clock.limit(seat not in asked) for seat in seats}
        if self._watches is None:
            return limits, limits
        return limits, {seat: self._clock.behind(limit) for seat, limit in limits.items()}

    def _judge(self, answers: Mapping[int, Answer], limits: Mapping[int, float]) -> None:
        """Note if the referee stood still during the wait for these answers, and if that matters.

        To an answer it does where it used a reserve because of that; time for a whole match is no reserve.
        """
        if self.heartbeat.missed:
            whole, asked = self._clock.is_whole_match, self.asked
            self.heartbeat.judge(
                (
                    answer.charged,
                    limits[seat] if whole or answer.reply is None else self._clock.limit(seat not in asked),
                )
                for seat, answer in answers.items()
                if answer.charged is not None
            )

    def _settle(self, answers: Mapping[int, Answer]) -> None:
        """Take overruns from the reserves, and note strikes."""
        for seat, answer in answers.items():
            account = self._accounts[seat]
            if answer.charged is not None:
                strike = account.settle(answer.charged, seat not in self.asked, answer.reply is not None)
                if strike is not None:
                    answer.faults = (*answer.faults, verdict.strike(*strike))
            if self._clock.bank:
                answer.bank = account.bank

    def see(self, turn: Turn, seats: Iterable[int]) -> None:
        """After a turn: write the authors' logs, and end the players of the seats that the referee has stopped."""
        if self._per_turn is not None:
            self._per_turn.log(turn.turn, turn.moves)
        stopped = self._referee.stopped
        for seat in seats:
            # The referee may have stopped a seat because of its reply: its player is ended only now.
            if stopped[seat] is not None and self.per_match.lives(seat):
                self.last[seat] = self.per_match.end(seat)
        if self._told is None:
            self.ponder(turn)

    def ponder(self, turn: Turn) -> None:
        """After a turn of the match, or of the recorded one that is told: let engines ponder."""
        if self._engines is not None:
            self._engines.ponder(turn, self._accounts)

    def rest(self, seconds: float) -> None:
        """Ask nobody for so long; what those that live for the match write meanwhile is read."""
        self.per_match.rest(seconds)

    # --- the end

    def say_farewell(self) -> None:
        """Send the end of the match to those still running, and give them a moment to end by themselves.

        Engines that may play another match go on, and are kept.
        """
        for seat in self._engines.seats if self._engines is not None else ():
            if self.per_match.lives(seat) and self._engines is not None and self._engines.may_keep(seat):
                process, asides = self.per_match.release(seat)
                self.last[seat] = Answer(None, (), None, *asides)
                self._engines.keep(seat, process)
        self.per_match.await_ends(self._farewell)
        if self._servers is not None:
            self._servers.say_farewell()

    def _farewell(self, seat: int) -> bytes:
        if self._engines is not None and seat in self._engines.seats:
            from dohyo.core.uci_protocol import QUIT

            return QUIT
        return self._referee.farewell(seat)

    def stop_all(self) -> None:
        """End all that are left."""
        try:
            if self._servers is not None:
                self._servers.stop_all()
            if self._per_turn is not None:
                self._per_turn.stop_all()
        finally:
            self.last.update(self.per_match.stop_all())

    @property
    def cpu(self) -> tuple[float | None, ...]:
        """Processor seconds by seat, once they have ended; none where nobody counts that."""
        per_turn = {} if self._per_turn is None else self._per_turn.ran
        objects = {} if self._objects is None else self._objects.ran
        ran = {**per_turn, **objects, **self.per_match.ran}
        took = [ran.get(seat) for seat in range(self._referee.seats)]
        return tuple(None if seconds is None else round(seconds, 6) for seconds in took)

    @property
    def disturbed(self) -> float:
        """Seconds for which the referee itself stood still, when that may have changed the match."""
        return round(self.heartbeat.disturbed / NANO, 6)

    @property
    def disturbed_by(self) -> str:
        """By what, as in a `Replay`."""
        return self.heartbeat.why


def _stopwatches(clock: Clock) -> Watches | None:
    """What makes each player's stopwatch. A plain watch has none, and then nothing is imported for it."""
    if clock.is_plain:
        return None
    from dohyo.match.processes.stopwatch import stopwatches

    return stopwatches(clock)
