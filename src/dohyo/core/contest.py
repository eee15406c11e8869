"""What a contest consists of: versions of bots, entrants, matches to be played, and their results.

The formats use these values, the store stores them, and the commands show them. Numbers count from 0 within a
contest; times are seconds.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

MAX_ROUNDS = 1_000_000_000
USUAL_FORMAT = "round-robin"  # where none is named


class Version(msgspec.Struct, frozen=True):
    """One immutable version of a bot: SHA-256 of its content, its language, the digest of its archive."""

    name: str
    digest: str
    language: str = ""
    archive: str | None = None


class Entrant(msgspec.Struct, frozen=True):
    """A bot's version in a contest.

    `number` counts from 0 in the order of entering. It takes part in the batches from `since` up to, not including,
    `until` (None: to the end), except those of `absences` (from, up to and not including; None: to the end).
    `follows` is the number of the entrant whose next version it is.
    """

    number: int
    version: Version
    since: int = 0
    until: int | None = None
    absences: tuple[tuple[int, int | None], ...] = ()
    follows: int | None = None

    @property
    def name(self) -> str:
        """What the bot is called in the contest."""
        return self.version.name

    @property
    def is_away(self) -> bool:
        """Whether it has left or pauses, as things are now."""
        return self.until is not None or (bool(self.absences) and self.absences[-1][1] is None)

    def plays_in(self, batch: int) -> bool:
        """Whether it may be given matches in this batch."""
        if batch < self.since or (self.until is not None and batch >= self.until):
            return False
        return not any(start <= batch and (end is None or batch < end) for start, end in self.absences)


class Fixture(msgspec.Struct, frozen=True, order=True):
    """A match of the schedule. Within a contest, `seats` and `seed` are its key.

    `number` counts a contest's fixtures from 0, through all batches; `seats` holds the entrant's number by seat;
    matches of the same `seed` have the same dice, and count as one observation if only the seats are swapped. Where a
    bot plays that stays at home, the dice are others in each (`dohyo.series.results.match_seed`).
    """

    batch: int
    number: int
    seats: tuple[int, ...]
    seed: int


class Result(msgspec.Struct, frozen=True):
    """The result of a fixture; without places there is none: the match was left open.

    By seat: the place (1 the best, equal ones shared), the points, the kinds of its faults in order, the longest time
    it thought, and `kept`, the digest of the folder with its files after the match. A tuple is empty if the game has
    no such thing, or no seat had any. `replay` is the digest of the replay, `at` when the match ended (from 1970),
    `seconds` how long it took.
    """

    fixture: Fixture
    places: tuple[int, ...]
    scores: tuple[float, ...] = ()
    faults: tuple[tuple[str, ...], ...] = ()
    longest: tuple[float | None, ...] = ()
    kept: tuple[str | None, ...] = ()
    replay: str | None = None
    at: float = 0.0
    seconds: float = 0.0
    host: str = ""
    worker: str = ""


def faults_last(places: Sequence[int], faults: Sequence[Sequence[str]]) -> tuple[int, ...]:
    """By seat, the places when all who had a fault get the very last one, which is the number of seats.

    So nobody with a fault is first, not even where all have one, and none of them is level with another (`level`).
    The order of the others stays. If nobody had a fault, `faults` may be empty.
    """
    if not any(faults):
        return tuple(1 + sum(other < place for other in places) for place in places)
    clean = [place for place, own in zip(places, faults, strict=True) if not own]
    return tuple(
        len(places) if own else 1 + sum(other < place for other in clean)
        for place, own in zip(places, faults, strict=True)
    )


def level(places: Sequence[int]) -> tuple[int, ...]:
    """By seat, with how many others a bot shares its place in earnest.

    A place that several share is the one after all who are before them. Where it is further behind, they share it for
    their faults (`faults_last`): that says nothing of one against the other, and is worth nothing.
    """
    return tuple(places.count(own) - 1 if own <= 1 + sum(other < own for other in places) else 0 for own in places)
