"""What is kept of a tuning: a store with a series for each of its parts.

    tune            the generations; its terms say what the tuning is about
    effects         matches that show which parameters change nothing
    final0, ...     comparisons of values that were found with the defaults

Candidates are entrants, and the values of each stand in its name. Without a file all of it is in memory.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from time import time
from typing import TYPE_CHECKING, Any, cast

import msgspec

from dohyo.bots import Bot
from dohyo.core.bounds import check_json
from dohyo.core.contest import Entrant, Result, Version
from dohyo.core.errors import OperatorError
from dohyo.core.game import Game
from dohyo.executors import Executor
from dohyo.executors.version import Rules
from dohyo.guests.tune.faults import FaultCounter
from dohyo.guests.tune.generations import QUESTION, Generations, candidates
from dohyo.guests.tune.space import Parameter
from dohyo.series.formats.comparison import Candidate
from dohyo.series.loop import begun
from dohyo.series.roster import BuiltBot, enter_first, lasting
from dohyo.series.spec import Contender, Spec, as_stored, of_stored
from dohyo.series.store.memory import MemoryStore

if TYPE_CHECKING:
    from collections.abc import Callable

    from dohyo.series.store import Store
    from dohyo.series.store.records import Contest

TUNE, EFFECTS, FINAL = "tune", "effects", "final"
LONGEST_QUESTION = 4 << 20  # bytes, as JSON
LONGEST_NAME = 1 << 16  # characters of a candidate's, with its values
DEEPEST = 32  # lists and objects in each other
BYTES_A_VALUE = 4  # of a value in JSON, or more
Values = dict[str, str]


class Question(msgspec.Struct, frozen=True):
    """What a tuning is about. Only matches of the same question may be counted together.

    `bot` and `opponents` are digests of programs with their command's words; `rules` are the game's version, and the
    digest of a game that is not one of Dohyo's own.
    """

    game: str
    rules: Rules
    bot: str
    opponents: tuple[str, ...]
    parameters: tuple[Parameter, ...]
    seats: int
    seed: int
    setup: dict[str, Any]
    clock: str
    pondering: bool


def _is_ours(contest: Contest) -> bool:
    """Whether a contest of a store is a part of a tuning."""
    format_ = of_stored(contest.spec).format
    if contest.name in (TUNE, EFFECTS):
        return format_ == Generations.info.name
    return contest.name.startswith(FINAL) and format_ == Candidate.info.name


class Record:
    """A tuning's store, open for this process; a context manager. Without a path nothing is kept."""

    def __init__(self, path: str | None, force: bool = False) -> None:
        """Open the store, if there is one, and read what it is about; with `force` only to begin again.

        Raises `OperatorError` if it is another's file (by `force` too), damaged, in use, or cannot be written.
        """
        self.path = path
        self.question: Question | None = None
        self.is_anew = force  # the same command would begin again
        self._force = force
        self._store: Store | None = None
        self._in_memory: dict[str, tuple[Store, Contest]] = {}
        if path is not None and os.path.lexists(path):
            try:
                self._open(path)
            except BaseException:
                self.close()
                raise

    def _open(self, path: str) -> None:
        from dohyo.series.store import open_store

        if os.path.islink(path) or not os.path.isfile(path):
            raise OperatorError("tune-store-other", path=path)
        try:
            self._store = open_store(path)
        except OperatorError as error:
            if error.key == "store-none-here":
                raise OperatorError("tune-store-other", path=path) from error
            raise
        contests = {each.name: each for each in self._store.contests()}
        first = contests.get(TUNE) or contests.get(EFFECTS)
        # Whatever else is in it is somebody's: with `force` all of it would be deleted.
        if contests and (first is None or not all(_is_ours(each) for each in contests.values())):
            raise OperatorError("tune-store-other", path=path)
        for contest in contests.values():
            self._lease(contest)
        if first is not None and not self._force:
            self.question = read_question(str(of_stored(first.spec).options.get(QUESTION)), path)

    def _lease(self, contest: Contest) -> None:
        assert self._store is not None
        try:
            self._store.lease(contest.id)
        except OperatorError as error:
            if error.key == "contest-runs":
                raise OperatorError("tune-store-used", path=self.path) from error
            raise

    def ask(self, question: Question) -> None:
        """Say what the tuning is about. Raises `OperatorError` if the store is about something else."""
        if self._force and self._store is not None:
            for contest in self._store.contests():
                self._store.delete(contest.id)
            self._force = False
        # The same form on both sides: a setup's values may come back from JSON as another type.
        asked = msgspec.json.decode(msgspec.json.encode(question), type=Question)
        if self.question is None:
            self.question = asked
        for name in Question.__struct_fields__:
            if getattr(asked, name) != getattr(self.question, name):
                raise OperatorError("tune-store-differs", path=self.path, what=name)

    @property
    def played(self) -> int:
        """How many matches of generations and of final comparisons are kept."""
        found = (self._known(name) for name in self.names() if name != EFFECTS)
        progress = (batch for store, contest in found for batch in store.progress(contest.id))
        return sum(batch.played + batch.set_aside for batch in progress)

    def names(self) -> list[str]:
        """The series that were begun."""
        return [*self._in_memory] if self.path is None else [each.name for each in self._contests()]

    def entrants(self, name: str) -> list[Entrant]:
        """Who takes part in the series of this name, which was begun."""
        store, contest = self._known(name)
        return store.entrants(contest.id)

    def _known(self, name: str) -> tuple[Store, Contest]:
        if self.path is None:
            return self._in_memory[name]
        return self._opened(), self._opened().contest(name)

    def begin(self, name: str, game: Game, spec: Spec, entered: Sequence[BuiltBot]) -> tuple[Store, Contest]:
        """The series of this name, begun now with these bots or before."""
        if name in self.names() and self.entrants(name):  # otherwise it ended before anybody had entered
            return self._known(name)
        plain = as_stored(spec)
        if self.path is None:
            store = cast("Store", MemoryStore(keeps_replays=name == EFFECTS))
            contest = store.begin(name, game.name, plain, time())
            self._in_memory[name] = store, contest
        else:
            store = self._opened()
            is_new = name not in self.names()
            contest = store.begin(name, game.name, plain, time())
            if is_new:
                self._lease(contest)
        # An archive says nothing of the values in a final comparison: whoever reads it would play another bot.
        has_archives = self.path is not None and not name.startswith(FINAL)
        enter_first(store, contest, game, entered, has_archives=has_archives)
        return store, contest

    def _opened(self) -> Store:
        from dohyo.series.store import open_store

        if self._store is None:
            assert self.path is not None
            self._store = open_store(self.path, create=True)
        return self._store

    def _contests(self) -> list[Contest]:
        return [] if self._store is None or self._force else self._store.contests()

    def close(self) -> None:
        """Let others have the store."""
        if self._store is not None:
            self._store.close()
            self._store = None

    def __enter__(self) -> Record:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def read_question(text: str, path: str) -> Question:
    """What a stored tuning is about. Raises `OperatorError` for what no tuning has written."""
    try:
        check_json(text.encode(), LONGEST_QUESTION, DEEPEST, BYTES_A_VALUE)
        return msgspec.json.decode(text, type=Question)
    except (msgspec.MsgspecError, RecursionError, ValueError) as error:
        raise OperatorError("tune-store-other", path=path) from error


