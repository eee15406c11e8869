"""What a player of a match is to whoever asks it, whatever stands behind it.

Two kinds are there: a process that lives for a match (`per_match.py`) and one that lives for a turn (`per_turn.py`).
A person in a browser, or a program at the other end of a socket, would be a third: a class with these methods, whose
descriptors the poller watches. Which fault it was is not the player's to say: it hands over what was seen, and
`verdict.py` decides.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

from dohyo.core.faults import Fault
from dohyo.core.referee import Answer

NANO = 1_000_000_000
Asides = tuple[str, int, str, int]  # standard error and comments, each with how many bytes before it were not kept


class Player(ABC):
    """One player of a match. Made by whoever starts it; `stop` ends it."""

    ran: float | None = None  # processor seconds it took, once it was stopped
    overdue: Fault | None = None  # once it was stopped: that it was slow to end

    @abstractmethod
    def begin(self, limit: float, behind: float) -> None:
        """It is to move now, and has `limit` seconds by its own clock, `behind` by the watch."""

    @abstractmethod
    def ask(self, prompt: bytes, turn: int) -> Answer | None:
        """Ask it, and start its clock. An answer only where it cannot be asked: it holds the fault."""

    @abstractmethod
    def answer(self, now: int) -> Answer | None:
        """Its answer, or the fault in the place of one; none while it is awaited. `now` is the clock's moment."""

    @abstractmethod
    def time_left(self, now: int) -> int:
        """Nanoseconds from `now` until it has to be looked at, whether or not anything comes from it."""

    @abstractmethod
    def pause(self) -> None:
        """Stop it where it stands, until `resume`."""

    @abstractmethod
    def resume(self) -> None:
        """Let it go on."""

    @abstractmethod
    def kill(self) -> None:
        """End it; `stop` waits until it is gone."""

    @abstractmethod
    def stop(self) -> Asides:
        """End it, wait until it is gone, and fill `ran` and `overdue`; what it wrote besides since last taken."""

    @abstractmethod
    def take_asides(self) -> Asides:
        """What it wrote besides since the last call: to standard error, and as comments."""
