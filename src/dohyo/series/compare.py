"""Did a bot improve? Candidate and baselines play the same seeds on changing seats, until a test can decide.

A round is all matches of one seed. Each match has the candidate on one seat and baselines, in turn, on the others.
Every seating of a round is rotated until the candidate has had every seat: with two seats and one baseline, a round
is the pair of games of chess testing. With more baselines than seats, or with numbers that do not divide evenly, a
round has as many seatings as are needed for every baseline to play equally often.

There may be bots that candidate and baselines both play against, on the seats that are left: what the candidate
does against these does not count. Then candidate and baselines also change places among each other, so that whoever
sits next to whom favours nobody.

Matches are played in any order, by any number of workers. Rounds count in the order of their seeds, and no round
counts after the decision. So the decision depends on the seed and the bots alone.

A round is omitted if Dohyo itself was stopped for a time during one of its matches, at every attempt. The bots cannot
cause that, so omitting such rounds does not favour any bot.

With a folder (`compare_folder.py`) each match is written down as it ends, and a comparison goes on where it was. With
a file for other programs (`pgn_file.py`) the matches that count are added to it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime
from fractions import Fraction
from itertools import compress
from typing import TYPE_CHECKING, Any

import msgspec

from dohyo.bots import Bot
from dohyo.bots.resolution import named, revision
from dohyo.core.bot_spec import HandIn
from dohyo.core.clock import Clock, Mode
from dohyo.core.contest import Fixture, Result
from dohyo.core.errors import OperatorError
from dohyo.core.game import Game
from dohyo.core.options import resolve
from dohyo.executors import Executor, MatchOrder, MatchReport
from dohyo.executors.refereed.match import check_referee
from dohyo.i18n import say
from dohyo.match.named_bots import find_named
from dohyo.match.play import MAX_SEED
from dohyo.match.sandboxing import sandbox_of
from dohyo.sandbox import Sandbox
from dohyo.series.formats.seeds import Seeds
from dohyo.series.record_file import raise_error
from dohyo.series.sequential import Comparison, Hypotheses, Verdict, cluster_scores, estimate, pentanomial, share

if TYPE_CHECKING:
    from dohyo.series.compare_folder import ComparisonFolder, KeptMatch
    from dohyo.series.exports.pgn_file import PgnFile

CANDIDATE = 0  # its number; baselines count from 1
MIN_WITH_OTHERS = 3  # seats: the candidate's, a baseline's, and one of a bot that both play against
MAX_LEFT_OUT = 100  # rounds in a row; more than that are an error: the machine is disturbed all the time


class Terms(msgspec.Struct, frozen=True):
    """On what terms bots are compared: as for a match, with `seats` seats; at most `rounds` (none: no limit).

    Without `hypotheses` no test ends it: so many `rounds` are played, whatever comes of them.
    """

    seed: int = 0
    seats: int = 2
    setup: dict[str, Any] = {}
    clock: Clock | None = None
    mode: Mode | None = None  # of the game's usual clock, if no clock is given
    sandbox: str = "auto"
    pondering: bool = False
    hypotheses: Hypotheses | None = Hypotheses()
    rounds: int | None = None
    restart: bool = False  # start engines anew for each match


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


def find_compared(
    game: Game,
    candidate: str,
    baselines: Sequence[str],
    python: str | None,
    sandbox: Sandbox,
    setup: Mapping[str, Any] | None = None,
) -> list[Bot]:
    """The candidate and the baselines, built; see `find_named` for what they are called, and for `setup`.

    Raises `OperatorError` for a word that names no bot or no revision.
    """
    return find_named(game, [candidate, *baselines], python, sandbox, setup=setup)


def older_version(baselines: Sequence[str]) -> int:
    """The number of the baseline that is the candidate's older version, among the words for all of them.

    That is the first one at a revision; otherwise the first that is a file or folder; otherwise the first.
    """
    found = [named(word).bot for word in baselines]
    at_revision = [number for number, bot in enumerate(found, CANDIDATE + 1) if revision(bot) is not None]
    files = [number for number, bot in enumerate(found, CANDIDATE + 1) if isinstance(bot, HandIn)]
    return next(iter((*at_revision, *files)), CANDIDATE + 1)


def seats_of(game: Game, baselines: int, wanted: int | None = None, others: int = 0) -> int:
    """How many seats matches have: as wanted; otherwise as many as there are bots, if the game allows that.

    Raises `OperatorError` for a number that the game does not take, that leaves the candidate alone, or that leaves
    no seat for `others`.
    """
    fewest, most = max(2, game.seats[0]), game.seats[1]
    if most < 2:
        raise OperatorError("compare-one-seat", game=game.name)
    if wanted is None:
        wanted = min(max(fewest, 1 + baselines + others), most)
    if not fewest <= wanted <= most:
        takes = str(fewest) if fewest == most else f"{fewest} - {most}"
        raise OperatorError("compare-seats", game=game.name, takes=takes, given=wanted)
    if others and wanted < MIN_WITH_OTHERS:
        raise OperatorError("compare-no-seat-left", seats=wanted)
    return wanted


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


class Trial:
    """A comparison as it is played. `found` holds the candidate and the baselines, built; see `check` for `terms`."""

    def __init__(
        self,
        game: Game,
        found: Sequence[Bot],
        terms: Terms,
        folder: ComparisonFolder | None = None,
        older: int = CANDIDATE + 1,
        others: int = 0,
        pgn: PgnFile | None = None,
    ) -> None:
        """With a folder it goes on with the matches that are in it. Raises `OperatorError` if they are of another.

        `older` is the number of the baseline that is the candidate's older version: see `older_version`. The last
        `others` of the bots are no baselines: all play against them. Matches that count are added to `pgn`.
        """
        self.check(game, terms)
        self.older, self.others = older, others
        self.game, self.bots, self.terms = game, found, terms
        self._names = labels(found)
        self._setup = resolve(
            game.options, terms.setup, game.catalogue
        )  # once: a book of openings takes a while to read
        self._baselines = len(found) - 1 - others
        self.round = seatings(self._baselines, terms.seats, others)  # of entrants, by match and seat
        self._seeds = Seeds(terms.seed)
        self._test = Comparison(terms.hypotheses)
        self._reported: dict[int, MatchReport] = {}  # those that wait for their round, by number
        self._folder = folder
        self._next = 0  # the first match of the next round that may count
        self._in_a_row = 0  # rounds omitted since the last one that counted
        against = tuple(Against(seats=self._parts()) for _ in range(self._baselines))
        conduct = tuple(Conduct() for _ in self.bots)
        self._known = SoFar(self._test.verdict(), 0, self._pairs(), against, conduct, seats=self._parts())
        if folder is not None:
            against_all = {"--against": others} if others else {}
            stored = folder.begin(game, _named(found), {**_typed(game, terms), **against_all})
            self._reported = {int(report.key): report for report in stored}
        self._stored = frozenset(self._reported)  # these are not played again
        self._pgn = pgn

    @staticmethod
    def check(game: Game, terms: Terms) -> None:
        """Raise `OperatorError` for an impossible seed, rounds or setup; `ValueError` if nothing ends it."""
        if terms.hypotheses is None and terms.rounds is None:
            raise ValueError("neither hypotheses nor a number of rounds: the comparison would never end")
        if not 0 <= terms.seed <= MAX_SEED:
            raise OperatorError("bad-seed", seed=terms.seed, most=MAX_SEED)
        if terms.rounds is not None and terms.rounds < 1:
            raise OperatorError("compare-rounds", given=terms.rounds)
        resolve(game.options, terms.setup, game.catalogue)
        if game.referee is not None:
            check_referee(game.referee, sandbox_of(terms.sandbox))

    @property
    def is_repeated(self) -> bool:
        """Whether all rounds begin alike, in a game without dice, for engines that play the same match again."""
        engines = any(bot.protocol for bot in self.bots)
        return engines and self.game.draw_setup(self._setup, self.terms.seed) == self._setup

    @property
    def known(self) -> SoFar:
        """What is known so far."""
        return self._known

    @property
    def stored(self) -> int:
        """How many matches were played before, as the folder says."""
        return len(self._stored)

    @property
    def kept(self) -> list[KeptMatch]:
        """The matches that the folder keeps of the rounds so far, by number: others may count with more rounds."""
        rows = {} if self._folder is None else self._folder.kept
        return [row for number, row in sorted(rows.items()) if number < self._next]

    def opponents(self, number: int) -> tuple[int, ...]:
        """The baselines' numbers, each once, in a match."""
        return tuple(dict.fromkeys(one for one in self._fixture(number).seats if one != CANDIDATE))

    @property
    def is_decided(self) -> bool:
        """Whether the test has decided, or no more rounds are allowed."""
        known = self._known
        return known.verdict.better is not None or known.verdict.clusters + known.left_out == self.terms.rounds

    def play(self, executor: Executor) -> Iterator[SoFar]:
        """Play until the test decides; yields what is known after each round that counts or is omitted.

        Raises `OperatorError` for a match that cannot be played, and if too many rounds in a row are omitted.
        """
        yield from self._count_all()
        if not self.is_decided:
            with closing(executor.play(self._orders())) as reports:  # type: ignore[type-var]
                for each in reports:
                    number = int(each.key)
                    # Another's record is no replay, in which two bots could be compared.
                    report = each if self.game.referee is None else msgspec.structs.replace(each, replay=b"")
                    self._reported[number] = report
                    if self._folder is not None and (not report.error or report.disturbed):
                        self._folder.add(self._fixture(number), report, CANDIDATE)
                    yield from self._count_all()
                    if self.is_decided:
                        break
        if self._folder is not None and self._known.verdict.better is not None:
            # After --max-pairs alone nothing is dropped: with a higher limit these matches count again.
            self._folder.drop([self._fixture(number) for number in self._reported], CANDIDATE)

    def write_rest(self) -> None:
        """Add the matches whose rounds are not complete to the file of matches: for when it ends undecided."""
        if not self.is_decided:
            self._write(self._reported)

    def _count_all(self) -> Iterator[SoFar]:
        """Count the rounds that are complete, up to the decision."""
        while not self.is_decided and self._count():
            yield self._known

    def _orders(self) -> Iterator[MatchOrder]:
        terms, number = self.terms, 0
        while terms.rounds is None or number < terms.rounds * len(self.round):
            if number in self._stored:
                number += 1
                continue
            fixture = self._fixture(number)
            yield MatchOrder(
                str(number),
                self.game.name,
                tuple(self.bots[entrant] for entrant in fixture.seats),
                fixture.seed,
                setup=self._setup,
                clock=terms.clock,
                mode=terms.mode,
                sandbox=terms.sandbox,
                pondering=terms.pondering,
                referee=self.game.referee,
                keeps_players=not terms.restart,
            )
            number += 1

    def _fixture(self, number: int) -> Fixture:
        at, match = divmod(number, len(self.round))
        return Fixture(at, number, self.round[match], self._seeds.of(at))

    def _count(self) -> bool:
        """If the next round is complete, count or omit it; returns whether it was complete."""
        numbers = range(self._next, self._next + len(self.round))
        if not all(number in self._reported for number in numbers):
            return False
        reports = [self._reported[number] for number in numbers]
        self._in_a_row = self._in_a_row + 1 if any(report.disturbed for report in reports) else 0
        for report in reports:
            raise_error(report, patient=self._in_a_row < MAX_LEFT_OUT)
        if not self._in_a_row:
            self._write(numbers)
        for number in numbers:
            del self._reported[number]
        self._next = numbers.stop
        if self._folder is not None:
            self._folder.settle([self._fixture(number) for number in numbers], reports, CANDIDATE, self.older)
        if self._in_a_row:
            self._known.left_out += 1
            return True
        played = [self._played(number, report) for number, report in zip(numbers, reports, strict=True)]
        # The round alone, as if it were the first: the clusters before it are counted already.
        first = [self._compared(one, at) for at, one in enumerate(played)]
        verdict = self._test.take(cluster_scores(first, CANDIDATE, len(self.round)))
        known = self._known
        _note_opponents(played, known)
        for one in played:
            _note_faults(one, known.conduct)
        known.verdict, known.pairs, known.matches = verdict, self._pairs(), known.matches + len(played)
        return True

    def _write(self, numbers: Iterable[int]) -> None:
        """Add the matches of these numbers to the file of matches, if there is one."""
        if self._pgn is None:
            return
        for number in sorted(numbers):
            report, fixture = self._reported[number], self._fixture(number)
            if not report.places:
                continue
            bots = [(self._names[entrant], self.bots[entrant]) for entrant in fixture.seats]
            replay, file = report.replay, ""
            if self._folder is not None:
                replay = self._folder.content(fixture, report, CANDIDATE)
                file = self._folder.file_of(fixture, report, CANDIDATE) if replay else ""
            ended = None if number in self._stored else datetime.now(UTC)
            self._pgn.add(fixture, bots, report, replay, file, ended)

    def _played(self, number: int, report: MatchReport) -> Result:
        scores = tuple(float(score) for score in report.scores)
        return Result(self._fixture(number), report.places, scores, report.faults)

    def _compared(self, played: Result, number: int) -> Result:
        """The places of candidate and baselines in a match, under this number: others do not count."""
        counts = [entrant <= self._baselines for entrant in played.fixture.seats]
        seats, places = (tuple(compress(row, counts)) for row in (played.fixture.seats, played.places))
        return Result(msgspec.structs.replace(played.fixture, number=number, seats=seats), places)

    def _parts(self) -> tuple[Part, ...]:
        return tuple(Part() for _ in range(self.terms.seats))

    def _pairs(self) -> tuple[int, int, int, int, int] | None:
        return pentanomial(self._test.counts) if len(self.round) == 2 else None


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


