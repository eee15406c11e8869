"""A folder that a comparison keeps: its store, and beside it the replays of lost and faulty matches.

    comparison.db       the store: bots, terms, every match; its replays are in comparison.db.files
    0012-lost-seat0-climber-8123….replay.zst
                        number, result, the candidate's seat, its opponents, the seed

The store has all of it; the other files are an export, for who looks for a lost match. They are written as matches
end, and those that are missing when a comparison goes on are written again. One comparison at a time uses a folder.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from time import time
from typing import TYPE_CHECKING, Any, Literal

import msgspec
from msgspec.structs import replace

from dohyo import clean
from dohyo.bench.disagreement import Disagreement, first_disagreement
from dohyo.bots.content import printable
from dohyo.bots.safe_paths import OF_A_STORE
from dohyo.core import replay_format
from dohyo.core.contest import Result
from dohyo.core.errors import MachineError, OperatorError, ReplayError
from dohyo.core.game import Game
from dohyo.core.replay import Replay
from dohyo.match.files import read_plain, write_whole
from dohyo.series.formats.base import TABLE
from dohyo.series.formats.comparison import CANDIDATE, TESTS, Candidate
from dohyo.series.roster import BuiltBot, enter_first
from dohyo.series.sequential import Hypotheses
from dohyo.series.spec import Spec, as_stored, clock_meant, of_stored

if TYPE_CHECKING:
    from dohyo.series.store import Store
    from dohyo.series.store.records import Contest

NAME = Candidate.info.name  # of the series in its store
STORE = "comparison.db"
BEFORE = "comparison.jsonl"  # in its place, of earlier development versions
ENDING = ".replay.zst"
LONGEST_VALUE = 200  # characters of an option's value in a sentence
LONGEST_NAME = 60  # characters of the opponents' names in a file's name

Outcome = Literal["won", "drawn", "lost"]


class KeptMatch(msgspec.Struct, frozen=True, omit_defaults=True):
    """A match whose replay is in `file`: the candidate's `seat` and result, whether it or another one had a fault.

    `disagreement` is where candidate and older version first answered differently; `baseline` is that one's number.
    """

    number: int
    file: str
    seed: int
    seat: int
    result: Outcome
    faulty: bool = False
    opponent_faulty: bool = False
    disagreement: Disagreement | None = None
    baseline: int | None = None


class ComparisonFolder:
    """A folder of a comparison, locked until it is closed."""

    def __init__(self, path: str | os.PathLike[str], force: bool = False) -> None:
        """Open the folder, or make it, and its store; with `force`, only to begin anew.

        Raises `OperatorError` if that is no folder, cannot be written, is in use, or its store cannot be read.
        """
        self.path = Path(path)
        self.kept: dict[int, KeptMatch] = {}
        self._names: list[str] = []  # of the bots, the candidate's first
        self.is_anew = force  # the same command would begin anew once more
        self._made = not self.path.exists()
        self._store: Store | None = None
        self._contest: Contest | None = None
        self._make()
        try:
            self._open()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> ComparisonFolder:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the folder; one that was made for a comparison that did not begin is removed."""
        if self._store is not None:
            self._store.close()
        if self._made:
            with suppress(OSError):  # there is something in it
                self.path.rmdir()

    @property
    def seed(self) -> int | None:
        """The seed of the comparison in it, if there is one."""
        return None if self._contest is None or self.is_anew else of_stored(self._contest.spec).seed

    def begin(self, game: Game, spec: Spec, built: Sequence[BuiltBot]) -> tuple[Store, Contest]:
        """Begin the comparison of these bots, the candidate's first, or go on with it.

        Raises `OperatorError` if the folder has a comparison in another game, of other bots or on other terms.
        """
        from dohyo.series.store import open_store

        store, contest = self._store, self._contest
        self._names = [each.contender.name for each in built]
        if contest is not None and store is not None and not self.is_anew and store.entrants(contest.id):
            return store, self._agreed(store, contest, game, spec, built)
        if store is None:
            store = self._store = open_store(os.fspath(self.path / STORE), create=True)
        if contest is not None:  # to be replaced, or ended before anybody had entered
            self._remove_all(store, contest)
        contest = self._contest = store.begin(NAME, game.name, as_stored(spec), time())
        self._lease(store, contest)
        enter_first(store, contest, game, built)
        return store, contest

    def _agreed(self, store: Store, contest: Contest, game: Game, spec: Spec, built: Sequence[BuiltBot]) -> Contest:
        """The comparison that is there, with as many rounds as are wanted now. Raises `OperatorError` for another."""
        stored, path = of_stored(contest.spec), printable(str(self.path))
        given = of_stored(as_stored(spec))
        if contest.game != game.name:
            details = {"stored": printable(contest.game), "given": printable(game.name)}
            raise OperatorError("compare-other-bots", path=path, **details)
        if stored.rules != given.rules:
            raise OperatorError("compare-other-rules", path=path, game=printable(game.name))
        versions = [entrant.version for entrant in store.entrants(contest.id)]
        names = [", ".join(each) for each in ([one.name for one in versions], [one.contender.name for one in built])]
        if names[0] != names[1]:
            stored_names, given_names = (printable(each) for each in names)
            raise OperatorError("compare-other-bots", path=path, stored=stored_names, given=given_names)
        for version, one in zip(versions, built, strict=True):
            if version.digest != one.bot.digest:
                raise OperatorError("compare-other-bot", path=path, bot=printable(version.name))
        before, after = _typed(stored, game), _typed(given, game)
        for key in {**before, **after}:
            if before.get(key) != after.get(key):
                raise _other(path, key, before.get(key), after.get(key))
        if spec.rounds > stored.rounds:
            store.amend_spec(contest.id, lambda plain: {**plain, "rounds": spec.rounds})
        return contest

    # --- the replays of lost and faulty matches

    def add(self, played: Result) -> None:
        """Write the replay of a match that is to be kept. Raises `OperatorError` if that cannot be written."""
        row = _kept(played, self._names)
        if row is None or not (content := self.content(played)):
            return
        path = self.path / row.file
        if _is_folder(path):
            raise OperatorError("save-over-folder", path=printable(str(path)))
        if os.path.lexists(path):
            if not self.is_anew and not _is_replay(path):
                raise OperatorError("save-over-other", path=printable(str(path)))
            if not path.is_symlink() and path.stat().st_size == len(content):
                return
        write_whole(path, content, follow=False)

    def settle(self, round_: Sequence[Result], older: int) -> None:
        """A round counts: keep what is to be kept of it, with where candidate and older version part in it."""
        found: dict[int, Replay | None] = {}

        def replay_of(at: int) -> Replay | None:
            if at not in found:
                found[at] = self._replay(round_[at])
            return found[at]

        for at, played in enumerate(round_):
            row = _kept(played, self._names)
            if row is None or replay_of(at) is None:
                continue
            self.add(played)
            self.kept[row.number] = _compared(row, at, round_, older, replay_of)

    def drop(self, played: Iterable[Result]) -> None:
        """Remove the replays of matches that do not count: it was decided before their rounds."""
        for each in played:
            self._drop(each, self._names)

    def _drop(self, played: Result, names: Sequence[str]) -> None:
        row = _kept(played, names)
        path = None if row is None else self.path / row.file
        if path is not None and not _is_folder(path):  # a folder of that name is not ours, and stays
            path.unlink(missing_ok=True)

    def content(self, played: Result) -> bytes:
        """A match's replay, encoded; empty if it is gone, or there is none, as where another program referees."""
        store, contest = self._store, self._contest
        if store is None or contest is None or played.replay is None or contest.spec.get("referee") is not None:
            return b""
        with suppress(OperatorError):
            return store.files.get(played.replay, replay_format.MAX_BYTES)
        return b""

    def file_of(self, played: Result) -> str:
        """The name of the file in which the replay of a match stays; empty for one that is not kept."""
        kept = _kept(played, self._names)
        return "" if kept is None else kept.file

    def _replay(self, played: Result) -> Replay | None:
        try:
            return replay_format.decode(self.content(played))
        except ReplayError:
            return None

    # --- the store

    def _make(self) -> None:
        path = printable(str(self.path))
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except (FileExistsError, NotADirectoryError) as error:
            raise OperatorError("compare-no-folder", path=path) from error
        except (OSError, ValueError) as error:
            raise MachineError("cannot-write", path=path, reason=error) from error

    def _open(self) -> None:
        """Open the store, if there is one. Raises `OperatorError`."""
        from dohyo.series.store import open_store

        place = self.path / STORE
        for ending in OF_A_STORE:
            if (beside := place.with_name(STORE + ending)).is_symlink():  # a stranger's may lead anywhere
                raise MachineError("cannot-write", path=printable(str(beside)), reason="a link")
        if not place.exists():
            if (self.path / BEFORE).exists() and not self.is_anew:
                raise OperatorError("compare-folder-old", path=printable(str(self.path)))
            return
        store = self._store = open_store(os.fspath(place))
        known = store.contests()
        if not known:
            return
        contest = store.contest(None)
        if of_stored(contest.spec).options.get(TESTS) is None:
            raise OperatorError("compare-other-store", path=printable(str(place)))
        self._lease(store, contest)
        self._contest = contest

    def _lease(self, store: Store, contest: Contest) -> None:
        try:
            store.lease(contest.id)
        except OperatorError as error:
            if error.key != "contest-runs":
                raise
            raise OperatorError("compare-folder-used", path=printable(str(self.path))) from error

    def _remove_all(self, store: Store, contest: Contest) -> None:
        """Remove the comparison that is there, with the replays that were kept of it."""
        names = [entrant.name for entrant in store.entrants(contest.id)]
        for played in store.played(contest.id):
            with suppress(ValueError):  # a stranger's match, without the candidate
                self._drop(played, names)
        store.delete(contest.id)


