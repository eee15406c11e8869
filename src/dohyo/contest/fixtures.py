"""What a contest's decisions are made of: who takes part, which match is to be played, and what came of it."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec


class Entrant(msgspec.Struct, frozen=True, omit_defaults=True):
    """One immutable version of a bot in a contest.

    `number` counts from 0 in the order of entering. It takes part in the batches from `since` on, before `until`
    (none: to the end), and not in those of `absences` (from, before). `follows` is the number of the entrant whose
    next version it is.
    """

    number: int
    name: str
    since: int = 0
    until: int | None = None
    absences: tuple[tuple[int, int | None], ...] = ()
    follows: int | None = None

    def plays_in(self, batch: int) -> bool:
        """Whether it may be given matches in this batch."""
        if batch < self.since or (self.until is not None and batch >= self.until):
            return False
        return not any(start <= batch and (end is None or batch < end) for start, end in self.absences)


class Fixture(msgspec.Struct, frozen=True, order=True):
    """A match to be played. Within a contest, `seats` and `seed` are its key.

    `number` counts a contest's fixtures from 0, through all batches; `seats` holds the entrant's number by seat;
    matches of the same `seed` have the same dice, and count as one observation where the seats are merely swapped.
    """

    batch: int
    number: int
    seats: tuple[int, ...]
    seed: int


class Played(msgspec.Struct, frozen=True, omit_defaults=True):
    """What came of a fixture: each seat's place (1 the best, equal ones shared), its points, its faults by kind."""

    fixture: Fixture
    places: tuple[int, ...]
    scores: tuple[float, ...] = ()
    faults: tuple[tuple[str, ...], ...] = ()  # by seat, in order; empty where nobody had any


def faults_last(places: Sequence[int], faults: Sequence[Sequence[str]]) -> tuple[int, ...]:
    """By seat, the places when whoever had a fault is last, level with the others who had one.

    Of those without any the order stays. Where nobody had any `faults` may be empty.
    """
    clean = [place for place, own in zip(places, faults, strict=True) if not own] if any(faults) else list(places)
    own_faults = faults if any(faults) else [()] * len(places)
    return tuple(
        1 + (len(clean) if own else sum(other < place for other in clean))
        for place, own in zip(places, own_faults, strict=True)
    )
