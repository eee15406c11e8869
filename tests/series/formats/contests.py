"""Contests played out in a moment: bots as numbers, results from the fixture's seed, nothing left to chance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from dohyo.core.contest import Entrant, Fixture, Result, Version
from dohyo.core.options import Value
from dohyo.series.formats import Format, all_formats, make

ENDLESS = 5  # batches played of a contest that does not end by itself


class Case(msgspec.Struct, frozen=True):
    """A contest to be played; `salt` makes the results others, `upsets` how often the worse bot wins, of 16."""

    format: str
    seats: tuple[int, int]
    rounds: int
    entrants: tuple[Entrant, ...]
    options: dict[str, Value] = {}
    seed: int = 7
    salt: int = 0
    upsets: int = 4

    def make(self) -> Format:
        """The format, before its first batch."""
        return make(
            self.format,
            seats=self.seats,
            rounds=self.rounds,
            seed=self.seed,
            entrants=len([entrant for entrant in self.entrants if entrant.since == 0]),
            options=self.options,
        )


def entrant(number: int, name: str, since: int = 0, follows: int | None = None) -> Entrant:
    """A bot that takes part from a batch on."""
    return Entrant(number, Version(name, ""), since, follows=follows)


def bots(count: int) -> tuple[Entrant, ...]:
    """So many entrants who take part from first to last."""
    return tuple(entrant(number, f"b{number}") for number in range(count))


def result(fixture: Fixture, salt: int = 0, upsets: int = 0) -> Result:
    """What comes of a match: the lower number is the better; some matches end otherwise, level, or were set aside."""
    seats = fixture.seats
    chance = hash((fixture.seed, seats, salt)) & 0xFFFF
    if upsets and chance >> 8 == 0:
        return Result(fixture, ())
    strength = [-number for number in seats]
    if chance % 16 < upsets:
        at = (chance >> 4) % len(seats)
        strength[at] = 1 if chance & 1 << 10 else max(strength)
    places = tuple(1 + sum(other > own for other in strength) for own in strength)
    return Result(fixture, places, tuple(float(own) for own in strength))


def play(batch: Sequence[Fixture], case: Case) -> list[Result]:
    """The results of a batch."""
    return [result(fixture, case.salt, case.upsets) for fixture in batch]


def batches(case: Case, contest: Format | None = None) -> Iterator[list[Fixture]]:
    """Batch after batch, each played when the next one is asked for."""
    contest = contest or case.make()
    while batch := contest.next(case.entrants):
        yield batch
        contest.take(play(batch, case))
        if contest.batch == ENDLESS and not contest.info.ends:
            return


def played(format_: str, count: int, seats: int = 2, rounds: int = 1, **options: Value) -> tuple[Format, list[list]]:
    """A whole contest without upsets: what it has become, and its batches as lists of seats, seed by seed.

    It is seeded in the order of entering, if nothing else is said.
    """
    if "seeding" in {option.name for option in all_formats()[format_].info.options} and "ratings" not in options:
        options = {"seeding": "order", **options}
    case = Case(format_, (seats, seats), rounds, bots(count), options, upsets=0)
    contest = case.make()
    return contest, [by_seed(batch) for batch in batches(case, contest)]


def by_seed(batch: Sequence[Fixture]) -> list[tuple[int, ...]]:
    """The seats of a batch's matches, those of one seed together."""
    seeds = list(dict.fromkeys(fixture.seed for fixture in batch))
    return [fixture.seats for fixture in sorted(batch, key=lambda fixture: seeds.index(fixture.seed))]
