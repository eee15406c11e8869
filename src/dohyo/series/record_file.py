"""A record of matches: a file of JSON lines that somebody adds to while it plays, and goes on with later.

A line is written as soon as it is known and never changed, and about once a second all of them are made safe against
a loss of power (fsync). So whatever ends the process, no match that was over is lost. A last line that was not
finished is dropped by whoever goes on. One process at a time has a record (a lock of the system's, which ends with
the process).

A comparison's (`compare_folder.py`) and a tuning's (`tune/record.py`) are such records. The first line is their
heading, and both have a `PlayedMatch` for each match.
"""

from __future__ import annotations

import fcntl
import os
import stat
from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from typing import IO, Any

import msgspec

from dohyo.bots.content import printable
from dohyo.core.bounds import check_json
from dohyo.core.errors import MachineError, OperatorError
from dohyo.core.faults import KINDS
from dohyo.executors import MatchReport

MAX_SCORE = 1e15  # of points in a game
SHORTEST_LINE = 16  # bytes; each line becomes an object
LONGEST_LINE = 4 << 20  # bytes: the heading names each bot
DEEPEST = 32  # lists and objects in each other
BYTES_A_VALUE = 4  # of a value in a line, or more
EVERY = 1.0  # seconds after which what was written is made safe against a loss of power
TRACE = "Traceback"  # how an error in a report begins if it is a defect of Dohyo


class InUseError(Exception):
    """Another process has the record."""


class DamagedError(Exception):
    """The line with this number, from 1, cannot be read; 0 if it is no record at all."""

    def __init__(self, line: int) -> None:
        super().__init__(line)
        self.line = line


class PlayedMatch(msgspec.Struct, frozen=True, tag_field="what", tag="match", omit_defaults=True):
    """What came of the match with this key; its replay was written to `file`. `disturbed` as in `MatchReport`."""

    key: str
    places: tuple[int, ...] = ()
    scores: tuple[int | float, ...] = ()
    faults: tuple[tuple[str, ...], ...] = ()
    disturbed: bool = False
    file: str = ""

    @staticmethod
    def of(report: MatchReport, file: str = "") -> PlayedMatch:
        """A report as it is written down. See `raise_error` for one that is not."""
        return PlayedMatch(report.key, report.places, report.scores, report.faults, report.disturbed, file)

    def check(self, seats: int) -> None:
        """Raise `ValueError` for what no match between so many can have come to; the file may be a stranger's."""
        if self.disturbed:
            return
        if len(self.places) != seats or not all(1 <= place <= seats for place in self.places):
            raise ValueError(self.places)
        if len(self.faults) not in (0, seats) or len(self.scores) not in (0, seats):
            raise ValueError(self.key)
        if not {kind for kinds in self.faults for kind in kinds} <= KINDS:
            raise ValueError(self.faults)
        if not all(abs(score) <= MAX_SCORE for score in self.scores):
            raise ValueError(self.scores)

    def report(self, key: str = "") -> MatchReport:
        """The report of a match that was played before, without its replay; under this key if there is one."""
        return MatchReport(
            key or self.key, places=self.places, scores=self.scores, faults=self.faults, disturbed=self.disturbed
        )


def raise_error(report: MatchReport, patient: bool = True) -> None:
    """Raise the error of a match that cannot be played; one that was disturbed is an error only to the impatient.

    Raises `OperatorError` with the match's key, and `RuntimeError` for a defect of ours.
    """
    if report.error.startswith(TRACE) and not report.mend:
        raise RuntimeError(f"match {report.key}\n{report.error}")
    if report.error and not (report.disturbed and patient):
        raise OperatorError("compare-match-failed", number=report.key, error=report.error)


class RecordFile:
    """A record's file, locked until it is closed. `beginning` is how its first line begins, `most` bytes are read."""

    def __init__(self, path: str | os.PathLike[str], beginning: bytes, most: int) -> None:
        """Open or make the file. Raises `InUseError`, `DamagedError`, or `OperatorError` if that is impossible."""
        self.path = os.fspath(path)
        self._beginning, self._most = beginning, most
        self._end: int | None = 0  # where whole lines end, until something is written behind them
        self._synced = 0.0
        self._file = self._locked()

    def _locked(self) -> IO[bytes]:
        try:
            # Not to follow a link that a stranger has put there, nor to wait for the other end of a pipe.
            flags = os.O_RDWR | os.O_CREAT | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC
            descriptor = os.open(self.path, flags, 0o666)
        except (OSError, ValueError) as error:
            raise self._not_written(error) from error
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise DamagedError(0)
        file = os.fdopen(descriptor, "r+b")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            file.close()
            raise InUseError from error
        return file

    def lines(self) -> list[bytes]:
        """The whole lines as they are, also of another's file."""
        self._file.seek(0)
        content = self._file.read(self._most)
        if content.count(b"\n") > self._most // SHORTEST_LINE:
            raise DamagedError(0)
        self._end = content.rfind(b"\n") + 1
        return content[: self._end].split(b"\n")[:-1]

    def read(self, kinds: Any, take: Callable[[Any], None]) -> None:
        """Give each line to `take`, decoded as one of `kinds`.

        Raises `DamagedError` for a line that is none of these, or for which `take` raises `ValueError`.
        """
        if not self.is_record():
            raise DamagedError(1)
        if os.fstat(self._file.fileno()).st_size > self._most:
            raise DamagedError(0)
        decoder = msgspec.json.Decoder(kinds)
        for number, line in enumerate(self.lines(), 1):
            try:
                check_json(line, LONGEST_LINE, DEEPEST, BYTES_A_VALUE)
                take(decoder.decode(line))
            except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, ValueError) as error:
                raise DamagedError(number) from error

    def is_record(self) -> bool:
        """Whether the file is empty or begins as a record does: that may be all that was written of it."""
        self._file.seek(0)
        begins = self._file.read(len(self._beginning))
        return self._beginning.startswith(begins)

    def begin_again(self) -> None:
        """Remove all lines."""
        self._end = 0
        self.go_on()

    def go_on(self) -> None:
        """Remove a last line that was not finished, to write behind the others."""
        if self._end is None:
            return
        try:
            self._file.truncate(self._end)
            self._file.seek(self._end)
        except OSError as error:
            raise self._not_written(error) from error
        self._end = None

    def append(self, row: msgspec.Struct) -> None:
        """Write a line, to be there when this process dies. Raises `OperatorError` if it cannot be written."""
        self.go_on()
        try:
            self._file.write(msgspec.json.encode(row) + b"\n")
            self._file.flush()
            if monotonic() - self._synced >= EVERY:
                os.fsync(self._file.fileno())
                self._synced = monotonic()
        except OSError as error:
            raise self._not_written(error) from error

    def close(self) -> None:
        """Let others have it; an empty file is removed."""
        if self._file.closed:
            return
        with suppress(OSError):
            self._file.flush()
            os.fsync(self._file.fileno())
            if not os.fstat(self._file.fileno()).st_size:
                os.unlink(self.path)
        with suppress(OSError):
            self._file.close()

    def _not_written(self, error: Exception) -> OperatorError:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        return MachineError("cannot-write", path=printable(self.path), reason=reason)
