"""Did a bot improve? Candidate and baselines play the same seeds with the seats changed about, until a test knows.

A round is all matches of one seed. Each has the candidate on one seat and baselines on the others, in turn, and every
seating of a round is turned until the candidate has sat everywhere: for two seats a round against one baseline is
the pair of chess testing. With more baselines than seats, or numbers that do not divide, a round has as many
seatings as it takes for every baseline to sit equally often.

Matches are played in any order, by any number of workers; rounds count in the order of their seeds, and none after
the decision. So what is decided is a function of the seed and the bots.

A round with a match in which Dohyo itself stood still at every attempt is left out. Nothing that the bots do makes
that happen, so the rounds that remain are as fair as all of them.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from fractions import Fraction
from typing import Any

import msgspec

from dohyo.app.executors import Executor, MatchOrder, MatchReport
from dohyo.app.play import MOST_SEED, find_bots
from dohyo.app.revisions import find_revision, is_revision
from dohyo.bots import Bot
from dohyo.contest.fixtures import Fixture, Played
from dohyo.contest.formats.seeds import Seeds
from dohyo.contest.sequential import Comparison, Hypotheses, Verdict, cluster_scores, estimate, pentanomial
from dohyo.core.clock import Clock, Mode
from dohyo.core.errors import OperatorError
from dohyo.core.game import Game
from dohyo.core.options import resolve
from dohyo.sandbox import Sandbox

CANDIDATE = 0  # its number; baselines count from 1
TRACE = "Traceback"  # how the error of a report begins that is a defect of ours
MOST_LEFT_OUT = 100  # rounds in a row, before that is an error: a machine that is always so plays nothing


class Terms(msgspec.Struct, frozen=True):
    """On what terms bots are compared: as for a match, on so many `seats`; `rounds` at most (none: no limit)."""

    seed: int = 0
    seats: int = 2
    setup: dict[str, Any] = {}
    clock: Clock | None = None
    mode: Mode | None = None  # of the game's usual clock, where there is no other
    sandbox: str = "auto"
    pondering: bool = False
    hypotheses: Hypotheses = Hypotheses()
    rounds: int | None = None


class Conduct(msgspec.Struct):
    """A bot's faults by kind, in how many matches it had any, and how many of these it lost to somebody by score."""

    faults: Counter[str] = msgspec.field(default_factory=Counter)
    matches: int = 0
    lost: int = 0


