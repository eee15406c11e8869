"""A folder that a comparison keeps: a record of what was played, and the replays of lost and faulty matches.

    comparison.jsonl   the bots and the terms, then one line for each match, in the order in which they ended, and one
                       for each kept replay
    0012-lost-seat0-climber-8123….replay.zst
                       number, result, the candidate's seat, its opponents, the seed
    .waiting-13.replay.zst
                       a match whose round is not complete yet: somebody in its round may be compared with it

Everything is written as it comes, so whatever ends the comparison, it can go on from here. Each file is written whole
or not at all; the record is a `record_file.py`. One comparison at a time uses a folder.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from dohyo import clean
from dohyo.bench.disagreement import Disagreement, first_disagreement
from dohyo.bots.content import printable
from dohyo.core import replay_format
from dohyo.core.contest import Fixture
from dohyo.core.errors import MachineError, OperatorError, ReplayError
from dohyo.core.game import Game
from dohyo.core.replay import Replay
from dohyo.executors import MatchReport
from dohyo.executors.version import Rules, rules_of
from dohyo.match.files import read_plain, write_whole
from dohyo.series.record_file import DamagedError, InUseError, PlayedMatch, RecordFile

RECORD = "comparison.jsonl"
ENDING = ".replay.zst"
FORMAT = 1
BEGINNING = b'{"what":"comparison"'
MAX_BYTES = 1 << 26  # of a record: some 400,000 matches; in memory they take seven times as much
MAX_NUMBER = 1 << 40
LONGEST_VALUE = 200  # characters of an option's value in a sentence
LONGEST_NAME = 60  # characters of the opponents' names in a file's name
KEY = re.compile(r"0|[1-9][0-9]{0,12}")  # of a match: its number
KEPT_NAME = re.compile(r"\d{4,13}-(won|drawn|lost)[\w.+-]*\.replay\.zst")

Outcome = Literal["won", "drawn", "lost"]
Number = Annotated[int, Meta(ge=0, le=MAX_NUMBER)]


class ComparedBot(msgspec.Struct, frozen=True):
    """A bot of the comparison."""

    name: str
    digest: str


class Heading(msgspec.Struct, frozen=True, tag_field="what", tag="comparison"):
    """The first line: what is compared, on what terms, each under the name of its option."""

    format: int
    game: str
    rules: Rules
    bots: tuple[ComparedBot, ...]
    terms: dict[str, Any]


class KeptMatch(msgspec.Struct, frozen=True, tag_field="what", tag="kept", omit_defaults=True):
    """A match whose replay is in `file`: the candidate's `seat` and result, whether it or another one had a fault.

    `disagreement` is where candidate and older version first answered differently; `baseline` is that one's number.
    """

    number: Number
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
        """Open the folder, or make it, and read its record; with `force`, only to begin anew.

        Raises `OperatorError` if that is no folder, cannot be written, is in use, or its record cannot be read.
        """
        self.path = Path(path)
        self.kept: dict[int, KeptMatch] = {}
        self._force = force
        self._played: dict[int, PlayedMatch] = {}
        self._names: list[str] = []
        self._old: list[str] = []  # files of the comparison that is replaced
        self.heading: Heading | None = None
        self._made = not self.path.exists()
        self._file = self._open()

    def __enter__(self) -> ComparisonFolder:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the folder; an empty record is removed, and a folder that was made for it."""
        self._file.close()
        if self._made:
            with suppress(OSError):  # there is something in it
                self.path.rmdir()

    @property
    def seed(self) -> int | None:
        """The seed of the comparison in it, if there is one."""
        seed = None if self.heading is None else self.heading.terms.get("--seed")
        return seed if isinstance(seed, int) else None

    def begin(self, game: Game, bots: Sequence[tuple[str, str]], terms: dict[str, Any]) -> list[MatchReport]:
        """Begin the comparison, or go on with it: the reports of the matches that were played, without replays.

        `bots` are names and digests, the candidate's first; `terms` are under the names of their options.

        Raises `OperatorError` if the folder has a comparison in another game, of other bots or on other terms.
        """
        self._names = [name for name, _ in bots]
        given = Heading(
            FORMAT,
            game.name,
            rules_of(game),
            tuple(ComparedBot(clean.storable(name), digest) for name, digest in bots),
            terms,
        )
        heading = msgspec.json.decode(msgspec.json.encode(given), type=Heading)
        if self.heading is None:
            for name in self._old:
                _remove(self.path / name)
            self._file.begin_again()
            self._file.append(heading)
        else:
            self._check(heading)
            self._file.go_on()
        self.heading = heading
        return [row.report() for row in self._played.values()]

    def add(self, fixture: Fixture, report: MatchReport, candidate: int) -> None:
        """Write down a match that was played, with its replay. Raises `OperatorError` if that cannot be written."""
        file = ""
        if report.replay:
            kept = _kept(fixture, report, candidate, self._names)
            path = self.path / (file := _waiting(fixture.number) if kept is None else kept.file)
            if _is_folder(path):
                raise OperatorError("save-over-folder", path=printable(str(path)))
            if not self._force and os.path.lexists(path) and not _is_replay(path):
                raise OperatorError("save-over-other", path=printable(str(path)))
            write_whole(path, report.replay, follow=False)
        row = self._played[fixture.number] = PlayedMatch.of(report, file)
        self._file.append(row)

    def settle(self, fixtures: Sequence[Fixture], reports: Sequence[MatchReport], candidate: int, older: int) -> None:
        """A round is complete: find out where candidate and older version part in kept matches; write that down."""
        found: dict[int, Replay | None] = {}

        def replay_of(at: int) -> Replay | None:
            if at not in found:
                found[at] = self._replay(fixtures[at], reports[at], candidate)
            return found[at]

        for at, (fixture, report) in enumerate(zip(fixtures, reports, strict=True)):
            row = None if report.disturbed else _kept(fixture, report, candidate, self._names)
            if row is None or fixture.number in self.kept or replay_of(at) is None:
                continue
            row = self._compared(row, at, fixtures, (candidate, older), replay_of)
            self.kept[row.number] = row
            self._file.append(row)
        for fixture in fixtures:
            _remove(self.path / _waiting(fixture.number))

    def drop(self, fixtures: Sequence[Fixture], candidate: int) -> None:
        """Remove the replays of matches that do not count any more: it was decided before their rounds."""
        for fixture in fixtures:
            _remove(self.path / _waiting(fixture.number))
            row = self._played.get(fixture.number)
            kept = None if row is None else _kept(fixture, row.report(), candidate, self._names)
            if kept is not None:
                _remove(self.path / kept.file)

    # --- replays

    def _compared(
        self, row: KeptMatch, at: int, fixtures: Sequence[Fixture], who: tuple[int, int], replay_of: Any
    ) -> KeptMatch:
        """The row with the turn in which candidate and older version (`who`) first disagree, if possible on its seat.

        They are found in two matches of the same bots, of which the older version is one.
        """
        candidate, older = who
        mine, best, seats = replay_of(at), row, fixtures[at].seats
        for other, fixture in enumerate(fixtures):
            seat = fixture.seats.index(candidate)
            if seat == row.seat or older not in seats or sorted(fixture.seats) != sorted(seats):
                continue
            own = row.seat if fixture.seats[row.seat] == older else None
            others = seat if seats[seat] == older else None
            theirs = replay_of(other) if own is not None or others is not None else None
            parted = None if theirs is None else first_disagreement(mine, theirs, own, others)
            if parted is not None and (best.disagreement is None or parted.is_own):
                best = msgspec.structs.replace(row, disagreement=parted, baseline=older)
                if parted.is_own:
                    break
        return best

    def _replay(self, fixture: Fixture, report: MatchReport, candidate: int) -> Replay | None:
        """A match's replay, from the report or, after a new start, from its file; none if that is gone."""
        try:
            return replay_format.decode(self.content(fixture, report, candidate))
        except ReplayError:
            return None

    def content(self, fixture: Fixture, report: MatchReport, candidate: int) -> bytes:
        """A match's replay, encoded; empty if its file is gone."""
        if report.replay:
            return report.replay
        with suppress(OperatorError):
            path = self.path / (self.file_of(fixture, report, candidate) or _waiting(fixture.number))
            return read_plain(path, replay_format.MAX_BYTES + 1)
        return b""

    def file_of(self, fixture: Fixture, report: MatchReport, candidate: int) -> str:
        """The name of the file in which the replay of a match stays; empty for one that is not kept."""
        kept = _kept(fixture, report, candidate, self._names)
        return "" if kept is None else kept.file

    # --- the record

    def _open(self) -> RecordFile:
        """The record, locked and read; with force only what files it names."""
        path = printable(str(self.path))
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except (FileExistsError, NotADirectoryError) as error:
            raise OperatorError("compare-no-folder", path=path) from error
        except (OSError, ValueError) as error:
            raise MachineError("cannot-write", path=path, reason=error) from error
        try:
            file = RecordFile(self.path / RECORD, BEGINNING, MAX_BYTES)
        except InUseError as error:
            raise OperatorError("compare-folder-used", path=path) from error
        except DamagedError as error:
            raise self._damaged(error) from error
        try:
            if self._force:
                self._old = list(_files_of(file.lines()))
            else:
                file.read(Heading | PlayedMatch | KeptMatch, self._take)
        except DamagedError as error:
            file.close()
            raise self._damaged(error) from error
        except BaseException:
            file.close()
            raise
        return file

    def _take(self, row: Heading | PlayedMatch | KeptMatch) -> None:
        """A line of the record. Raises `ValueError` for what no comparison can have written."""
        if isinstance(row, Heading):
            if self.heading is not None or row.format != FORMAT:
                raise ValueError(row.format)
            self.heading = row
            return
        if self.heading is None or (isinstance(row, PlayedMatch) and not KEY.fullmatch(row.key)):
            raise ValueError(row)
        if row.file and not _is_ours(row):
            raise ValueError(row.file)
        seats = self.heading.terms.get("--seats")
        if not isinstance(seats, int):
            raise ValueError(seats)
        if isinstance(row, KeptMatch):
            parted = () if row.disagreement is None else (row.disagreement.seat,)
            if not all(0 <= seat < seats for seat in (row.seat, *parted)):
                raise ValueError(row.seat)
            if row.baseline is not None and not 0 <= row.baseline < len(self.heading.bots):
                raise ValueError(row.baseline)
            self.kept[row.number] = row
            return
        row.check(seats)
        self._played[int(row.key)] = row

    def _damaged(self, error: DamagedError) -> OperatorError:
        return OperatorError("compare-record-damaged", path=printable(str(self.path / RECORD)), line=error.line)

    def _check(self, given: Heading) -> None:
        """Raise `OperatorError` for the first thing that is not as it was when the comparison began."""
        stored, path = self.heading, printable(str(self.path))
        assert stored is not None
        if stored.game != given.game:
            raise _other(path, "GAME", stored.game, given.game)
        if stored.rules != given.rules:
            raise OperatorError("compare-other-rules", path=path, game=printable(given.game))
        names = [", ".join(bot.name for bot in one.bots) for one in (stored, given)]
        if names[0] != names[1]:
            raise _other(path, "BOT", *names)
        for before, now in zip(stored.bots, given.bots, strict=True):
            if before.digest != now.digest:
                raise OperatorError("compare-other-bot", path=path, bot=printable(now.name))
        for key in {**stored.terms, **given.terms}:
            if stored.terms.get(key) != given.terms.get(key):
                raise _other(path, key, stored.terms.get(key), given.terms.get(key))


