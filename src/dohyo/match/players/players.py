"""The players of one match, of whatever kind: started, asked and ended, with the time that each has left.

A match between bots (`running.py`) and one in which a learner plays (`dohyo.rl`) use this same code, so that a bot
gets the same time, the same strikes and the same faults in both. The players of one kind are a group (`player.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING

from dohyo.core.clock import Account, Clock
from dohyo.core.faults import FaultKind
from dohyo.core.referee import Answer, Referee
from dohyo.core.replay import Turn
from dohyo.interrupts import DeferSignals
from dohyo.match import verdict
from dohyo.match.players.per_match import BegunTurn
from dohyo.match.players.player import Group, MatchContext, Programs
from dohyo.match.processes.heartbeat import Heartbeat
from dohyo.match.processes.launch import Launch
from dohyo.match.processes.watchdog import NANO

if TYPE_CHECKING:
    from dohyo.match.players.in_process import Talking
    from dohyo.match.players.kept import Kept
    from dohyo.match.players.kind import PlayerKind
    from dohyo.match.processes.bot_process import BotProcess
    from dohyo.match.processes.stopwatch import Watches
    from dohyo.match.replays.sent import Sent


class Players:
    """The players by seat. Call `start`, then `ask` and `see` for each turn, and `stop_all`: then none is left
    running.

    `asked` are the seats that have been asked in this match; `last` holds what players wrote after their last turn.
    `groups` are the players by kind, and `programs` is the group of those that live for the match and speak the
    game's own protocol, which may have nobody in it.
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
        kept: Kept | None = None,
    ) -> None:
        """`launches` by seat; other code plays the other seats. `objects` are players in this process, by seat. The
        rest is as in a `MatchContext`."""
        self.asked: set[int] = set()
        self.last: dict[int, Answer] = {}
        self.heartbeat = Heartbeat()
        self._referee, self._clock, self._told = referee, clock, told
        self._watches = _stopwatches(clock)
        seats = {*launches, *(objects or ())}
        self._accounts = {seat: Account(clock) for seat in sorted(seats)} if clock.has_reserve else {}
        context = MatchContext(
            referee,
            clock,
            signals,
            self.heartbeat,
            self.asked,
            self._accounts,
            self._watches,
            pondering,
            told,
            kept,
            {seat: one.name for seat, one in launches.items() if one.name},
        )
        usual = {seat: launch for seat, launch in launches.items() if not launch.a_turn and not launch.kind}
        self.programs = Programs(usual, context)
        self.groups: list[Group] = [self.programs] if usual or not seats else []
        self.groups += _other_groups({seat: launches[seat] for seat in launches if seat not in usual}, context)
        if objects:
            from dohyo.match.players.in_process import InProcessPlayers

            self.groups.append(InProcessPlayers(objects, context))

    def group(self, seat: int) -> Group:
        """The group of the player on this seat."""
        return next(group for group in self.groups if seat in group.seats)

    @property
    def processes(self) -> dict[int, BotProcess]:
        """By seat, the processes that run and live for the match."""
        running = [group.processes.programs for group in self.groups if isinstance(group, Programs)]
        return {seat: one for programs in running for seat, one in enumerate(programs) if one is not None}

    def start(self) -> None:
        """Start all, before any clock runs, and wait until they are ready. Raises `OperatorError`.

        A player that cannot be started, or is not ready in time, is stopped. However this ends, call `stop_all`
        afterwards.
        """
        for group in self.groups:
            self._stop(group.start())
        self._await_ready()

    def _await_ready(self) -> None:
        for group in self.groups:
            failed = group.await_ready()
            late = sum(fault.kind is FaultKind.NOT_READY for answer in failed.values() for fault in answer.faults)
            self.heartbeat.judge([(self._clock.ready, self._clock.ready)] * late)
            self._stop(failed)

    def _stop(self, failed: Mapping[int, Answer]) -> None:
        for seat, answer in failed.items():
            self._referee.stop(seat, answer)

    # --- a turn

    def ask(self, seats: Sequence[int], begun: BegunTurn | None = None) -> dict[int, Answer]:
        """The answers of these seats to what the referee sends them now; `begun` is the turn of one asked already."""
        limits, behind = self._limits(seats)
        if begun is not None:
            answers = self.programs.go_on(begun, limits, behind)
            self._judge(answers, limits)
        else:
            answers = {}
            for group in self.groups:
                if asked := [seat for seat in seats if seat in group.seats]:
                    given = group.ask(asked, limits, behind)
                    self._judge(given, limits)
                    answers.update(given)
        if self._accounts:
            self._settle(answers)
        self.asked.update(seats)
        return answers

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
        """After a turn: let all groups see it, and end the players of the seats that the referee has stopped."""
        stopped = [seat for seat in seats if self._referee.stopped[seat] is not None]
        for group in self.groups:
            group.see(turn)
            # The referee may have stopped a seat because of its reply: its player is ended only now.
            for seat in stopped:
                if seat in group.seats and (rest := group.end(seat)) is not None:
                    self.last[seat] = rest
        if self._told is None:
            self.ponder(turn)

    def ponder(self, turn: Turn) -> None:
        """After a turn of the match, or of the recorded one that is told: let those ponder who can."""
        for group in self.groups:
            group.ponder(turn)

    def rest(self, seconds: float) -> None:
        """Ask nobody for so long; what those that live for the match write meanwhile is read."""
        for group in self.groups:
            group.rest(seconds / len(self.groups))

    # --- the end

    def say_farewell(self) -> None:
        """Tell all that the match is over, and give those still running a moment to end by themselves."""
        for group in self.groups:
            self.last.update(group.say_farewell())

    def stop_all(self) -> None:
        """End all that are left."""
        with ExitStack() as ends:  # each is ended even if another one fails
            for group in self.groups:
                ends.callback(self._stop_group, group)

    def _stop_group(self, group: Group) -> None:
        self.last.update(group.stop_all())

    @property
    def cpu(self) -> tuple[float | None, ...]:
        """Processor seconds by seat, once they have ended; none where nobody counts that."""
        ran = {seat: seconds for group in self.groups for seat, seconds in group.ran.items()}
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


def _other_groups(launches: Mapping[int, Launch], context: MatchContext) -> list[Group]:
    """The groups of programs that live for a turn, and of the kinds that guests bring; none is imported in vain."""
    groups: list[Group] = []
    if a_turn := {seat: launch for seat, launch in launches.items() if launch.a_turn}:
        from dohyo.match.players.per_turn import TurnPrograms

        groups.append(TurnPrograms(a_turn, context))
    if of_guests := {seat: launch for seat, launch in launches.items() if not launch.a_turn}:
        from dohyo.match.players.kind import kind_for

        together: dict[type[PlayerKind], dict[int, Launch]] = {}
        for seat, launch in of_guests.items():
            together.setdefault(type(kind_for(launch)), {})[seat] = launch
        for each in together.values():
            groups.append(kind_for(next(iter(each.values()))).group(each, context))
    return groups


def _stopwatches(clock: Clock) -> Watches | None:
    """What makes each player's stopwatch. A plain watch has none, and then nothing is imported for it."""
    if clock.is_plain:
        return None
    from dohyo.match.processes.stopwatch import stopwatches

    return stopwatches(clock)
