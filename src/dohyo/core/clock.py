"""How long a player may think, by which time, and what it has in reserve.

`mode` says what is counted against the limits:

    wall    what a watch shows
    fair    what a watch shows, less the time in which the program was ready to run and the machine ran others
    cpu     processor time of the program and of everything that it started

`fair` and `cpu` fail nobody because the machine is busy. Who only waits uses no processor time, though, and so a
generous limit by the watch stands behind both.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

Mode = Literal["wall", "fair", "cpu"]
MODES: tuple[Mode, ...] = ("wall", "fair", "cpu")
STRIKES = 3
# A time as it is read from files: no match takes thirty years.
Seconds = Annotated[float, Meta(ge=0.0, le=1e9)]
BEHIND_TIMES, BEHIND_MORE = 10, 10.0  # the limit behind another: so many times as long, and so many seconds more


class Clock(msgspec.Struct, frozen=True, omit_defaults=True):
    """Time limits, all in seconds.

    `turn` for every turn, `first` for a player's first one (as `turn` when none), `ready` for a program to say that
    it is ready, where the game's protocol asks for that.

    `bank` is a player's reserve for the whole match: what a turn takes beyond its limit is taken from it. Whoever has
    none left may still be `grace` late, `strikes` times in a match. `wall` is the limit by the watch behind `fair`
    and `cpu`; by default (none) ten times the limit or ten seconds more, whichever is longer.
    """

    turn: Seconds
    first: Seconds | None = None
    ready: Seconds = 1.0
    preset: str = ""
    mode: Mode = "wall"
    bank: Seconds = 0.0
    grace: Seconds = 0.0
    strikes: Annotated[int, Meta(ge=0, le=1_000_000_000)] = STRIKES
    wall: Seconds | None = None

    def limit(self, is_first: bool) -> float:
        """Seconds allowed for a turn, before any reserve."""
        return self.first if is_first and self.first is not None else self.turn

    def behind(self, limit: float) -> float:
        """Seconds by the watch after which a program is late in any case, where it is allowed `limit`."""
        if self.mode == "wall":
            return limit
        return max(BEHIND_TIMES * limit, limit + BEHIND_MORE) if self.wall is None else max(self.wall, limit)

    @property
    def has_reserve(self) -> bool:
        """Whether an answer after the limit may count."""
        return bool(self.bank or (self.grace and self.strikes))

    @property
    def is_plain(self) -> bool:
        """Whether it is a watch and nothing more: then nothing else is measured, since a turn is to cost nothing."""
        return self.mode == "wall" and not self.has_reserve

    @property
    def spares_the_quick(self) -> bool:
        """Whether an answer within the limit by the watch is in time whatever else is measured, and changes nothing.

        In `fair` never more is charged than what the watch shows; processor time may be more than that.
        """
        return self.mode != "cpu" and not self.has_reserve


class Account:
    """What one player has left of its reserve and of its strikes."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.bank = clock.bank
        self.strikes = 0

    def limit(self, is_first: bool) -> float:
        """Seconds after which its answer does not count any more."""
        clock = self._clock
        grace = clock.grace if self.strikes < clock.strikes else 0.0
        return clock.limit(is_first) + self.bank + grace

    def settle(self, seconds: float, is_first: bool, answered: bool) -> str:
        """Take a turn's overrun from the reserve; if the answer counts by grace alone, the strike in words."""
        overrun = seconds - self._clock.limit(is_first)
        if overrun <= 0:
            return ""
        missing = overrun - self.bank
        self.bank = round(max(0.0, -missing), 6)
        if missing <= 0 or not answered:
            return ""
        self.strikes += 1
        return f"strike {self.strikes} of {self._clock.strikes}: the answer came {missing:.6f} s late"
