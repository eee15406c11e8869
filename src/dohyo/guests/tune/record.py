"""The file in which a tuning is kept: what was asked, who was tried, and every match, each a line of a record."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from dohyo.core.errors import OperatorError
from dohyo.executors.version import Rules
from dohyo.guests.tune.space import Parameter
from dohyo.series.record_file import DamagedError, InUseError, PlayedMatch, RecordFile

BEGINNING = b'{"what":"tune"'
FORMAT = 1
MAX_BYTES = 1 << 26  # of a record: some 400,000 matches


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


class Head(msgspec.Struct, frozen=True, tag_field="what", tag="tune"):
    """The first line."""

    format: int
    question: Question


class Generation(msgspec.Struct, frozen=True, tag_field="what", tag="generation"):
    """Who plays in a generation, each with values by name."""

    number: int
    candidates: tuple[dict[str, str], ...]


class Final(msgspec.Struct, frozen=True, tag_field="what", tag="final"):
    """Which values the final comparison with this key is about."""

    key: str
    values: dict[str, str]


class Effects(msgspec.Struct, frozen=True, tag_field="what", tag="effects"):
    """Which parameters seem to change nothing, by name."""

    without: tuple[str, ...]


Line = Head | Generation | Final | Effects | PlayedMatch


class Record:
    """A tuning's file, open for this process; a context manager. Without a path nothing is kept.

    `generations` and `matches` are what it holds, by number and by key.
    """

    def __init__(self, path: str | None, force: bool = False) -> None:
        """Open the file, or make it, and read it; with `force` only to begin again, once it is known with what.

        Raises `OperatorError` if it is another's file (by `force` too), damaged, in use, or cannot be written.
        """
        self.path = path
        self.question: Question | None = None
        self.generations: dict[int, Generation] = {}
        self.finals: dict[str, Final] = {}
        self.effects: Effects | None = None
        self.matches: dict[str, PlayedMatch] = {}
        self._file: RecordFile | None = None
        if path is not None:
            self._open(path, force)

    def _open(self, path: str, force: bool) -> None:
        try:
            self._file = RecordFile(path, BEGINNING, MAX_BYTES)
            if not force:
                self._file.read(Line, self._take_read)
            elif not self._file.is_record():
                raise DamagedError(1)
        except InUseError as error:
            raise OperatorError("tune-store-used", path=path) from error
        except DamagedError as error:
            self.close()
            key = "tune-store-damaged" if self.question else "tune-store-other"
            raise OperatorError(key, path=path, number=error.line) from error
        except BaseException:
            self.close()
            raise

    def _take_read(self, line: Line) -> None:
        """A line as it was read. Raises `ValueError` unless the first, and no other, is a heading of this format."""
        if (self.question is None) != isinstance(line, Head) or (isinstance(line, Head) and line.format != FORMAT):
            raise ValueError(line)
        if isinstance(line, PlayedMatch) and self.question is not None:  # whether it fits its candidate is seen later
            is_final = line.key.startswith("final")
            line.check(self.question.seats if is_final or not line.places else len(line.places))
        self._take(line)

    def _take(self, line: Line) -> None:
        if isinstance(line, Head):
            self.question = line.question
        elif isinstance(line, Generation):
            self.generations[line.number] = line
        elif isinstance(line, Final):
            self.finals[line.key] = line
        elif isinstance(line, Effects):
            self.effects = line
        else:
            self.matches[line.key] = line

    def ask(self, question: Question) -> None:
        """Say what the tuning is about. Raises `OperatorError` if the file is about something else."""
        if self.question is None:
            if self._file is not None:
                self._file.begin_again()
            self.add(Head(FORMAT, question))
            return
        if self._file is not None:
            self._file.go_on()
        # The same form on both sides: a setup's values may come back from JSON as another type.
        asked = msgspec.json.decode(msgspec.json.encode(question), type=Question)
        for name in Question.__struct_fields__:
            if getattr(asked, name) != getattr(self.question, name):
                raise OperatorError("tune-store-differs", path=self.path, what=name)

    def add(self, line: Line) -> None:
        """Write a line. Raises `OperatorError` if there is no room for it."""
        self._take(line)
        if self._file is not None:
            self._file.append(line)

    def close(self) -> None:
        """Let others have the file; one to which nothing was written is removed."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def __enter__(self) -> Record:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __iter__(self) -> Iterator[PlayedMatch]:
        return iter(self.matches.values())
