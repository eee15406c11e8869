"""The interfaces of a player of a match, and of a group of players of one kind.

A match is a loop over groups. Three kinds are the core's: processes that live for the match (`programs.py`),
processes that live for a turn (`per_turn.py`), and objects of this process (`in_process.py`). Guests bring others
(`kind.py`): each is a class with the methods of `Group`. A player does not decide which fault it was: it reports what
was seen, and `verdict.py` decides.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from dohyo.core.faults import Fault
from dohyo.core.referee import Answer

if TYPE_CHECKING:
    from dohyo.core.clock import Account, Clock
    from dohyo.core.referee import Referee
    from dohyo.core.replay import Turn
    from dohyo.interrupts import DeferSignals
    from dohyo.match.players.kept import Kept
    from dohyo.match.processes.heartbeat import Heartbeat
    from dohyo.match.processes.stopwatch import Watches
    from dohyo.match.replays.sent import Sent

NANO = 1_000_000_000
Asides = tuple[str, int, str, int]  # standard error and comments, each with how many bytes before it were not stored


class Player(ABC):
    """One player of a match. The constructor of each kind starts it; `stop` ends it."""

    ran: float | None = None  # its processor seconds, once it was stopped
    overdue: Fault | None = None  # once it was stopped: the fault that it was slow to end

    @abstractmethod
    def begin(self, limit: float, behind: float) -> None:
        """Its turn begins: it has `limit` seconds by its own clock, `behind` by the wall clock."""

    @abstractmethod
    def ask(self, prompt: bytes, turn: int) -> Answer | None:
        """Ask it, and start its clock. Returns an answer only if it cannot be asked: that holds the fault."""

    @abstractmethod
    def answer(self, now: int) -> Answer | None:
        """Its answer, or the fault instead of one; none while it is awaited. `now` is the clock's moment."""

    @abstractmethod
    def time_left(self, now: int) -> int:
        """Nanoseconds from `now` until it has to be looked at, whether or not anything comes from it."""

    @abstractmethod
    def pause(self) -> None:
        """Pause it until `resume`."""

    @abstractmethod
    def resume(self) -> None:
        """Let it go on."""

    @abstractmethod
    def kill(self) -> None:
        """Kill it; `stop` waits until it has ended."""

    @abstractmethod
    def stop(self) -> Asides:
        """End it, wait for that, fill `ran` and `overdue`; returns what `take_asides` has not returned yet."""

    @abstractmethod
    def take_asides(self) -> Asides:
        """What it wrote besides its answers since the last call: to standard error, and as comments."""


class MatchContext(NamedTuple):
    """What all groups of players of a match share.

    `signals` take effect during waits. With `pondering` players are asked to think while others move; without it
    (False, not None) a program is paused while it is not to move. `watches` makes a stopwatch for each process (none:
    wall time); `heartbeat` measures the waits. With `told`, players who are told more than a prompt are told a
    recorded match, not this one. `kept` are players of earlier matches. `asked` are the seats that have been asked;
    `accounts` the reserves by seat, as far as there are any.
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
