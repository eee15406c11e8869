"""A file of puzzles: JSON Lines, to which is only ever added.

The first line is `{"dohyo-puzzles": 1}`. Each other one has one key, which says what it is:

    {"puzzle": {...}}    a puzzle, `puzzle.Puzzle`
    {"try": {...}}       somebody tried one, `Attempt`; ratings are reckoned from these
    {"looked": "..."}    a match that was looked through, so that a search goes on with the next one

Anybody may have written it. Lines that cannot be read are left out, and counted.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from dohyo.core.bounds import TooMuchError, check_json
from dohyo.core.errors import MachineError, OperatorError
from dohyo.match.files import read_bounded
from dohyo.series.puzzles.puzzle import Identifier, Label, Puzzle

KEY, VERSION = "dohyo-puzzles", 1
BEGINNING = msgspec.json.encode({KEY: VERSION})
MAX_FILE = 1 << 27  # bytes
MAX_LINE = 1 << 20
MAX_LINES = 1_000_000  # that are looked at; of puzzles:
MAX_PUZZLES = 100_000
DEEPEST, EACH = 12, 1  # of what JSON may become, see `check_json`


class Attempt(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who has tried a puzzle, and whether the first answer was right; `is_bot` says that it was no person."""

    puzzle: Identifier
    by: Label
    solved: bool
    is_bot: bool = False
    seconds: Annotated[float, Meta(ge=0.0, le=1e9)] | None = None


class Line(msgspec.Struct, omit_defaults=True):
    """A line behind the first one: one of these is given."""

    puzzle: Puzzle | None = None
    attempt: Attempt | None = msgspec.field(default=None, name="try")
    looked: Annotated[str, Meta(max_length=400)] | None = None


class PuzzleFile(msgspec.Struct):
    """What is in a file: puzzles in their order, what was tried, which matches were looked through.

    `left_out` lines could not be read.
    """

    path: str
    puzzles: list[Puzzle] = []
    attempts: list[Attempt] = []
    looked: set[str] = set()
    left_out: int = 0


def is_puzzle_file(path: str) -> bool:
    """Whether a file says in its first line that it holds puzzles."""
    try:
        return read_bounded(path, 200).split(b"\n", 1)[0].replace(b" ", b"").startswith(b'{"dohyo-puzzles":')
    except OperatorError:
        return False


def read(path: str) -> PuzzleFile:
    """What is in a file. Raises `OperatorError` for one that does not hold puzzles."""
    content = read_bounded(path, MAX_FILE + 1)
    if len(content) > MAX_FILE:
        raise OperatorError("puzzles-too-large", path=path, most=MAX_FILE >> 20)
    end = content.find(b"\n")
    if not _is_beginning(content[:end] if end >= 0 else content):
        raise OperatorError("puzzles-no-file", path=path)
    found = PuzzleFile(path, [], [], set())
    for line in _bounded(content, len(content) if end < 0 else end + 1, found):
        try:
            check_json(line, MAX_LINE, DEEPEST, EACH)
            one = msgspec.json.decode(line, type=Line)
        except (TooMuchError, msgspec.MsgspecError, UnicodeError, RecursionError):
            found.left_out += 1
            continue
        if one.puzzle is not None and len(found.puzzles) < MAX_PUZZLES:
            found.puzzles.append(one.puzzle)
        elif one.puzzle is not None:
            found.left_out += 1
        if one.attempt is not None:
            found.attempts.append(one.attempt)
        if one.looked is not None:
            found.looked.add(one.looked)
    return found


def _is_beginning(line: bytes) -> bool:
    try:
        return bool(msgspec.json.decode(line[:200], type=dict[str, Any]).get(KEY) == VERSION)
    except msgspec.MsgspecError:
        return False


def _bounded(content: bytes, at: int, found: PuzzleFile) -> Iterator[bytes]:
    """The lines from a place on that are looked at, one after the other: all at once take many times the space."""
    for _ in range(MAX_LINES):
        if at >= len(content):
            return
        end = content.find(b"\n", at)
        end = len(content) if end < 0 else end
        if end - at > MAX_LINE:
            found.left_out += 1
        elif line := content[at:end].strip():
            yield line
        at = end + 1
    found.left_out += content.count(b"\n", at) + (at < len(content) and not content.endswith(b"\n"))


class Written:
    """A file of puzzles that is added to, line by line: what is found is kept, whatever happens then.

    Raises `OperatorError` for a file that holds something else, and where it cannot be written.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        is_there = os.path.lexists(path) and os.path.getsize(path) > 0
        self.known = read(path) if is_there else PuzzleFile(path, [], [], set())
        try:
            self._file = open(path, "ab")  # noqa: SIM115 - closed by `close`
            if self._file.tell() == 0:
                self._write(BEGINNING)
            elif not _ends_whole(path):
                self._file.write(b"\n")  # whoever wrote before was stopped in the middle of a line
        except OSError as error:
            raise MachineError("cannot-write", path=path, reason=error) from error

    def __enter__(self) -> Written:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def add(self, puzzle: Puzzle) -> None:
        """Add a puzzle."""
        self._put(Line(puzzle=puzzle))
        self.known.puzzles.append(puzzle)

    def add_attempt(self, attempt: Attempt) -> None:
        """Add that somebody tried one."""
        self._put(Line(attempt=attempt))
        self.known.attempts.append(attempt)

    def add_looked(self, match: str) -> None:
        """Note that a match was looked through."""
        if match not in self.known.looked:
            self._put(Line(looked=match))
            self.known.looked.add(match)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _put(self, line: Line) -> None:
        try:
            self._write(msgspec.json.encode(line))
        except OSError as error:
            raise MachineError("cannot-write", path=self.path, reason=error) from error

    def _write(self, line: bytes) -> None:
        self._file.write(line + b"\n")
        self._file.flush()


def _ends_whole(path: str) -> bool:
    with open(path, "rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read(1) == b"\n"
