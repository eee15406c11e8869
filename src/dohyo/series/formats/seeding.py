"""Who is seeded where, and who goes on in a tie: by lot, by ratings, or in the order of entering."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from dohyo.core.contest import Entrant, Result
from dohyo.core.errors import OperatorError
from dohyo.core.options import Option, Value, one_of, one_word
from dohyo.core.seeds import derived
from dohyo.series.formats.base import Format, NumberedSet, Seats, Terms, rotations
from dohyo.series.formats.brackets import BYE, LATER, OPEN, OVER, Pairing, Slot, is_level
from dohyo.series.formats.named import NUMBERS, number_of
from dohyo.series.formats.points import tables

Series = dict[frozenset[int], dict[int, int]]  # who met whom in a batch, and the credit of each
Rank = tuple[float, int, int]  # the least is seeded first

MAX_SETS = 1_000_000  # of a batch
WAYS = ("lot", "rating", "order")


def numbers(value: Value) -> tuple[float, ...] | dict[str, float]:
    """Read ratings: numbers in the order of entering, or by name; a list or a table, or separated by commas."""
    if isinstance(value, Mapping):
        found = {str(name): _number(part) for name, part in value.items()}
        return found or ()
    parts = value.split(",") if isinstance(value, str) else value
    if all(isinstance(part, str) and "=" in part for part in parts):
        return numbers({name.strip(): part for name, _, part in (each.rpartition("=") for each in parts)})
    return tuple(_number(part) for part in parts)


def _number(value: Value) -> float:
    number = float(value)
    if not math.isfinite(number):
        raise ValueError
    return number


RATINGS = Option("ratings", (), NUMBERS, "of the seeds", numbers)
SEEDING = Option("seeding", None, one_word(WAYS), "who is seeded first, and goes on in a tie", one_of(*WAYS))


class Seeding:
    """The seeding of one contest. `way` is lot, rating or order.

    Lots are keyed hashes of the contest's seed, so that a bot's lot does not depend on the other bots. With ratings,
    bots without one come after those that have one, and equal ones are ordered by lot.
    """

    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self._ratings: tuple[float, ...] | dict[str, float] = terms.options["ratings"]
        self.way: str = terms.options["seeding"] or ("rating" if self._ratings else "lot")
        if isinstance(self._ratings, tuple) and self._ratings and len(self._ratings) != terms.entrants:
            raise OperatorError("format-ratings", given=len(self._ratings), entrants=terms.entrants)
        if (self.way == "rating") != bool(self._ratings):
            key = "format-seeding-idle" if self._ratings else "format-seeding-ratings"
            raise OperatorError(key, way=self.way)
        self._known: dict[int, float] | None = None

    def enter(self, entrants: Sequence[Entrant]) -> None:
        """Raises `OperatorError` when a rating is of none of those who were there at the start."""
        if isinstance(self._ratings, tuple):
            self._known = dict(enumerate(self._ratings))
        else:
            first = [entrant for entrant in entrants if entrant.number < self._terms.entrants]
            self._known = {number_of("ratings", name, first): own for name, own in self._ratings.items()}

    def rank(self, bot: int) -> Rank:
        """What bots are seeded by: the least first."""
        if self._known is None and self.way == "rating":
            raise ValueError("who is entered has to be told first")
        rating = (self._known or {}).get(bot, -math.inf) if self.way == "rating" else 0.0
        lot = derived(self._terms.seed, "seeding", bot) if self.way != "order" else 0
        return -rating, lot, bot

    @property
    def ties_by(self) -> str:
        """What `tie` goes by: lot or rating."""
        return "rating" if self.way == "rating" else "lot"

    def tie(self, batch: int, bot: int) -> Rank:
        """What decides between equal ones in a batch: the least goes on. By ratings the better, otherwise a lot."""
        if self.way == "rating":
            return self.rank(bot)
        return 0.0, derived(self._terms.seed, "tie", batch, bot), bot


class InSeries(Format):
    """A batch is a round of series of `count` seeds each, at tables of `size`; a seed is played once from every seat.

    `history` has each round's series.
    """

    def __init__(self, terms: Terms, size: int, count: int) -> None:
        super().__init__(terms)
        self.size, self.count = size, count
        self.history: list[Series] = []
        self.seeding = Seeding(terms)

    def enter(self, entrants: Sequence[Entrant]) -> None:
        """Whose rating is which, where ratings have names."""
        super().enter(entrants)
        self.seeding.enter(entrants)

    def series(self, drawn: Sequence[Seats]) -> list[list[Seats]]:
        """The sets of the series between these, seed by seed: all have soon played about equally often.

        Raises `OperatorError` for more than a batch can be made of: a store or a bundle of a stranger may ask for
        them.
        """
        if len(drawn) * self.count > MAX_SETS:
            raise OperatorError("format-rounds", rounds=self.count, most=MAX_SETS // len(drawn))
        return [rotations(table) for _ in range(self.count) for table in drawn]

    def blocks(self, sets: list[NumberedSet]) -> list[list[NumberedSet]]:
        """One of each series: a block for each seed of theirs."""
        size = max(1, len(sets) // self.count)
        return [sets[start : start + size] for start in range(0, len(sets), size)]

    def learn(self, results: Sequence[Result]) -> None:
        """Who met whom, and the credit of each."""
        self.history.append(tables(results))

    def matches(self, bot: int) -> int:
        """How many matches a bot has played."""
        return sum(bot in table for played in self.history for table in played) * self.size * self.count


class Elimination(InSeries):
    """A bot that loses a series of `rounds` seeds is out, or nearly so.

    The field is who takes part in the first batch. Equal in a series, a lot decides; where bots are seeded by
    ratings, the better seeded goes on (see `Seeding`).
    """

    def __init__(self, terms: Terms, size: int) -> None:
        super().__init__(terms, size, terms.rounds)

    def field(self, entrants: Sequence[Entrant]) -> list[int]:
        """Who plays at all, the best seeded first."""
        self.seeding.enter(entrants)
        here = [
            entrant.number for entrant in entrants if entrant.plays_in(0) and entrant.number < self.terms.entrants
        ]
        return sorted(here, key=self.seeding.rank)


class Drawing:
    """Makes pairings of an elimination's bracket: seeds, and what each series has come to."""

    def __init__(self, contest: Elimination, entrants: Sequence[Entrant], so_far: Iterable[Result]) -> None:
        self._seeds = {bot: at for at, bot in enumerate(contest.field(entrants), 1)}
        known = [played for played in so_far if played.places]
        self._series = [*contest.history, tables(known)]
        self._counts = Counter(frozenset(played.fixture.seats) for played in known)
        self._batches = len(contest.history)
        self._matches = contest.count * contest.size

    def slot(self, bot: int | None, source: int | None, beaten: float = 0.0, goes_on: bool = False) -> Slot:
        """A bot's place; without a bot, it is not known yet whose it is."""
        return Slot(bot, self._seeds.get(bot, 0) if bot is not None else 0, beaten, goes_on, source)

    def pairing(self, bots: Sequence[tuple[int | None, int | None]], batch: int, on: Sequence[int]) -> Pairing:
        """A pairing that is played, was played or will be: who, each from where, and who of them goes `on`."""
        known = frozenset(bot for bot, _ in bots if bot is not None)
        if batch > self._batches or len(known) < len(bots):
            return Pairing(tuple(self.slot(*each) for each in bots), LATER, None, 0, self._matches)
        credit = self._series[batch].get(known, {})
        slots = tuple(self.slot(bot, source, credit.get(bot or 0, 0) / 2, bot in on) for bot, source in bots)
        if batch < self._batches:
            return Pairing(slots, OVER, batch, self._matches, self._matches, is_level(slots))
        return Pairing(slots, OPEN, batch, self._counts[known], self._matches)

    def alone(self, bot: int | None, source: int | None, state: str) -> Pairing:
        """A pairing in which nobody plays."""
        return Pairing((self.slot(bot, source, 0.0, state == BYE),), state)
