"""A group of players of one kind, and the usual one: programs that live for the match.

A match is a loop over groups. Three kinds are the core's: processes that live for the match (`Programs`), processes
that live for a turn (`per_turn.py`), and objects of this process (`in_process.py`). Guests bring others (`kind.py`):
each is a class with the methods of `Group`. A player does not decide which fault it was: it reports what was seen,
and `verdict.py` decides.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from dohyo.core.faults import Fault
from dohyo.core.referee import Answer
from dohyo.match.players.per_match import BegunTurn, PerMatchProcess, PerMatchProcesses
from dohyo.match.processes.bot_process import BotProcess, launched
from dohyo.match.processes.launch import Launch

if TYPE_CHECKING:
    from dohyo.core.clock import Account, Clock
    from dohyo.core.referee import Referee
    from dohyo.core.replay import Turn
    from dohyo.interrupts import DeferSignals
    from dohyo.match.players.kept import Kept
    from dohyo.match.processes.heartbeat import Heartbeat
    from dohyo.match.processes.poller import Poller
    from dohyo.match.processes.stopwatch import Stopwatch, Watches
    from dohyo.match.replays.sent import Sent


class MatchContext(NamedTuple):
    """What all groups of players of a match share.

    `signals` take effect during waits. With `pondering` players are asked to think while others move; without it
    (False, not None) a program is paused while it is not to move. `watches` makes a stopwatch for each process (none:
    wall time); `heartbeat` measures the waits. With `told`, players who are told more than a prompt are told a
    recorded match, not this one. `kept` are players of earlier matches. `asked` are the seats that have been asked;
    `accounts` the reserves by seat, as far as there are any, and `names` what the bots are called.
    """

    referee: Referee
    clock: Clock
    signals: DeferSignals
    heartbeat: Heartbeat
    asked: set[int]
    accounts: Mapping[int, Account]
    watches: Watches | None = None
    pondering: bool | None = None
    told: Sent | None = None
    kept: Kept | None = None
    names: Mapping[int, str] = {}


class Group:
    """The players of one kind in a match: `seats` says where they sit.

    Called in this order: `start`, `await_ready`; `ask` and `see` in each turn; `say_farewell` if the match was played
    to its end; `stop_all`, however it ends. `ran` are processor seconds by seat, as far as they are known.
    """

    seats: frozenset[int] = frozenset()
    ran: Mapping[int, float | None] = {}

    def start(self) -> dict[int, Answer]:
        """Start what has to be started, and wait for nothing; an answer with a fault for each that cannot play."""
        return {}

    def await_ready(self) -> dict[int, Answer]:
        """Wait until all are ready; an answer with a fault for each that was not, which has been stopped."""
        return {}

    def ask(
        self, seats: Sequence[int], limits: Mapping[int, float], behind: Mapping[int, float]
    ) -> dict[int, Answer]:
        """The answers of these seats to what the referee sends them now.

        Each has `limits[seat]` seconds by its own clock, and `behind[seat]` by the wall clock.
        """
        raise NotImplementedError

    def see(self, turn: Turn) -> None:
        """A turn was played."""

    def ponder(self, turn: Turn) -> None:
        """After a turn of the match, or of the recorded one that is told: they may think while others move."""

    def end(self, seat: int) -> Answer | None:
        """The referee has stopped this seat: end its player; what was left to report of it, if there was one."""
        return None

    def rest(self, seconds: float) -> None:
        """Nobody is asked for so long."""
        time.sleep(max(0.0, seconds))

    def say_farewell(self) -> dict[int, Answer]:
        """The match is over: tell those who still play; what is left to report of those who are not stopped later."""
        return {}

    def stop_all(self) -> dict[int, Answer]:
        """End all that are left; what each wrote after its last turn."""
        return {}


class Programs(Group):
    """Programs that live for the match; `processes` are those that run.

    A kind of program with another protocol derives from this, and says what is different.
    """

    def __init__(self, launches: Mapping[int, Launch], context: MatchContext) -> None:
        """`launches` by seat."""
        self.seats = frozenset(launches)
        self.processes = PerMatchProcesses([])
        self.context, self.launches = context, launches
        # If a prompt does not show where it ends, a program that lives on gets a mark for the end.
        self._closing: bytes = context.referee.game.protocol.CLOSING

    @property
    def ran(self) -> Mapping[int, float | None]:  # type: ignore[override]
        """Processor seconds by seat, of those that have ended."""
        return self.processes.ran

    # --- what is different in a kind

    def launched(self, seat: int) -> BotProcess | Fault:
        """Start the program of a seat; the fault where it cannot be started, or cannot play this game."""
        return launched(self.launches[seat], self.context.referee.game.comment)

    def player(self, seat: int, process: BotProcess, poller: Poller, watch: Stopwatch | None) -> PerMatchProcess:
        """The player of a program that was started."""
        return PerMatchProcess(process, poller, watch)

    def ready_word(self) -> str:
        """The line by which each says that it is ready; empty where none does."""
        word: str = self.context.referee.game.protocol.READY
        return word

    def ready_limit(self) -> float:
        """Seconds to be ready in."""
        return self.context.clock.ready

    def prompt(self, seat: int) -> bytes:
        """What the program is sent now."""
        return self.context.referee.prompt(seat) + self._closing

    def farewell(self, seat: int) -> bytes:
        """What the program is sent at the end of the match."""
        return self.context.referee.farewell(seat)

    # --- a match

    def start(self) -> dict[int, Answer]:
        """Start all programs, side by side."""
        context = self.context
        processes: list[BotProcess | None] = [None] * context.referee.seats
        failed = {}
        try:
            for seat in sorted(self.launches):
                started = self.launched(seat)
                if isinstance(started, Fault):
                    failed[seat] = Answer(None, (started,))
                else:
                    processes[seat] = started
            self.processes = PerMatchProcesses(
                processes,
                context.signals,
                context.watches,
                context.pondering is not False,
                context.heartbeat,
                self.player,
            )
        except BaseException:
            self.processes = PerMatchProcesses(processes, context.signals)  # `stop_all` ends them
            raise
        return failed

    def await_ready(self) -> dict[int, Answer]:
        """Wait until all say that they are ready, or, where they say nothing, until all read their input."""
        if not (word := self.ready_word()):
            self.processes.await_reading()
            return {}
        limit = self.ready_limit()
        return self.processes.await_ready(word, limit, self.context.clock.behind(limit))

    def ask(
        self, seats: Sequence[int], limits: Mapping[int, float], behind: Mapping[int, float]
    ) -> dict[int, Answer]:
        """Send each its prompt, and wait for one line of each."""
        stops = self.context.referee.game.protocol.stops
        return self.processes.ask({seat: self.prompt(seat) for seat in seats}, limits, stops, behind)

    def go_on(self, begun: BegunTurn, limits: Mapping[int, float], behind: Mapping[int, float]) -> dict[int, Answer]:
        """Do the rest of a turn that the fast path has begun."""
        stops = self.context.referee.game.protocol.stops
        return self.processes.ask({begun.seat: begun.unsent}, limits, stops, behind, begun)

    def end(self, seat: int) -> Answer | None:
        """End its program, if it runs."""
        return self.processes.end(seat) if self.processes.lives(seat) else None

    def rest(self, seconds: float) -> None:
        """Read what they write meanwhile."""
        self.processes.rest(seconds)

    def say_farewell(self) -> dict[int, Answer]:
        """Send the end of the match to those that run, and give them a moment to end by themselves."""
        self.processes.await_ends(self.farewell)
        return {}

    def stop_all(self) -> dict[int, Answer]:
        """End all programs."""
        return self.processes.stop_all()
