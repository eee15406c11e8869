"""The base class of all formats: what a format declares, the terms of a contest, and batches in and out.

Theory of operation
-------------------
A format's state depends only on complete batches of results. `next` changes nothing: called twice it returns the
same, and also after a restart, when the same batches have been taken in again. The entrants say who takes part in a
batch (`plays_in`), because they contain their whole history.

A format that `streams` looks at results as they come, too, and a batch of it is over as soon as it knows enough: it
`hear`s each result, `advance`s over what is complete, in the order of numbers, and `is_decided` says when no more are
needed. What was played in vain by then counts for nobody. Such matches are observations: they depend on nothing but
bots and seed, and a match that could not be observed is left out.

Matches come in sets: the same bots on the same seed, once in each seating. Sets are numbered from 0 through the whole
contest, and a set's seed determines its number (`seeds`), so that no seed comes twice.

Within a batch sets are played side by side, block by block: the first seating of each set of the block, then the
second of each, and so on. So if a contest is stopped in the middle, all have played about equally often, and most
seeds in all seatings (`evenness`).

A match that has no result, because of an error of ours, has no places. Formats with a fixed schedule accept such a
batch, and the match does not count until it has a result. Where results decide who meets, a batch is not taken before
all of its matches have one (`FormatInfo.waits`), or are annulled: an annulled one counts as level.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from typing import ClassVar, Final

import msgspec

from dohyo.core.contest import Entrant, Fixture, Result
from dohyo.core.errors import OperatorError
from dohyo.core.options import Option, Value, whole
from dohyo.i18n import Message
from dohyo.series.formats.brackets import Bracket
from dohyo.series.formats.hills import Hill
from dohyo.series.formats.seeds import Seeds
from dohyo.series.ratings.ladder_ratings import LadderRating

Seats = tuple[int, ...]  # entrants' numbers by seat
NumberedSet = tuple[int, Sequence[Seats]]


class Terms(msgspec.Struct, frozen=True):
    """The terms of a contest; see `formats.make`. `options` holds every option of the format."""

    format: str
    seats: tuple[int, int]
    rounds: int
    seed: int
    entrants: int
    options: dict[str, Value]

    def table(self, usual: int) -> int:
        """How many bots a match seats: the option `table`, or as near to `usual` as the game and the field allow.

        Raises `OperatorError` when the game does not seat so many, or there are not so many.
        """
        fewest, most = max(2, self.seats[0]), self.seats[1]
        if most < 2:
            raise OperatorError("format-one-seat", format=self.format)
        table: int = self.options.get("table") or max(fewest, min(most, usual, self.entrants))
        if not fewest <= table <= most:
            key = "format-table-fixed" if fewest == most else "format-table"
            raise OperatorError(key, table=table, fewest=fewest, most=most)
        if self.entrants < table:
            raise OperatorError("format-too-few", format=self.format, entrants=self.entrants, table=table)
        return table


class FormatInfo(msgspec.Struct, frozen=True):
    """What a format declares about itself: its name, its options, and its properties. No other code lists these.

    `joins`: bots may still enter while the contest runs. `ends`: it ends by itself. `waits`: the next batch is only
    drawn when every match of those before has a result. `extends`: a contest may be given more rounds than it began
    with; its matches so far are then the first ones of the longer contest. `counts_open_batch`: results of a batch
    that is not over count in the standing. `evens_out`: in the end all have played equally often, not before.
    `seats_all`: every match seats everybody who takes part.

    `passes_over`: who leaves or pauses does so at once, also in the batch that is played: its matches that have not
    begun are set aside.

    `streams`: results are looked at as they come, and it may end within a batch (see `Format.hear`). Bots then keep
    nothing from one match to the next, and an error that is not the machine's standing still ends the series.

    `listed`: an operator can choose it. Otherwise a command brings it, and says itself who takes part.

    `placed_by` says what decides places first: points, share (points a match), rounds, league or rating. `paired`
    says whether bots that seem equally strong meet; places then follow from the ratings fitted to all results.
    `draws` is what is drawn besides the table: bracket, hill or nothing (an empty word).

    `untold` are options that are kept for who goes on with the series, and are nothing for people.
    """

    name: str
    options: tuple[Option, ...]
    joins: bool = False
    ends: bool = True
    waits: bool = True
    extends: bool = False
    counts_open_batch: bool = False
    evens_out: bool = False
    seats_all: bool = False
    passes_over: bool = False
    streams: bool = False
    listed: bool = True
    placed_by: str = "points"
    paired: bool = False
    draws: str = ""
    untold: tuple[str, ...] = ()


BY_SHARE: Final = "share"  # of `FormatInfo.placed_by`: by points a match, where some play more than others
BY_LEAGUE: Final = "league"  # of `FormatInfo.placed_by`: places are counted within leagues
BY_RATING: Final = "rating"  # of `FormatInfo.placed_by`: by the lower end of the interval of a rating

TABLE = Option("table", 0, Message("takes.bots"), "bots a match, where the game leaves it open", whole(2, 1000))


class Standing(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where an entrant stands by a format's own rule.

    `place` counts from 1, equal ones shared. `points` is what the format counts, `tiebreaks` what decides between
    equal points, in order. `remark` is a key of the catalogues (or empty), whose {at} is `at`.
    """

    entrant: int
    place: int
    points: float
    matches: int = 0
    tiebreaks: tuple[float, ...] = ()
    remark: str = ""
    at: int = 0


