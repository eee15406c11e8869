"""Did a bot improve? Candidate and baselines play the same seeds on changing seats, until a test can decide.

A comparison is a series of one format, `formats/comparison.py`, which says who plays whom, which rounds count and
when it is known. The loop of all series plays it (`loop.py`), over a store: in memory, if nobody keeps it, otherwise
in a folder (`compare_folder.py`), and then it goes on where it was. With a file for other programs (`exports/pgn.py`)
the matches that count are added to it.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing
from datetime import UTC, datetime
from time import time
from typing import TYPE_CHECKING, Literal, cast

import msgspec
from msgspec.structs import replace

from dohyo import clean
from dohyo.bots import Bot
from dohyo.bots.typed_words import named, revision
from dohyo.core.bot_spec import HandIn
from dohyo.core.contest import Result
from dohyo.core.errors import OperatorError
from dohyo.core.game import Game
from dohyo.executors import Executor
from dohyo.i18n import Speaker
from dohyo.series import formats
from dohyo.series.formats.base import TABLE
from dohyo.series.formats.comparison import CANDIDATE, MIN_WITH_OTHERS, TESTS, Candidate, SoFar
from dohyo.series.loop import begun, format_of
from dohyo.series.results import Silent
from dohyo.series.roster import BuiltBot, Roster, enter_first, lasting
from dohyo.series.sequential import Hypotheses, Verdict
from dohyo.series.spec import Contender, MatchTerms, Spec, as_stored
from dohyo.series.store.memory import MemoryStore

if TYPE_CHECKING:
    from dohyo.series.compare_folder import ComparisonFolder, KeptMatch
    from dohyo.series.exports.pgn import PgnFile
    from dohyo.series.store import Store
    from dohyo.series.store.records import Contest

Keeping = Callable[[Spec, Sequence[BuiltBot]], tuple["Store", "Contest"]]


class Terms(MatchTerms, frozen=True):
    """On what terms bots are compared, in at most so many `rounds` (none: no limit).

    Without `hypotheses` no test ends it: so many `rounds` are played, whatever comes of them.
    """

    hypotheses: Hypotheses | None = Hypotheses()
    rounds: int | None = None

    def check(self, game: Game) -> None:
        """Raise `OperatorError` for impossible terms; `ValueError` if nothing ends it."""
        if self.hypotheses is None and self.rounds is None:
            raise ValueError("neither hypotheses nor a number of rounds: the comparison would never end")
        if self.rounds is not None and self.rounds < 1:
            raise OperatorError("compare-rounds", given=self.rounds)
        super().check(game)


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


class Trial:
    """A comparison as it is played. `found` holds the candidate and the baselines, built."""

    def __init__(
        self,
        game: Game,
        found: Sequence[Bot],
        terms: Terms,
        folder: ComparisonFolder | None = None,
        older: int = CANDIDATE + 1,
        others: int = 0,
        pgn: PgnFile | None = None,
        store: Keeping | None = None,
    ) -> None:
        """With a folder it goes on with the matches that are in it. Raises `OperatorError` if they are of another.

        `older` is the number of the baseline that is the candidate's older version: see `older_version`. The last
        `others` of the bots are no baselines: all play against them. Matches that count are added to `pgn`. `store`
        begins the series somewhere else, or goes on with it there.
        """
        terms.check(game)
        self.older, self.others = older, others
        self.game, self.bots, self.terms = game, found, terms
        self._names = labels(found)
        self._folder, self._pgn, self._keeping = folder, pgn, store
        self._pending: deque[tuple[Sequence[Result], bool]] = deque()  # rounds that were counted, and are to be kept
        self._counted = 0  # the first match of the next round that may count
        built = [
            BuiltBot(Contender(clean.storable(name), lasting(bot.spec)), bot)
            for name, bot in zip(self._names, found, strict=True)
        ]
        spec = replace(self._terms_stored(), bots=tuple(each.contender for each in built))
        self._setup = spec.setup
        self._store, contest = self._begun(spec, built)

        def make(roster: Roster) -> Candidate:
            made = cast(Candidate, format_of(game, spec, roster))
            made.counted = self._note
            return made

        self._loop = begun(self._store, contest, game, spec, built, make)
        self.round = self._format.round  # of entrants, by match and seat
        progress = self._store.progress(contest.id)
        self.stored = sum(batch.played + batch.set_aside for batch in progress)  # matches that were played before
        self._fresh: dict[int, Result] = {}  # those that were played now, and whose rounds are not complete
        self._loop.take_up()

    @property
    def is_repeated(self) -> bool:
        """Whether all rounds begin alike, in a game without dice, for engines that play the same match again."""
        engines = any(bot.protocol for bot in self.bots)
        return engines and self.game.draw_setup(self._setup, self.terms.seed) == self._setup

    @property
    def known(self) -> SoFar:
        """What is known so far."""
        return self._format.known

    @property
    def kept(self) -> list[KeptMatch]:
        """The matches that the folder keeps of the rounds so far, by number: others may count with more rounds."""
        return [] if self._folder is None else [row for _, row in sorted(self._folder.kept.items())]

    def opponents(self, number: int) -> tuple[int, ...]:
        """The baselines' numbers, each once, in a match."""
        seats = self.round[number % len(self.round)]
        return tuple(dict.fromkeys(one for one in seats if one != CANDIDATE))

    @property
    def is_decided(self) -> bool:
        """Whether the test has decided, or no more rounds are allowed."""
        return self._format.is_decided

    def play(self, executor: Executor) -> Generator[SoFar, None, None]:
        """Play until the test decides; yields what is known after each round that counts or is omitted.

        Raises `OperatorError` for a match that cannot be played, and if too many rounds in a row are omitted.
        """
        if self._keep():
            yield self.known
        vain: list[Result] = []  # were played after the decision
        with closing(self._loop.steps(executor, _Noting(self))) as steps:
            for _ in steps:
                self._keep()
                vain += self._format.waiting if self._format.enough is not None else []
                yield self.known
        is_over = self.known.verdict.better is not None
        if is_over and self._folder is not None:
            # After --max-pairs alone nothing is dropped: with a higher limit these matches count again.
            self._folder.drop([*vain, *self._fresh.values()])
        is_over |= self.terms.hypotheses is None  # then all its rounds were played
        self._store.set_state(self._loop.contest.id, "over" if is_over else "stopped")

    def write_rest(self) -> None:
        """Add the matches whose rounds are not complete to the file of matches: for when it ends undecided."""
        if not self.is_decided:
            self._write(self._format.waiting)

    def note_played(self, played: Result) -> None:
        """A match was played now, and stored."""
        self._fresh[played.fixture.number] = played
        if self._folder is not None:
            self._folder.add(played)

    # --- the series

    def _terms_stored(self) -> Spec:
        """The terms as the store keeps them."""
        terms = self.terms
        tested = msgspec.structs.asdict(terms.hypotheses) if terms.hypotheses is not None else {}
        usual = {each.name: each.default for each in Candidate.info.options if each is not TABLE}
        options = {**usual, "others": self.others, TESTS: bool(tested), **tested}
        rounds = formats.MAX_ROUNDS if terms.rounds is None else terms.rounds
        return terms.spec(self.game, Candidate.info.name, rounds, options)

    def _begun(self, spec: Spec, built: Sequence[BuiltBot]) -> tuple[Store, Contest]:
        """The store with the series in it, begun now or before."""
        if self._folder is not None:
            return self._folder.begin(self.game, spec, built)
        if self._keeping is not None:
            return self._keeping(spec, built)
        # It has what a series asks of one.
        store = cast("Store", MemoryStore(self._pgn is not None and self.game.pgn is not None))
        contest = store.begin(spec.format, self.game.name, as_stored(spec), time())
        enter_first(store, contest, self.game, built, has_archives=False)
        return store, contest

    @property
    def _format(self) -> Candidate:
        return cast(Candidate, self._loop.format)

    def _note(self, results: Sequence[Result], counts: bool) -> None:
        """A round was counted; one that was before, when the format was made anew, is known."""
        if results[0].fixture.number >= self._counted:
            self._counted = results[-1].fixture.number + 1
            self._pending.append((results, counts))

    # --- what is kept

    def _keep(self) -> bool:
        """Keep of the rounds that were counted what is to be kept; whether there were any."""
        there = bool(self._pending)
        while self._pending:
            results, counts = self._pending.popleft()
            if counts:
                self._write(results)
                if self._folder is not None:
                    self._folder.settle(results, self.older)
            for each in results:
                self._fresh.pop(each.fixture.number, None)
                if not self._store.lasts:
                    self._store.files.remove(each.replay or "")
        return there

    def _write(self, results: Iterable[Result]) -> None:
        """Add these matches to the file of matches, if there is one."""
        if self._pgn is None:
            return
        for played in results:
            if not played.places:
                continue
            bots = [(self._names[entrant], self.bots[entrant]) for entrant in played.fixture.seats]
            replay, file = self._replay(played), ""
            if self._folder is not None:
                file = self._folder.file_of(played) if replay else ""
            number = played.fixture.number
            ended = datetime.now(UTC) if number in self._fresh else None
            in_round = replace(played, fixture=replace(played.fixture, batch=number // len(self.round)))
            self._pgn.add(in_round, bots, replay, file, ended)

    def _replay(self, played: Result) -> bytes:
        """A match's replay, encoded; empty if there is none, as where another program referees."""
        if self._folder is not None:
            return self._folder.content(played)
        is_ours = self.game.referee is None and played.replay
        return self._store.files.get(played.replay) if is_ours and played.replay else b""


class _Noting(Silent):
    """Tells a comparison of each match that is played now."""

    def __init__(self, trial: Trial) -> None:
        self._trial = trial

    def on_result(self, result: Result) -> None:
        """A result was stored."""
        self._trial.note_played(result)


def same_program(found: Sequence[Bot]) -> list[int]:
    """The numbers of the baselines that are the same program as the candidate."""
    return [at for at, bot in enumerate(found) if at != CANDIDATE and bot.digest == found[CANDIDATE].digest]


def check_differs(found: Sequence[Bot], option: str) -> None:
    """Raise `OperatorError` where a baseline is the same program as the candidate; `option` would allow it."""
    for at in same_program(found):
        raise OperatorError("compare-itself", bot=found[CANDIDATE].name, other=found[at].name, option=option)


def labels(found: Sequence[Bot]) -> list[str]:
    """What to call the bots: their names, with a number where several share one."""
    names = [bot.name for bot in found]
    return [
        name if names.count(name) == 1 else f"{name} ({names[: at + 1].count(name)})" for at, name in enumerate(names)
    ]


def told_rounds(number: int, size: int, speaker: Speaker) -> str:
    """So many rounds of `size` matches, for a person: pairs, where there are two."""
    return speaker.say("compare.pairs" if size == 2 else "compare.rounds", rounds=number, size=size)


def told_elo(elo: float, low: float, high: float, speaker: Speaker) -> str:
    """A difference in Elo with its 95 % interval, for a person; of an infinite one the end that is known."""
    if math.isinf(elo):
        key, known = ("compare.at-least", low) if elo > 0 else ("compare.at-most", high)
        return speaker.say(key, elo=f"{known:+.0f}")
    return speaker.say("compare.about", elo=f"{elo:+.0f}", wide=f"{high - elo:.0f}")


def elo_line(verdict: Verdict, speaker: Speaker) -> str:
    """What is known of the difference in Elo, as one of the figures that are shown."""
    elo = told_elo(verdict.elo, verdict.elo_low, verdict.elo_high, speaker)
    return speaker.say("compare.elo-bound" if math.isinf(verdict.elo) else "compare.elo", elo=elo)


def percent(share: float) -> str:
    """A probability in percent, never shown as certain."""
    return f"{min(max(100 * share, 0.1), 99.9):.1f}"


def decision(verdict: Verdict) -> Literal["better", "not-better", "undecided"]:
    """The decision as a word: better, not-better or undecided."""
    return "undecided" if verdict.better is None else "better" if verdict.better else "not-better"
