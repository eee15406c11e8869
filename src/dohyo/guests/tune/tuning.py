"""A tuning as it is played: generations of candidates, each the same bot with other values of its parameters.

Theory of operation
-------------------
The first generation is spread evenly over the space. Each further one is chosen by a model of all results so far
(`model.py`), for what it will tell about where the best place is. All candidates of a generation play one round
each, on the same seed and against the same opponents: a round is as in `series/compare.py`, so that every candidate
has had every seat. A generation is played to its end before the next is chosen, so the result depends on the seed and
on what the bots do, and not on how many workers there were.

The generations are a series of a format of their own (`generations.py`), which the loop of all series plays.
Candidates and matches go into a record (`record.py`) as they come. Whoever resumes a tuning takes from there what is
there: candidates are not chosen again, matches not played again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from dohyo.bots import Bot
from dohyo.core import parameters
from dohyo.core.contest import Result
from dohyo.core.errors import OperatorError
from dohyo.core.game import Game
from dohyo.core.seeds import derived
from dohyo.executors import Executor
from dohyo.guests.tune.generations import OPPONENTS, QUESTION, ROUNDS, Generations
from dohyo.guests.tune.model import Array, Model, np
from dohyo.guests.tune.record import TUNE, CandidateSeries, Record, Values
from dohyo.guests.tune.space import Parameter, places_of, values_along, values_at
from dohyo.series.formats.comparison import CANDIDATE, seatings
from dohyo.series.sequential import cluster_scores
from dohyo.series.spec import MatchTerms

FIRST, FIRST_MORE = 8, 4  # candidates of the first generation: so many, and so many more for each parameter
MAX_BATCH = 500
MAX_MATCHES = 100_000
MAX_MODELLED = 1200  # rounds: the model's time grows with their number to the third power
GROWS = 10  # a generation is at least this part of the rounds so far: one more result says ever less
MOST_GROWN = 100  # candidates of a generation that has grown
MAX_LEFT_OUT = 100  # rounds that were disturbed
FINE = 41  # values of a number along a curve
SQUARES = 25  # along each side of a surface
EDGE = 1e-3  # by so much may rounding take a value's place out of its range
LONGEST_VALUE = 40  # characters of a value in a record


class Terms(MatchTerms, frozen=True):
    """On what terms candidates play: `matches` in all, `batch` candidates in a generation."""

    matches: int = 500
    batch: int = 10


class Tried(msgspec.Struct, frozen=True):
    """A candidate's round: its values, the generation, and its score from 0 to 1."""

    values: Values
    generation: int
    score: float


class Best(msgspec.Struct, frozen=True):
    """The values that are thought best, the score that is expected with them, and half of its 95 % interval."""

    values: Values
    score: float
    wide: float