def _typed(spec: Spec, game: Game) -> dict[str, Any]:
    """The terms that decide every match and the test, as options are typed; how many rounds at most does neither."""
    options, clock, mode = spec.options, clock_meant(spec, game), spec.mode
    if clock is not None:
        mode, clock = clock.mode, msgspec.structs.replace(clock, mode="wall")
    wanted = {
        "--seed": spec.seed,
        "--seats": options.get(TABLE.name),
        "--clock": msgspec.to_builtins(clock),
        "mode": mode,
    }
    if options.get(TESTS):
        wanted |= {f"--{name}": options.get(name) for name in Hypotheses.__struct_fields__}
    wanted |= {f"--setup {name}": value for name, value in spec.setup.items()}
    wanted |= {"--restart": True} if not spec.keeps_engines else {}
    wanted |= {"--against": options["others"]} if options.get("others") else {}
    return {**wanted, "--sandbox": spec.sandbox, "pondering": spec.pondering}


def _other(path: str, key: str, before: object, now: object) -> OperatorError:
    stored, given = (printable(_shown(value))[:LONGEST_VALUE] for value in (before, now))
    return OperatorError("compare-other-terms", path=path, key=printable(key), stored=stored, given=given)


def _shown(value: object) -> str:
    """An option's value about as it is typed; a clock by its preset or its seconds."""
    if isinstance(value, dict):
        value = value.get("preset") or value.get("turn")
    return "-" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