def same_program(found: Sequence[Bot]) -> list[int]:
    """The numbers of the baselines that are the same program as the candidate."""
    return [at for at, bot in enumerate(found) if at != CANDIDATE and bot.digest == found[CANDIDATE].digest]


def _named(found: Sequence[Bot]) -> list[tuple[str, str]]:
    return [(name, bot.digest) for name, bot in zip(labels(found), found, strict=True)]


def _typed(game: Game, terms: Terms) -> dict[str, Any]:
    """The terms that decide every match and the test, as options are typed; how many rounds at most does neither."""
    plain = msgspec.to_builtins(terms)
    setup = resolve(game.options, terms.setup, game.catalogue)
    wanted = {"mode" if name == "mode" else f"--{name}": plain[name] for name in ("seed", "seats", "clock", "mode")}
    wanted |= {f"--{name}": value for name, value in (plain["hypotheses"] or {}).items()}
    wanted |= {f"--setup {name}": value for name, value in setup.items()}
    wanted |= {"--restart": True} if terms.restart else {}
    return {**wanted, "--sandbox": terms.sandbox, "pondering": terms.pondering}


def labels(found: Sequence[Bot]) -> list[str]:
    """What to call the bots: their names, with a number where several share one."""
    names = [bot.name for bot in found]
    return [
        name if names.count(name) == 1 else f"{name} ({names[: at + 1].count(name)})" for at, name in enumerate(names)
    ]


def told_rounds(number: int, size: int, language: str) -> str:
    """So many rounds of `size` matches, for a person: pairs, where there are two."""
    return say("compare.pairs" if size == 2 else "compare.rounds", language, rounds=number, size=size)


def percent(share: float) -> str:
    """A probability in percent, never shown as certain."""
    return f"{min(max(100 * share, 0.1), 99.9):.1f}"


def decision(verdict: Verdict) -> str:
    """The decision as a word: better, not-better or undecided."""
    return "undecided" if verdict.better is None else "better" if verdict.better else "not-better"
