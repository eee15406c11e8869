"""How long a player may think, how that is measured, and what reserve it has.

`mode` says what is counted against the limits:

    wall    what a watch shows
    fair    what a watch shows, less the time in which the program was ready to run and the machine ran others
    cpu     processor time of the program and of everything that it started

With `fair` and `cpu`, nobody fails because the machine is busy. But a program that only waits uses no processor time,
so a generous limit of wall time applies in addition.
"""

from __future__ import annotations

from typing import Annotated, Literal, NamedTuple

import msgspec
from msgspec import Meta

Mode = Literal["wall", "fair", "cpu"]
MODES: tuple[Mode, ...] = ("wall", "fair", "cpu")
STRIKES = 3
# A time as it is read from files: at most thirty years.
Seconds = Annotated[float, Meta(ge=0.0, le=1e9)]
TURNS_OF_MATCH = 40  # for which a program plans that has time for a whole match
BEHIND_TIMES, BEHIND_MORE = 10, 10.0  # `wall`: so many times a limit, or so many seconds more


def _number(value: float) -> str:
    """A number as it is typed: nothing is rounded."""
    return str(int(value)) if value == int(value) else repr(value)


class Clock(msgspec.Struct, frozen=True, omit_defaults=True):
    """Time limits, all in seconds.

    `turn` for every turn, `first` for a player's first one (as `turn` when none), `ready` for a program to say that
    it is ready, if the game's protocol asks for that.

    `bank` is a player's reserve for the whole match: what a turn takes beyond its limit is taken from it. A player
    without reserve may still be `grace` late, `strikes` times in a match. `wall` is the limit of wall time behind
    `fair` and `cpu`; by default (none) ten times the limit or ten seconds more, whichever is longer.

    `increment` is added to the reserve before each turn, and with `moves` the whole `bank` again after so many. With
    a `turn` of 0 the reserve is all that a player has, as at chess: 10+0.1 is a bank of 10 and an increment of 0.1.
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
    increment: Seconds = 0.0
    moves: Annotated[int, Meta(ge=0, le=1_000_000)] = 0

    def limit(self, is_first: bool) -> float:
        """Seconds allowed for a turn, before any reserve."""
        return self.first if is_first and self.first is not None else self.turn

    def behind(self, limit: float) -> float:
        """Seconds of wall time after which a program is late in any case, if it is allowed `limit`."""
        if self.mode == "wall":
            return limit
        return max(BEHIND_TIMES * limit, limit + BEHIND_MORE) if self.wall is None else max(self.wall, limit)

    @property
    def typed(self) -> str:
        """The clock as it is typed: a preset's name, seconds for a turn, or for the match (10+0.1); then the rest."""
        base = self.preset or _number(self.turn)
        told: tuple[str, ...] = ("mode", "bank", "increment", "moves", "grace", "strikes", "wall", "ready")
        if self.is_whole_match and not self.preset:
            base = f"{f'{self.moves}/' if self.moves else ''}{_number(self.bank)}+{_number(self.increment)}"
            told = ("mode", "grace", "strikes", "wall", "ready")
        usual = Clock(turn=0.0)
        values = [(key, getattr(self, key)) for key in told if getattr(self, key) != getattr(usual, key)]
        return ",".join([base, *(f"{key}={value if key == 'mode' else _number(value)}" for key, value in values)])

    @property
    def is_whole_match(self) -> bool:
        """Whether a player's time is for the whole match, and nothing is for a single turn."""
        return not self.turn and bool(self.bank)

    def share(self, is_first: bool) -> float:
        """Seconds that a player may use in every turn: the limit, or a part of what it has for the match."""
        if self.is_whole_match:
            return self.increment + self.bank / (self.moves or TURNS_OF_MATCH)
        return self.limit(is_first)

    @property
    def match_bank(self) -> float:
        """Seconds that a player has for the whole match, if they never come again; else 0."""
        return self.bank if self.is_whole_match and not self.moves else 0.0

    @property
    def has_reserve(self) -> bool:
        """Whether an answer after the limit may count."""
        return bool(self.bank or (self.grace and self.strikes))

    @property
    def is_plain(self) -> bool:
        """Whether the clock is plain wall time: then nothing else is measured, so that a turn costs nothing more."""
        return self.mode == "wall" and not self.has_reserve

    @property
    def spares_the_quick(self) -> bool:
        """Whether an answer within the limit by wall time is always in time, and uses no reserve.

        `fair` never charges more than wall time; processor time may be more than that.
        """
        return self.mode != "cpu" and not self.has_reserve


class Strike(NamedTuple):
    """A late answer that counts by grace: the number of this strike, how many there may be, seconds too late."""

    number: int
    most: int
    seconds: float


class Account:
    """How much of its reserve and of its strikes one player has left."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.bank = clock.bank + clock.increment
        self.strikes = 0
        self._turns = 0

    def limit(self, is_first: bool) -> float:
        """Seconds after which its answer does not count any more."""
        clock = self._clock
        grace = clock.grace if self.strikes < clock.strikes else 0.0
        return clock.limit(is_first) + self.bank + grace

    def settle(self, seconds: float, is_first: bool, answered: bool) -> Strike | None:
        """Take a turn's overrun from the reserve; returns the strike if the answer counts only by grace."""
        overrun = seconds - self._clock.limit(is_first)
        strike = self._overrun(overrun, answered) if overrun > 0 else None
        if answered and (self._clock.increment or self._clock.moves):
            self._add()
        return strike

    def _add(self) -> None:
        """After a turn: what there is for the next ones."""
        clock = self._clock
        self._turns += 1
        again = clock.bank if clock.moves and self._turns % clock.moves == 0 else 0.0
        self.bank = round(self.bank + clock.increment + again, 6)

    def _overrun(self, overrun: float, answered: bool) -> Strike | None:
        """Take this from the reserve; the strike."""
        missing = overrun - self.bank
        self.bank = round(max(0.0, -missing), 6)
        if missing <= 0 or not answered:
            return None
        self.strikes += 1
        return Strike(self.strikes, self._clock.strikes, round(missing, 6))