def _compared(
    row: KeptMatch,
    at: int,
    round_: Sequence[Result],
    older: int,
    replay_of: Callable[[int], Replay | None],
) -> KeptMatch:
    """The row with the turn in which candidate and `older` version first disagree, if possible on its seat.

    They are found in two matches of the same bots, of which the older version is one.
    """
    mine, best, seats = replay_of(at), row, round_[at].fixture.seats
    assert mine is not None
    for other, played in enumerate(round_):
        fixture = played.fixture
        seat = fixture.seats.index(CANDIDATE)
        if seat == row.seat or older not in seats or sorted(fixture.seats) != sorted(seats):
            continue
        own = row.seat if fixture.seats[row.seat] == older else None
        others = seat if seats[seat] == older else None
        theirs = replay_of(other) if own is not None or others is not None else None
        parted = None if theirs is None else first_disagreement(mine, theirs, own, others)
        if parted is not None and (best.disagreement is None or parted.is_own):
            best = replace(row, disagreement=parted, baseline=older)
            if parted.is_own:
                break
    return best


def _kept(played: Result, names: Sequence[str]) -> KeptMatch | None:
    """What is kept of a match, and in which file; none if it was neither lost nor faulty."""
    fixture = played.fixture
    seat = fixture.seats.index(CANDIDATE)
    place = played.places[seat] if played.places else 1
    ahead = sum(other < place for other in played.places)
    level = sum(other == place for other in played.places)
    result: Outcome = "lost" if ahead else "drawn" if level > 1 else "won"
    faulty = [bool(kinds) for kinds in played.faults] or [False] * len(fixture.seats)
    own, others = faulty[seat], any(bad for at, bad in enumerate(faulty) if at != seat)
    if result != "lost" and not own and not others:
        return None
    opponents = "+".join(dict.fromkeys(names[entrant] for entrant in fixture.seats if entrant != CANDIDATE))
    words = [f"{fixture.number:04}", result, *["faulty"] * own, *["opponent-faulty"] * others, f"seat{seat}"]
    words += [clean.file_name(opponents)[:LONGEST_NAME] or "bot", str(fixture.seed)]
    return KeptMatch(fixture.number, "-".join(words) + ENDING, fixture.seed, seat, result, own, others)


def _is_replay(path: Path) -> bool:
    """Whether an ordinary file begins as a replay, or is empty; the folder may be one that a stranger prepared."""
    try:
        start = read_plain(path, replay_format.LONGEST_HEADER)
    except OperatorError:
        return False
    return not start or replay_format.begins(start)


def _is_folder(path: Path) -> bool:
    """Whether a folder, and not a link to one, has this name."""
    return path.is_dir() and not path.is_symlink()