def _other(path: str, key: str, before: object, now: object) -> OperatorError:
    stored, given = (printable(_shown(value))[:LONGEST_VALUE] for value in (before, now))
    return OperatorError("compare-other-terms", path=path, key=printable(key), stored=stored, given=given)


def _shown(value: object) -> str:
    """An option's value about as it is typed; a clock by its preset or its seconds."""
    if isinstance(value, dict):
        value = value.get("preset") or value.get("turn")
    return "-" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


def _kept(fixture: Fixture, report: MatchReport, candidate: int, names: Sequence[str]) -> KeptMatch | None:
    """What is kept of a match, and in which file; none if it was neither lost nor faulty."""
    seat = fixture.seats.index(candidate)
    place = report.places[seat] if report.places else 1
    ahead = sum(other < place for other in report.places)
    level = sum(other == place for other in report.places)
    result: Outcome = "lost" if ahead else "drawn" if level > 1 else "won"
    faulty = [bool(kinds) for kinds in report.faults] or [False] * len(fixture.seats)
    own, others = faulty[seat], any(bad for at, bad in enumerate(faulty) if at != seat)
    if result != "lost" and not own and not others:
        return None
    opponents = "+".join(dict.fromkeys(names[entrant] for entrant in fixture.seats if entrant != candidate))
    words = [f"{fixture.number:04}", result, *["faulty"] * own, *["opponent-faulty"] * others, f"seat{seat}"]
    words += [clean.file_name(opponents)[:LONGEST_NAME] or "bot", str(fixture.seed)]
    return KeptMatch(fixture.number, "-".join(words) + ENDING, fixture.seed, seat, result, own, others)


def _files_of(lines: Sequence[bytes]) -> Iterator[str]:
    """The replays that a record names; whatever else is in it is passed over."""
    for line in lines:
        try:
            row = msgspec.json.decode(line, type=PlayedMatch | KeptMatch)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, ValueError):
            continue
        if row.file and _is_ours(row):
            yield row.file


def _is_ours(row: PlayedMatch | KeptMatch) -> bool:
    """Whether the file of a line can be one that a comparison writes."""
    number = row.key if isinstance(row, PlayedMatch) else str(row.number)
    return bool(KEPT_NAME.fullmatch(row.file) or (KEY.fullmatch(number) and row.file == _waiting(number)))


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


def _remove(path: Path) -> None:
    """Remove a file; a folder of that name is not ours, and stays."""
    if not _is_folder(path):
        path.unlink(missing_ok=True)


def _waiting(number: int | str) -> str:
    """The file of a match whose round is not complete."""
    return f".waiting-{number}{ENDING}"