class Against(msgspec.Struct):
    """How the candidate stands against one baseline.

    `won`, `tied` and `lost` count that baseline's seats by match, in the `matches` in which it sat; `counts` tells in
    how many rounds the candidate had which score against it, from 0 to 1.
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


class Known(msgspec.Struct):
    """What is known after the rounds that count.

    `against` has one part a baseline, `conduct` one a bot, the candidate's first; `pairs` is the pentanomial count,
    none where a round is no pair of matches of two. `left_out` are the rounds that do not count, because Dohyo itself
    stood still.
    """

    verdict: Verdict
    matches: int
    pairs: tuple[int, int, int, int, int] | None
    against: tuple[Against, ...]
    conduct: tuple[Conduct, ...]
    left_out: int = 0

    @property
    def won(self) -> int:
        """How many opponents the candidate stood before, by match."""
        return sum(one.won for one in self.against)

    @property
    def tied(self) -> int:
        """How many opponents it shared a place with."""
        return sum(one.tied for one in self.against)

    @property
    def lost(self) -> int:
        """How many opponents stood before it."""
        return sum(one.lost for one in self.against)


def find_compared(
    game: Game, candidate: str, baselines: Sequence[str], python: str | None, sandbox: Sandbox
) -> list[Bot]:
    """The candidate and the baselines, built; one of a revision is called NAME@REV.

    Raises `OperatorError` for a word that means no bot, or no revision.
    """
    revisions = {spec: find_revision(spec, candidate) for spec in baselines if is_revision(spec)}
    specs = [candidate, *(revisions[spec].path if spec in revisions else spec for spec in baselines)]
    found = find_bots(game, specs, python, sandbox)
    names = [
        f"{bot.name}@{revisions[spec].label}" if spec in revisions else bot.name
        for spec, bot in zip([candidate, *baselines], found, strict=True)
    ]
    return [msgspec.structs.replace(bot, name=name) for bot, name in zip(found, names, strict=True)]


def seats_of(game: Game, baselines: int, wanted: int | None = None) -> int:
    """How many seats matches have: as wanted; else as many as there are bots, where the game can be played so.

    Raises `OperatorError` for a number that the game does not take, or that leaves the candidate alone.
    """
    fewest, most = max(2, game.seats[0]), game.seats[1]
    if most < 2:
        raise OperatorError("compare-one-seat", game=game.name)
    if wanted is None:
        return min(max(fewest, 1 + baselines), most)
    if not fewest <= wanted <= most:
        takes = str(fewest) if fewest == most else f"{fewest} - {most}"
        raise OperatorError("compare-seats", game=game.name, takes=takes, given=wanted)
    return wanted


def seatings(baselines: int, seats: int) -> list[tuple[int, ...]]:
    """Who sits where in the matches of a round: the candidate on every seat, each baseline equally often."""
    others = seats - 1
    found = []
    for table in range(baselines // math.gcd(baselines, others)):
        seated = (CANDIDATE, *(1 + (table * others + seat) % baselines for seat in range(others)))
        found += [seated[-turn:] + seated[:-turn] for turn in range(seats)]
    return found


class Trial:
    """A comparison as it is played. `found` holds the candidate and the baselines, built; see `check` for `terms`."""

    def __init__(self, game: Game, found: Sequence[Bot], terms: Terms) -> None:
        self.check(game, terms)
        self.game, self.bots, self.terms = game, found, terms
        self.round = seatings(len(found) - 1, terms.seats)  # of entrants, by match and seat
        self._seeds = Seeds(terms.seed)
        self._test = Comparison(terms.hypotheses)
        self._reported: dict[int, MatchReport] = {}  # those that wait for their round, by number
        self._next = 0  # the first match of the next round that is to count
        self._in_a_row = 0  # rounds left out since the last one that counted
        against, conduct = tuple(Against() for _ in self.bots[1:]), tuple(Conduct() for _ in self.bots)
        self._known = Known(self._test.verdict(), 0, self._pairs(), against, conduct)

    @staticmethod
    def check(game: Game, terms: Terms) -> None:
        """Raise `OperatorError` for a seed, a number of rounds or a setup that cannot be."""
        if not 0 <= terms.seed <= MOST_SEED:
            raise OperatorError("bad-seed", seed=terms.seed, most=MOST_SEED)
        if terms.rounds is not None and terms.rounds < 1:
            raise OperatorError("compare-rounds", given=terms.rounds)
        resolve(game.options, terms.setup, game.catalogue)

    @property
    def known(self) -> Known:
        """What is known so far."""
        return self._known

    @property
    def is_decided(self) -> bool:
        """Whether the test knows, or may ask for no more."""
        known = self._known
        return known.verdict.better is not None or known.verdict.clusters + known.left_out == self.terms.rounds

    def play(self, executor: Executor) -> Iterator[Known]:
        """Play until the test knows; what is known, after each round that counts or is left out.

        Raises `OperatorError` for a match that cannot be played, and for too many rounds in a row that are left out.
        """
        with closing(executor.play(self._orders())) as reports:  # type: ignore[type-var]
            for report in reports:
                self._reported[int(report.key)] = report
                while not self.is_decided and self._count():
                    yield self._known
                if self.is_decided:
                    return

    def _orders(self) -> Iterator[MatchOrder]:
        terms, number = self.terms, 0
        while terms.rounds is None or number < terms.rounds * len(self.round):
            fixture = self._fixture(number)
            yield MatchOrder(
                str(number),
                self.game.name,
                tuple(self.bots[entrant] for entrant in fixture.seats),
                fixture.seed,
                setup=terms.setup,
                clock=terms.clock,
                mode=terms.mode,
                sandbox=terms.sandbox,
                pondering=terms.pondering,
            )
            number += 1

    def _fixture(self, number: int) -> Fixture:
        at, match = divmod(number, len(self.round))
        return Fixture(at, number, self.round[match], self._seeds.of(at))

    def _count(self) -> bool:
        """Let the next round count, or leave it out, if it is whole; whether it was."""
        numbers = range(self._next, self._next + len(self.round))
        if not all(number in self._reported for number in numbers):
            return False
        reports = [self._reported.pop(number) for number in numbers]
        self._next = numbers.stop
        self._in_a_row = self._in_a_row + 1 if any(report.disturbed for report in reports) else 0
        for number, report in zip(numbers, reports, strict=True):
            self._look_at_error(number, report)
        if self._in_a_row:
            self._known.left_out += 1
            return True
        played = [self._played(number, report) for number, report in zip(numbers, reports, strict=True)]
        # The round alone, as if it were the first: the clusters before it have been taken in.
        first = [
            msgspec.structs.replace(one, fixture=msgspec.structs.replace(one.fixture, number=at))
            for at, one in enumerate(played)
        ]
        verdict = self._test.take(cluster_scores(first, CANDIDATE, len(self.round)))
        known = self._known
        _note_opponents(played, known.against)
        for one in played:
            _note_faults(one, known.conduct)
        known.verdict, known.pairs, known.matches = verdict, self._pairs(), known.matches + len(played)
        return True

    def _look_at_error(self, number: int, report: MatchReport) -> None:
        """Raise what ends the comparison; that Dohyo itself stood still does so only when it does not stop."""
        if report.error.startswith(TRACE) and not report.mend:
            raise RuntimeError(f"match {number}\n{report.error}")
        if report.error and (not report.disturbed or self._in_a_row == MOST_LEFT_OUT):
            raise OperatorError("compare-match-failed", number=number, error=report.error)

    def _played(self, number: int, report: MatchReport) -> Played:
        scores = tuple(float(score) for score in report.scores)
        return Played(self._fixture(number), report.places, scores, report.faults)

    def _pairs(self) -> tuple[int, int, int, int, int] | None:
        return pentanomial(self._test.counts) if len(self.round) == 2 else None


def _note_opponents(played: Sequence[Played], against: Sequence[Against]) -> None:
    """Add a round's matches, and its score against each baseline: every one sits in it, all equally often."""
    halves, met = [0] * len(against), [0] * len(against)
    for match in played:
        own = match.places[match.fixture.seats.index(CANDIDATE)]
        for entrant, place in zip(match.fixture.seats, match.places, strict=True):
            if entrant != CANDIDATE:
                at, one = entrant - 1, against[entrant - 1]
                one.won, one.tied, one.lost = (
                    one.won + (own < place),
                    one.tied + (own == place),
                    one.lost + (own > place),
                )
                halves[at], met[at] = halves[at] + 2 * (own < place) + (own == place), met[at] + 1
        for entrant in {*match.fixture.seats} - {CANDIDATE}:
            against[entrant - 1].matches += 1
    for one, points, times in zip(against, halves, met, strict=True):
        score = float(Fraction(points, 2 * times))
        one.counts[score] = one.counts.get(score, 0) + 1


def _note_faults(played: Played, conduct: Sequence[Conduct]) -> None:
    """Add the faults of a match; a baseline that sits on several seats has misbehaved in one match."""
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


def same_program(found: Sequence[Bot]) -> list[int]:
    """The numbers of baselines that are the very program that the candidate is."""
    return [at for at, bot in enumerate(found) if at != CANDIDATE and bot.digest == found[CANDIDATE].digest]


def labels(found: Sequence[Bot]) -> list[str]:
    """What to call the bots: their names, with a number where several share one."""
    names = [bot.name for bot in found]
    return [
        name if names.count(name) == 1 else f"{name} ({names[: at + 1].count(name)})" for at, name in enumerate(names)
    ]


def decision(verdict: Verdict) -> str:
    """The decision as a word: better, not-better or undecided."""
    return "undecided" if verdict.better is None else "better" if verdict.better else "not-better"
