"""The file in which a tuning is kept: what was asked, who was tried, and every match. One line of JSON for each.

A line is written as soon as it is known, and never changed. So whatever ends the process, only matches that were
being played are lost; a last line that is cut off is removed when the file is opened again. One process at a time has
the file (a lock of the system's, which ends with the process).
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import suppress
from typing import IO, Any

import msgspec

from dohyo.app.executors.version import Rules
from dohyo.app.tune.space import Parameter
from dohyo.core.errors import OperatorError

FORMAT = 1
MOST_BYTES = 1 << 28  # of a file: a million matches


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


class Head(msgspec.Struct, frozen=True, tag_field="line", tag="tune"):
    """The first line."""

    format: int
    question: Question


class Generation(msgspec.Struct, frozen=True, tag_field="line", tag="generation"):
    """Who plays in a generation, each with values by name."""

    number: int
    candidates: tuple[dict[str, str], ...]


class Final(msgspec.Struct, frozen=True, tag_field="line", tag="final"):
    """Which values the final comparison with this key is about."""

    key: str
    values: dict[str, str]


class PlayedMatch(msgspec.Struct, frozen=True, tag_field="line", tag="match", omit_defaults=True):
    """What came of a match; nothing if Dohyo itself was stopped for a time, at every attempt."""

    key: str
    places: tuple[int, ...] = ()
    scores: tuple[int | float, ...] = ()
    faults: tuple[tuple[str, ...], ...] = ()
    disturbed: bool = False


Line = Head | Generation | Final | PlayedMatch


class Record:
    """A tuning's file, open for this process; a context manager. Without a path nothing is kept.

    `generations` and `matches` are what it holds, by number and by key.
    """

    def __init__(self, path: str | None) -> None:
        self.path = path
        self.question: Question | None = None
        self.generations: dict[int, Generation] = {}
        self.finals: dict[str, Final] = {}
        self.matches: dict[str, PlayedMatch] = {}
        self._file: IO[bytes] | None = None
        if path is not None:
            self._open(path)

    def _open(self, path: str) -> None:
        try:
            self._file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT | os.O_NONBLOCK | os.O_CLOEXEC, 0o666), "r+b")
            if not os.path.isfile(path):
                raise OperatorError("tune-store-other", path=path)
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self._read(path)
        except BlockingIOError as error:
            self.close()
            raise OperatorError("tune-store-used", path=path) from error
        except OSError as error:
            self.close()
            raise OperatorError("cannot-write", path=path, reason=error.strerror) from error
        except OperatorError:
            self.close()
            raise

    def _read(self, path: str) -> None:
        assert self._file is not None
        content = self._file.read(MOST_BYTES + 1)
        if len(content) > MOST_BYTES:
            raise OperatorError("tune-store-other", path=path)
        whole = content[: content.rfind(b"\n") + 1]
        decoder: msgspec.json.Decoder[Line] = msgspec.json.Decoder(Line)
        for number, text in enumerate(whole.splitlines(), 1):
            try:
                self._take(decoder.decode(text))
            except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
                key = "tune-store-damaged" if self.question else "tune-store-other"
                raise OperatorError(key, path=path, number=number) from error
            if self.question is None:
                raise OperatorError("tune-store-other", path=path)
        if content and not whole and not content.startswith(b'{"line":"tune"'):
            raise OperatorError("tune-store-other", path=path)  # another's file of one line
        if len(whole) < len(content):
            self._file.truncate(len(whole))
        self._file.seek(len(whole))

    def _take(self, line: Line) -> None:
        if isinstance(line, Head):
            if line.format != FORMAT:
                raise msgspec.ValidationError("another format")
            self.question = line.question
        elif isinstance(line, Generation):
            self.generations[line.number] = line
        elif isinstance(line, Final):
            self.finals[line.key] = line
        else:
            self.matches[line.key] = line

    def ask(self, question: Question) -> None:
        """Say what the tuning is about. Raises `OperatorError` if the file is about something else."""
        if self.question is None:
            self.add(Head(FORMAT, question))
            return
        # The same form on both sides: a setup's values may come back from JSON as another type.
        asked = msgspec.json.decode(msgspec.json.encode(question), type=Question)
        for name in Question.__struct_fields__:
            if getattr(asked, name) != getattr(self.question, name):
                raise OperatorError("tune-store-differs", path=self.path, what=name)

    def add(self, line: Line) -> None:
        """Write a line. Raises `OperatorError` if there is no room for it."""
        self._take(line)
        if self._file is None:
            return
        try:
            self._file.write(msgspec.json.encode(line) + b"\n")
            self._file.flush()
        except OSError as error:
            raise OperatorError("cannot-write", path=self.path, reason=error.strerror) from error

    def close(self) -> None:
        """Let others have the file; one to which nothing was written is removed."""
        if self._file is not None:
            with suppress(OSError):
                if self.question is None and os.fstat(self._file.fileno()).st_size == 0:
                    os.unlink(str(self.path))
            self._file.close()
            self._file = None

    def __enter__(self) -> Record:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __iter__(self) -> Iterator[PlayedMatch]:
        return iter(self.matches.values())
