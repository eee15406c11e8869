"""The interface of a player of a match, of whatever kind it is.

There are two kinds: a process that lives for a match (`per_match.py`) and one that lives for a turn (`per_turn.py`).
A person in a browser, or a program at the other end of a socket, would be a third: a class with these methods, whose
descriptors the poller watches. The player does not decide which fault it was: it reports what was seen, and
`verdict.py` decides.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

from dohyo.core.faults import Fault
from dohyo.core.referee import Answer

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
