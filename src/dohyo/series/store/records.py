"""The values that a store takes and returns, besides those of `core/contest.py`.

Numbers count from 0 within a contest; times are seconds.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any

import msgspec

from dohyo.core.contest import Fixture

if TYPE_CHECKING:
    Numbers = array[int]
else:  # what `help(Block)` reads: before Python 3.12 an array takes no kind
    Numbers = array

MAX_ATTEMPTS = 3  # at a match that crashes its worker, before it is set aside


class StaleError(Exception):
    """A write was based on values that have changed since: read them again, and decide again."""


class Contest(msgspec.Struct, frozen=True):
    """A contest: what it was begun with (`begun`: from 1970), and whether it is `running`, `stopped` or `over`."""

    id: int
    name: str
    game: str
    spec: dict[str, Any]
    state: str
    begun: float


class Progress(msgspec.Struct, frozen=True):
    """How far a batch is. It is complete when all of `size` are played or set aside."""

    batch: int
    size: int
    played: int
    set_aside: int

    @property
    def complete(self) -> bool:
        """Whether nothing of it has to be played any more."""
        return self.played + self.set_aside >= self.size


class Aside(msgspec.Struct, frozen=True):
    """A match that is not tried any more for now: how often it has crashed its worker, and the last error."""

    fixture: Fixture
    attempts: int
    error: str


class PublishedRating(msgspec.Struct, frozen=True):
    """An entrant's published rating, in Elo, with its 95 % interval; `mu` and `sigma` are those of matchmaking."""

    entrant: int
    rating: float
    low: float | None = None
    high: float | None = None
    mu: float | None = None
    sigma: float | None = None


class Marks(msgspec.Struct, frozen=True):
    """What tells that something of a contest has changed: its entrants, the last batch after which ratings were
    published (none before there is one), and these ratings. What is as it was has the same marks."""

    entrants: tuple[int, ...]
    batch: int | None
    ratings: tuple[int, ...]


class Tally(msgspec.Struct, frozen=True):
    """What an entrant did on a seat: `firsts` are places 1, shared too; `beaten`, `tied`, `lost` count opponents."""

    entrant: int
    seat: int
    matches: int
    firsts: int
    beaten: int
    tied: int
    lost: int
    score: float
    longest: float


class PairTally(msgspec.Struct, frozen=True):
    """Two entrants, the lower number first: how often they met, how often the first was placed before the other."""

    entrant: int
    other: int
    matches: int
    beaten: int
    tied: int
    lost: int


class Seated(msgspec.Struct, frozen=True):
    """One seat of a match that was played: who sat there, the place, and the kinds of its faults in order."""

    match: int
    seat: int
    entrant: int
    place: int
    faults: tuple[str, ...] = ()


class Meeting(msgspec.Struct, frozen=True):
    """Two entrants in one match: its number and seed, the seat and the place of the first, and of the other one."""

    match: int
    seed: int
    seat: int
    place: int
    other_seat: int
    other_place: int


class Block(msgspec.Struct, frozen=True):
    """Many results of matches with `width` seats, ascending by number: flat arrays, as numpy.frombuffer takes them.

    `numbers` and `seeds` (64-bit) hold one value for each match; `entrants` and `places` (32-bit) hold `width`
    values.
    """

    width: int
    numbers: Numbers
    seeds: Numbers
    entrants: Numbers
    places: Numbers