class Format:
    """Who plays whom next: takes in whole batches of results, and draws the next batch from them.

    The same batches give the same next one on any machine. A subclass with an `info` is a format that can be chosen.

    `batch`, `number` and `sets` count what was taken in: batches, fixtures, sets. `has_gaps`: results of some matches
    were taken out, and not all have played as often.
    """

    info: ClassVar[FormatInfo]

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.batch = 0
        self.number = 0
        self.sets = 0
        self.entered = False
        self.has_gaps = False
        self.seeds = Seeds(terms.seed)

    @property
    def placed_by(self) -> str:
        """What decides places first: as in `FormatInfo`, unless who takes part changes it."""
        return self.info.placed_by

    def enter(self, entrants: Sequence[Entrant]) -> None:
        """Set the entrants. `next` does this; after a restart, call it before taking in the played batches."""
        self.entered = True

    def check_new(self) -> None:
        """Raise `OperatorError` for an option that would change nothing; contests that have begun are not asked."""

    def next(self, entrants: Sequence[Entrant]) -> list[Fixture]:
        """The next batch, in order; empty when the contest is over, or too few take part in it at present."""
        self.enter(entrants)
        sets = list(enumerate(self.draw(entrants), self.sets))
        return list(self.fixtures(self.blocks(sets)))

    def draw(self, entrants: Sequence[Entrant]) -> Iterable[Sequence[Seats]]:
        """The next batch's sets, each as its seatings."""
        raise NotImplementedError

    def blocks(self, sets: list[NumberedSet]) -> list[list[NumberedSet]]:
        """The batch's sets in groups that are played side by side, one group after the other."""
        return [sets]

    def here(self, entrants: Sequence[Entrant]) -> list[int]:
        """The entrants that take part in the next batch, in the order of entering."""
        return sorted(entrant.number for entrant in entrants if entrant.plays_in(self.batch))

    def fixtures(self, blocks: Iterable[Sequence[NumberedSet]]) -> Iterator[Fixture]:
        """The fixtures of blocks of sets: the first seating of each set in the block, then the second, and so on."""
        number = self.number
        for block in blocks:
            seeds = [self.seeds.of(at) for at, _ in block]
            for turn in range(max((len(seatings) for _, seatings in block), default=0)):
                for seed, (_, seatings) in zip(seeds, block, strict=True):
                    if turn < len(seatings):
                        yield Fixture(self.batch, number, seatings[turn], seed)
                        number += 1

    def take(self, results: Sequence[Result]) -> None:
        """Take in the whole batch's results, ascending by the fixture's number; `ValueError` when they are not."""
        if not self.entered or not results:
            raise ValueError("who is entered has to be told first, and a batch has a match at least")
        for number, played in enumerate(results, self.number):
            if played.fixture.batch != self.batch or played.fixture.number != number:
                raise ValueError(f"not the results of batch {self.batch}, in order: {played.fixture}")
        self.learn(results)
        self.batch += 1
        self.number += len(results)
        self.sets = self.after({self.seeds.number(played.fixture.seed) for played in results})

    def after(self, numbers: Set[int]) -> int:
        """The number of the next set, when sets of these numbers were taken in."""
        return 1 + max(numbers)

    def hear(self, played: Result, error: str = "") -> None:
        """Take note of a result of the batch that is played, in whatever order they come, if the format `streams`.

        One without places is a match that could not be observed, because of this `error`. One that was heard before
        changes nothing.
        """

    def advance(self) -> bool:
        """Count what has become complete by the results that were heard, one step; whether there was a step.

        Raises `OperatorError` if too many matches in a row could not be observed.
        """
        return False

    @property
    def is_decided(self) -> bool:
        """Whether no more results of the batch that is played are needed."""
        return False

    @property
    def enough(self) -> int | None:
        """The number of the first match that will never be needed; none if all of the batch are, or may be later."""
        return None

    def learn(self, results: Sequence[Result]) -> None:
        """Take from the batch's results what later decisions need."""
        raise NotImplementedError

    def standing(self, entrants: Sequence[Entrant], so_far: Sequence[Result] = ()) -> list[Standing]:
        """Every entrant's standing, best first.

        `so_far` are results of the batch that is not over; they count only with `FormatInfo.counts_open_batch`.
        """
        raise NotImplementedError

    def matches_in_all(self, sizes: Sequence[int]) -> int | None:
        """How many matches the contest has in all, when its batches so far had so many; none if that is not known.

        Call `enter` first.
        """
        return None

    def rating(self, entrant: int) -> LadderRating | None:
        """An entrant's rating for pairing; None if matches are not paired by ratings."""
        return None

    def bracket(self, entrants: Sequence[Entrant], so_far: Iterable[Result] = ()) -> Bracket | None:
        """The bracket as it stands, `so_far` being results of the batch that is not over; none if it draws none."""
        return None

    def hill(self, results: Iterable[Result]) -> Hill | None:
        """Who was first after each match, from all results in order; none if it draws no hill."""
        return None


def rotations(table: Seats) -> list[Seats]:
    """The table's bots once from each seat: the first seating turned on, seat by seat."""
    return [table[at:] + table[:at] for at in range(len(table))]
