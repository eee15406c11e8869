"""Comparison: is the first bot better than others? Matches until a test can decide.

A round is all matches of one seed. Each match has the candidate on one seat and baselines, in turn, on the others.
Every seating of a round is rotated until the candidate has had every seat: with two seats and one baseline, a round
is the pair of games of chess testing. With more baselines than seats, or with numbers that do not divide evenly, a
round has as many seatings as are needed for every baseline to play equally often.

There may be bots that candidate and baselines both play against, on the seats that are left: what the candidate
does against these does not count. Then candidate and baselines also change places among each other, so that whoever
sits next to whom favours nobody.

Matches are played in any order, by any number of workers. Rounds count in the order of their seeds, and no round
counts after the decision. So the decision depends on the seed and the bots alone.

A round is left out if one of its matches has no result: Dohyo itself was stopped for a time at every attempt, or an
operator annulled it. The bots cannot cause that, so omitting such rounds does not favour any bot.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import compress
from typing import Any

import msgspec

from dohyo.core.contest import Entrant, Fixture, Result
from dohyo.core.errors import OperatorError
from dohyo.core.options import Option, whole, yes_no
from dohyo.i18n import Message
from dohyo.series.formats.base import BY_SHARE, TABLE, Format, FormatInfo, Standing, Terms
from dohyo.series.formats.points import PointsCount, a_match
from dohyo.series.sequential import (
    Comparison,
    Hypotheses,
    Verdict,
    cluster_scores,
    estimate,
    pentanomial,
    share,
)

CANDIDATE = 0  # its number; baselines count from 1
BATCH = 1000  # fixtures: enough for many machines, so that these seldom wait for the last ones of a batch
MIN_WITH_OTHERS = 3  # seats: the candidate's, a baseline's, and one of a bot that both play against
MAX_LEFT_OUT = 100  # rounds in a row; more than that are an error: the machine is disturbed all the time


# --- what is known


class Conduct(msgspec.Struct):
    """A bot's faults by kind, in how many matches it had any, and how many of these it lost to another by score."""

    faults: Counter[str] = msgspec.field(default_factory=Counter)
    matches: int = 0
    lost: int = 0


class Part(msgspec.Struct):
    """How the candidate stands in a part of the matches: against one baseline, on one seat, or both.

    `won`, `tied` and `lost` count the opponents that were placed after, with and before it in these `matches`;
    `counts` says in how many rounds it had which score in them, from 0 to 1.
    """

    matches: int = 0
    won: int = 0
    tied: int = 0
    lost: int = 0
    counts: dict[float, int] = msgspec.field(default_factory=dict)

    @property
    def estimate(self) -> tuple[float, float, float, float]:
        """Elo, the ends of its 95 % interval, and the likelihood of superiority."""
        return estimate(self.counts)

    @property
    def share(self) -> tuple[float, float, float]:
        """The mean score, from 0 to 1, and the ends of its 95 % interval."""
        return share(self.counts)


class Against(Part):
    """How the candidate stands against one baseline.

    `seats` are its parts by the candidate's seat.
    """

    seats: tuple[Part, ...] = ()


class SoFar(msgspec.Struct):
    """What is known after the rounds that count.

    `against` has one item for each baseline, `conduct` one for each bot, the candidate's first; `pairs` is the
    pentanomial count, none where a round is not a pair of matches of two. `left_out` are the rounds that do not
    count, because Dohyo itself was stopped for a time. `seats` has one item for each seat that the candidate had.
    """

    verdict: Verdict
    matches: int
    pairs: tuple[int, int, int, int, int] | None
    against: tuple[Against, ...]
    conduct: tuple[Conduct, ...]
    left_out: int = 0
    seats: tuple[Part, ...] = ()

    @property
    def won(self) -> int:
        """How many opponents the candidate was placed before, summed over matches."""
        return sum(one.won for one in self.against)

    @property
    def tied(self) -> int:
        """How many opponents it shared a place with."""
        return sum(one.tied for one in self.against)

    @property
    def lost(self) -> int:
        """How many opponents were placed before it."""
        return sum(one.lost for one in self.against)


# --- who sits where