class Tuning:
    """`bot` with parameters from `space` is tuned against `opponents`; all are built.

    `tried` are all rounds that count, in order; `best` is what is known now (none before the first generation);
    `faults` are the candidates' by kind, `opponents_faults` the others'.
    """

    def __init__(
        self,
        game: Game,
        bot: Bot,
        opponents: Sequence[Bot],
        space: Sequence[Parameter],
        terms: Terms,
        record: Record,
        *,
        plays_itself: bool = False,
    ) -> None:
        """With `plays_itself` the only opponent is the bot with its defaults, against which these score one half."""
        self.round = seatings(len(opponents), terms.seats)
        terms.check(game)
        if not 1 <= terms.batch <= MAX_BATCH:
            raise OperatorError("tune-batch", given=terms.batch, most=MAX_BATCH)
        fewest = 2 * len(self.round) * FIRST
        if not fewest <= terms.matches <= MAX_MATCHES:
            raise OperatorError("tune-matches", given=terms.matches, fewest=fewest, most=MAX_MATCHES)
        self.game, self.bot, self.opponents = game, bot, opponents
        self.space, self.terms, self.record = tuple(space), terms, record
        self.tried: list[Tried] = []
        self._found: Values | None = None
        self._best: Best | None = None
        self.faults: Counter[str] = Counter()
        self.opponents_faults: Counter[str] = Counter()
        self.matches = self.left_out = self.generations = 0
        self.even: Values | None = None  # values whose expected score is one half, as is known without a match
        if plays_itself and all(one.default for one in space):
            self.even = {one.name: one.default for one in space}
        self._learned = 0  # the generations of which the model knows
        self._series: CandidateSeries | None = None
        self.model = Model([len(one.words) for one in space])

    @property
    def rounds(self) -> int:
        """How many rounds there are in all."""
        return self.terms.matches // len(self.round)

    @property
    def is_over(self) -> bool:
        """Whether all rounds were played."""
        return len(self.tried) + self.left_out >= self.rounds

    def candidate(self, values: Values) -> Bot:
        """The bot with these values."""
        return self.bot.given(parameters.words(values))

    def play(self, executor: Executor) -> Iterator[Tuning]:
        """Play what is left; yields this after each match, and after each generation, when `best` may be new.

        Of generations that the record has, nothing is learned until the first match that is to be played.

        Raises `OperatorError` for a match that cannot be played, and if too many rounds are disturbed.
        """
        done = number = 0
        series = self._series = self._series or self.series(TUNE, self.terms.seed, whole=True)
        while done < self.rounds:
            chosen = self._generation(series, number, self.rounds - done)
            played, complete = series.progress(number)
            if complete:
                self.matches += played
                yield self
            else:
                for _ in series.play(executor, number, self.candidate):
                    self.matches += 1
                    yield self
            self._count(number, chosen, series.results(number))
            done, number = done + len(chosen), number + 1
            self.generations = number
            if done >= self.rounds or not series.progress(number)[1]:
                self._learn(number)
            yield self
        series.end()

    def series(self, name: str, seed: int, whole: bool) -> CandidateSeries:
        """A series of candidates against the opponents; each plays a `whole` round, or one match."""
        terms, known = msgspec.structs.replace(self.terms, seed=seed), self.record.question
        question = "" if known is None else msgspec.json.encode(known).decode()
        options = {ROUNDS: whole, OPPONENTS: len(self.opponents), QUESTION: question}
        spec = terms.spec(self.game, Generations.info.name, self.rounds, options)
        return CandidateSeries(self.record, name, self.game, spec, self.opponents)

    # --- who plays

    def _generation(self, series: CandidateSeries, number: int, most: int) -> list[Values]:
        """The candidates of a generation, from the record if it has them."""
        stored = series.values(number)
        if stored is None:
            stored = self._choose(number, most)
            series.enter(number, stored, self.bot)
        if not all(self._is_candidate(values) for values in stored):  # all of them play, though `most` are counted
            raise OperatorError("tune-store-differs", path=self.record.path, what="parameters")
        return stored[:most]

    def _is_candidate(self, values: Values) -> bool:
        """Whether these are values of the parameters: a record may have been written by anybody."""
        try:
            places = places_of(self.space, values)
        except (KeyError, ValueError):
            return False
        short = all(len(value) <= LONGEST_VALUE for value in values.values())
        inside = all(one.words or -EDGE <= place <= 1 + EDGE for one, place in zip(self.space, places, strict=True))
        return len(values) == len(self.space) and short and inside

    def _choose(self, number: int, most: int) -> list[Values]:
        if number == 0:
            count = min(FIRST + FIRST_MORE * len(self.space), most, self.rounds // 2)
            return [values_at(self.space, row) for row in spread_evenly(self.space, count)]
        grown = min(len(self.tried) // GROWS, MOST_GROWN)
        count = min(max(self.terms.batch, grown), most)
        rows = self.model.next_points(count, self._draw(number), self._snap)
        return [values_at(self.space, row) for row in rows]

    def _snap(self, rows: Array) -> Array:
        """The places of the values that a bot would be given there."""
        return np.array([places_of(self.space, values_at(self.space, row)) for row in rows])

    def _draw(self, number: int) -> Any:
        return np.random.default_rng([derived(self.terms.seed, "tune", number)])

    # --- matches

    def _count(self, number: int, chosen: Sequence[Values], results: Sequence[Result]) -> None:
        """Take in the rounds of a generation; one with a disturbed match says nothing."""
        size = len(self.round)
        for at, values in enumerate(chosen):
            matches = results[at * size : (at + 1) * size]
            if any(not one.places for one in matches):
                self.left_out += 1
                if self.left_out > MAX_LEFT_OUT:
                    raise OperatorError("match-disturbed", seconds="?", tries=MAX_LEFT_OUT)
                continue
            own = [self._as_round(one, match) for match, one in enumerate(matches)]
            (score,) = cluster_scores(own, CANDIDATE, size)
            self.tried.append(Tried(values, number, score))
            self._count_faults(own)

    def _as_round(self, played: Result, match: int) -> Result:
        """The match of a candidate's round, as if there were no other candidates."""
        fixture = msgspec.structs.replace(played.fixture, number=match, seats=self.round[match])
        return msgspec.structs.replace(played, fixture=fixture)

    def _count_faults(self, results: Iterable[Result]) -> None:
        for one in results:
            for entrant, kinds in zip(one.fixture.seats, one.faults, strict=False):
                (self.faults if entrant == CANDIDATE else self.opponents_faults).update(kinds)

    def _learn(self, number: int) -> None:
        """Fit the model to all that was tried, and say what is best now."""
        if not self.tried:
            raise OperatorError("match-disturbed", seconds="?", tries=self.left_out)
        tried = self.tried[-MAX_MODELLED:]
        points = np.array([places_of(self.space, one.values) for one in tried])
        scores, seeds = (np.array([getattr(one, name) for one in tried]) for name in ("score", "generation"))
        even = np.array(places_of(self.space, self.even)) if self.even else None
        self.model.fit(points, scores, seeds, even)
        self._found = self._best = None
        self._learned = number

    @property
    def found(self) -> Values | None:
        """The values that are thought best now: reckoned when they are asked for. None before anything is known."""
        if self._found is None and self._learned:
            self._found = values_at(self.space, self.model.settled(self._draw(-self._learned)).tolist())
        return self._found

    @property
    def best(self) -> Best | None:
        """The values that are thought best now, and what is expected of them; none before anything is known."""
        if self._best is None and self.found is not None:
            self._best = self.expected(self.found)
        return self._best

    def expected(self, values: Values) -> Best:
        """The score that is expected with these values."""
        point = np.array([places_of(self.space, values)])
        (mean,), (error,) = (known.tolist() for known in self.model.believed(point))
        return Best(values, min(max(mean, 0.0), 1.0), 1.96 * error)


def spread_evenly(space: Sequence[Parameter], count: int) -> list[list[float]]:
    """So many places, spread evenly over the space: a sequence of the golden ratio's kind in so many dimensions."""
    ratio = 2.0
    for _ in range(60):
        ratio = (1 + ratio) ** (1 / (len(space) + 1))
    rows = []
    for at in range(1, count + 1):
        row = [(0.5 + at * ratio ** -(axis + 1)) % 1 for axis in range(len(space))]
        rows.append(
            [
                float(int(place * len(one.words))) if one.words else one.place(one.value(place))
                for one, place in zip(space, row, strict=True)
            ]
        )
    return rows


# --- what is shown of a tuning: how the expected score changes with one parameter, and with two


class Point(msgspec.Struct, frozen=True):
    """A value, its place, the expected score there, and half of that score's 95 % interval."""

    value: str
    place: float
    score: float
    wide: float


def curve(tuning: Tuning, axis: int, count: int = FINE) -> list[Point]:
    """The expected score along one parameter, the others at their best values."""
    assert tuning.best is not None
    one = tuning.space[axis]
    values = values_along(one, count)
    rows = np.array([places_of(tuning.space, tuning.best.values)] * len(values))
    rows[:, axis] = [one.place(value) for value in values]
    means, errors = tuning.model.believed(rows)
    return [
        Point(value, float(row[axis]), float(min(max(mean, 0), 1)), 1.96 * float(error))
        for value, row, mean, error in zip(values, rows, means, errors, strict=True)
    ]


def surface(tuning: Tuning, across: int, up: int) -> list[list[float]]:
    """The expected score over two numbers, the others at their best values: rows from low to high."""
    assert tuning.best is not None
    places = (np.arange(SQUARES) + 0.5) / SQUARES
    rows = np.array([places_of(tuning.space, tuning.best.values)] * SQUARES**2)
    rows[:, across], rows[:, up] = np.tile(places, SQUARES), np.repeat(places, SQUARES)
    return tuning.model.mean(rows).clip(0, 1).reshape(SQUARES, SQUARES).tolist()


def numbers(tuning: Tuning) -> list[int]:
    """Which parameters are numbers, those that change the expected score most first."""
    axes = [axis for axis, one in enumerate(tuning.space) if not one.words]
    return sorted(axes, key=lambda axis: -reach(tuning, axis))


def reach(tuning: Tuning, axis: int) -> float:
    """By how much the expected score changes along a parameter."""
    scores = [point.score for point in curve(tuning, axis, 11)]
    return max(scores) - min(scores)