class CandidateSeries:
    """A series of generations in a record: the candidates enter, and play."""

    def __init__(self, record: Record, name: str, game: Game, spec: Spec, opponents: Sequence[Bot]) -> None:
        """`spec` are its terms, without bots; `opponents` are built."""
        self._record = record
        self._opponents = len(opponents)
        self._faults = FaultCounter(len(opponents))
        built = [BuiltBot(Contender(f"opponent {at}", lasting(bot.spec)), bot) for at, bot in enumerate(opponents, 1)]
        spec = msgspec.structs.replace(spec, bots=tuple(each.contender for each in built))
        self.store, self.contest = record.begin(name, game, spec, built)
        self._loop = begun(self.store, self.contest, game, spec, built)
        self._roster = self._loop.roster
        self._loop.take_up()

    def values(self, batch: int) -> list[Values] | None:
        """The values of the candidates of a batch, if they have entered. Raises `OperatorError` for invalid names."""
        found = candidates(self._roster.read(), self._opponents, batch)
        return [self._values_of(each.name) for each in found] or None

    def _values_of(self, name: str) -> Values:
        with suppress(msgspec.MsgspecError, RecursionError):
            return msgspec.json.decode(name[:LONGEST_NAME].partition(" ")[2], type=Values)
        raise OperatorError("tune-store-differs", path=self._record.path, what="parameters")

    def enter(self, batch: int, chosen: Sequence[Values], bot: Bot) -> None:
        """Let candidates enter with a batch: the bot with these values."""
        first, entrants = len(self._roster.read()), []
        for at, values in enumerate(chosen):
            name = f"{batch}.{at} {msgspec.json.encode(values).decode()}"
            entrants.append(Entrant(first + at, Version(name, bot.digest, bot.language), since=batch))
        self.store.enter(self.contest.id, entrants, time())

    def progress(self, batch: int) -> tuple[int, bool]:
        """How many matches of a batch were played, and whether it is complete."""
        found = self.store.progress(self.contest.id)
        own = next((each for each in found if each.batch == batch), None)
        return (0, False) if own is None else (own.played + own.set_aside, own.complete)

    def play(self, executor: Executor, batch: int, make: Callable[[Values], Bot]) -> Iterator[None]:
        """Play what is left of a batch, whose candidates have entered; a step for each match of it.

        Raises `ManyFaultsError` where the same goes wrong in most of them.
        """
        for each in candidates(self._roster.read(), self._opponents, batch):
            self._roster.add(each.version, make(self._values_of(each.name)))
        self.store.set_state(self.contest.id, "running")
        steps = self._loop.steps(executor, self._faults, most=1)
        try:
            for _ in steps:
                if (found := self._faults.found) is not None:
                    raise self._faults.error([self._roster.bot(entrant) for entrant in found[2].fixture.seats])
                yield
        finally:
            steps.close()

    def end(self) -> None:
        """Nothing more is to be played; a tuning of more matches may still go on with it."""
        self.store.set_state(self.contest.id, "over")

    def results(self, batch: int) -> list[Result]:
        """The results of a batch, in the order of its matches; without places where it could not be observed."""
        played = {each.fixture.number: each for each in self.store.played(self.contest.id, batch)}
        fixtures = self.store.scheduled(self.contest.id, batch)
        return [played.get(each.number) or Result(each, ()) for each in fixtures]