def seatings(baselines: int, seats: int, others: int = 0) -> list[tuple[int, ...]]:
    """Who has which seat in the matches of a round: the candidate has each seat, baselines play equally often.

    `others` bots, whose numbers come after the baselines', play equally often too, on the seats that are left; at
    least one is, of three or more.
    """
    own = seats - 1 if not others else max(1, min(baselines, seats - 2))  # seats of baselines
    rest = seats - 1 - own
    tables, found = baselines // math.gcd(baselines, own), []
    if others:
        tables = math.lcm(tables, others // math.gcd(others, rest))
    for table in range(tables):
        compared = (CANDIDATE, *(1 + (table * own + seat) % baselines for seat in range(own)))
        beside = tuple(1 + baselines + (table * rest + seat) % others for seat in range(rest))
        for shift in range(len(compared) if others else 1):
            seated = (*compared[shift:], *compared[:shift], *beside)
            found += [seated[-turn:] + seated[:-turn] for turn in range(seats)]
    return found


def _number(value: Any) -> float:
    """Read a finite number."""
    number = float(value)
    if isinstance(value, bool) or not math.isfinite(number):
        raise ValueError
    return number


USUAL = Hypotheses()
NUMBER, RATE = Message("takes.number"), Message("takes.between", {"least": 0, "most": 0.5})
TESTS = "tests"  # the option without which so many rounds are played, whatever comes of them


class Candidate(Format):
    """The first bot against the others, at most `rounds` times, until it is known whether it is better.

    `known` is what is known; `last` are the results of the round that was counted last, none if it was left out.
    """

    info = FormatInfo(
        "comparison",
        (
            Option("elo0", USUAL.elo0, NUMBER, "a lead of more than this counts as better, in Elo", _number),
            Option("elo1", USUAL.elo1, NUMBER, "it stops once the lead is surely less than this, in Elo", _number),
            Option("alpha", USUAL.alpha, RATE, "the chance of calling a bot better that is not", _number),
            Option("beta", USUAL.beta, RATE, "the chance of calling a bot not better that is", _number),
            Option("others", 0, Message("takes.bots"), "so many of the last bots only play along", whole(0, 1000)),
            Option(TESTS, True, "yes, no", "whether it stops once this is known; no: all rounds are played", yes_no),
            TABLE,
        ),
        waits=False,
        extends=True,
        counts_open_batch=True,
        streams=True,
        placed_by=BY_SHARE,
    )

    def __init__(self, terms: Terms) -> None:
        super().__init__(terms)
        wanted = terms.options
        self.others: int = wanted["others"]
        self.baselines = terms.entrants - 1 - self.others
        self.seats = _seats(terms, self.baselines, self.others)
        self.round = seatings(self.baselines, self.seats, self.others)  # of entrants, by match and seat
        hypotheses = Hypotheses(*(wanted[name] for name in Hypotheses.__struct_fields__))
        self._test = Comparison(hypotheses if wanted[TESTS] else None)
        self._heard: dict[int, tuple[Result, str]] = {}  # those that wait for their round, by number
        self._next = 0  # the first match of the next round that may count
        self._in_a_row = 0  # rounds left out since the last one that counted
        against = tuple(Against(seats=self._parts()) for _ in range(self.baselines))
        conduct = tuple(Conduct() for _ in range(terms.entrants))
        self.known = SoFar(self._test.verdict(), 0, self._pairs(), against, conduct, seats=self._parts())
        self.counted: Callable[[Sequence[Result], bool], None] = lambda results, counts: None
        self._tally = PointsCount()
        self._seed = lru_cache(BATCH)(self.seeds.of)

    @property
    def is_decided(self) -> bool:
        """Whether the test has decided, or no more rounds are allowed."""
        known = self.known
        return known.verdict.better is not None or known.verdict.clusters + known.left_out >= self.terms.rounds

    @property
    def enough(self) -> int | None:
        """The number of the first match of the rounds that do not count; none where more rounds may be allowed."""
        return None if self.known.verdict.better is None else self._next

    @property
    def waiting(self) -> list[Result]:
        """The results whose rounds are not complete, ascending by number."""
        return [played for _, (played, _) in sorted(self._heard.items())]

    def fixture(self, number: int, batch: int) -> Fixture:
        """The match of this number, in a batch."""
        at, match = divmod(number, len(self.round))
        return Fixture(batch, number, self.round[match], self._seed(at))

    def next(self, entrants: Sequence[Entrant]) -> list[Fixture]:
        """The next batch: so many whole rounds as make up `BATCH` fixtures; none where somebody is away."""
        self.enter(entrants)
        field = [entrant for entrant in entrants if entrant.number < self.terms.entrants]
        if self.is_decided or not all(entrant.plays_in(self.batch) for entrant in field):
            return []
        size = len(self.round)
        end = min(self.number + max(1, BATCH // size) * size, self.terms.rounds * size)
        return [self.fixture(number, self.batch) for number in range(self.number, end)]

    # --- counting

    def hear(self, played: Result, error: str = "") -> None:
        """Take note of a result."""
        if played.fixture.number >= self._next:
            self._heard[played.fixture.number] = (played, error)

    def advance(self) -> bool:
        """If the next round is complete, count or omit it."""
        numbers = range(self._next, self._next + len(self.round))
        if self.is_decided or not all(number in self._heard for number in numbers):
            return False
        heard = [self._heard[number] for number in numbers]
        open_ = [(played.fixture.number, error) for played, error in heard if not played.places]
        self._in_a_row = self._in_a_row + 1 if open_ else 0
        if self._in_a_row >= MAX_LEFT_OUT:
            number, error = open_[0]
            raise OperatorError("compare-match-failed", number=number, error=error)
        for number in numbers:
            del self._heard[number]
        self._next = numbers.stop
        played = [one for one, _ in heard]
        if open_:
            self.known.left_out += 1
        else:
            self._count(played)
        self.counted(played, not open_)
        return True

    def _count(self, played: Sequence[Result]) -> None:
        # The round alone, as if it were the first: the clusters before it are counted already.
        first = [self._compared(one, at) for at, one in enumerate(played)]
        verdict = self._test.take(cluster_scores(first, CANDIDATE, len(self.round)))
        known = self.known
        _note_opponents(played, known)
        for one in played:
            _note_faults(one, known.conduct)
        known.verdict, known.pairs, known.matches = verdict, self._pairs(), known.matches + len(played)

    def _compared(self, played: Result, number: int) -> Result:
        """The places of candidate and baselines in a match, under this number: others do not count."""
        counts = [entrant <= self.baselines for entrant in played.fixture.seats]
        seats, places = (tuple(compress(row, counts)) for row in (played.fixture.seats, played.places))
        return Result(msgspec.structs.replace(played.fixture, number=number, seats=seats), places)

    def _parts(self) -> tuple[Part, ...]:
        return tuple(Part() for _ in range(self.seats))

    def _pairs(self) -> tuple[int, int, int, int, int] | None:
        return pentanomial(self._test.counts) if len(self.round) == 2 else None

    # --- batches

    def take(self, results: Sequence[Result]) -> None:
        """Take in a whole batch; it may lack matches that were not needed."""
        if not self.entered or not results:
            raise ValueError("who is entered has to be told first, and a batch has a match at least")
        for played in results:
            fixture = played.fixture
            if fixture != self.fixture(fixture.number, self.batch):
                raise ValueError(f"not a match of batch {self.batch}: {fixture}")
            self.hear(played)
        while self.advance():
            """Each round that is complete."""
        self.batch += 1
        self.number = results[-1].fixture.number + 1
        self.sets = self.number // len(self.round)
        self._tally.add(results)

    def matches_in_all(self, sizes: Sequence[int]) -> int | None:
        """Known when it is decided."""
        return sum(sizes) if self.is_decided else None

    def standing(self, entrants: Sequence[Entrant], so_far: Sequence[Result] = ()) -> list[Standing]:
        """By points a match: a bot's share of the others in its match whom it was placed before."""
        remark = {CANDIDATE: "format.candidate"}
        return self._tally.plus(so_far).standing(entrants, a_match, lambda entrant: remark.get(entrant, ""))


def _seats(terms: Terms, baselines: int, others: int) -> int:
    """How many seats matches have: as many as there are bots, if the game allows that and nobody says otherwise."""
    fewest, most = max(2, terms.seats[0]), terms.seats[1]
    if most < 2:
        raise OperatorError("format-one-seat", format=terms.format)
    if baselines < 1:
        needed = 2 + others
        raise OperatorError("format-too-few", format=terms.format, entrants=terms.entrants, table=needed)
    seats: int = terms.options[TABLE.name] or min(max(fewest, terms.entrants), most)
    if not fewest <= seats <= most:
        key = "format-table-fixed" if fewest == most else "format-table"
        raise OperatorError(key, table=seats, fewest=fewest, most=most)
    if others and seats < MIN_WITH_OTHERS:
        raise OperatorError("compare-no-seat-left", seats=seats)
    return seats


def _note_opponents(played: Sequence[Result], known: SoFar) -> None:
    """Add a round's matches, and its score, to the parts of each baseline and each seat that it has any of."""
    met: dict[int, tuple[Part, list[int]]] = {}  # by the part's identity: halves of points
    for match in played:
        own_seat = match.fixture.seats.index(CANDIDATE)
        own, on_seat, in_match = match.places[own_seat], known.seats[own_seat], {}
        for entrant, place in zip(match.fixture.seats, match.places, strict=True):
            if entrant == CANDIDATE or entrant > len(known.against):
                continue
            one = known.against[entrant - 1]
            for part in (one, on_seat, one.seats[own_seat]):
                in_match[id(part)] = part
                part.won, part.tied, part.lost = (
                    part.won + (own < place),
                    part.tied + (own == place),
                    part.lost + (own > place),
                )
                met.setdefault(id(part), (part, []))[1].append(2 * (own < place) + (own == place))
        for part in in_match.values():
            part.matches += 1
    for part, halves in met.values():
        score = float(Fraction(sum(halves), 2 * len(halves)))
        part.counts[score] = part.counts.get(score, 0) + 1


def _note_faults(played: Result, conduct: Sequence[Conduct]) -> None:
    """Add the faults of a match; for a baseline on several seats, it still counts as one match with faults."""
    by_entrant: dict[int, Counter[str]] = {}
    lost = set()
    for entrant, place, kinds in zip(played.fixture.seats, played.places, played.faults, strict=False):
        if kinds:
            by_entrant.setdefault(entrant, Counter()).update(kinds)
            if place > min(played.places):
                lost.add(entrant)
    for entrant, kinds_of in by_entrant.items():
        conduct[entrant].faults.update(kinds_of)
        conduct[entrant].matches += 1
        conduct[entrant].lost += entrant in lost
