"""Matches as PGN, as chess programs read it: those of a contest, and the file that a comparison adds its matches to.

A block for each match, with its moves where the game has a notation for them. A comparison is in no store from which
its file could be written again. So matches are added behind those that are there, as soon as their round is complete,
and one process at a time writes.
"""

from __future__ import annotations

import fcntl
import os
import re
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from time import monotonic
from typing import TYPE_CHECKING

from msgspec.structs import replace

from dohyo.bots.content import printable
from dohyo.core.contest import Result
from dohyo.core.errors import MachineError, OperatorError, ReplayError
from dohyo.i18n import Message
from dohyo.series.formats.comparison import Candidate

if TYPE_CHECKING:
    from dohyo.bots import Bot
    from dohyo.core.game import Game
    from dohyo.series.exports.export import ResultLine
    from dohyo.series.store import Store

COMMENT = re.compile(r"\s*\{[^}]*\}")  # of a move in PGN
LOOKED_AT = 1 << 14  # bytes of a file that is there already
EVENT = Candidate.info.name  # where no other name is given
EVERY = 1.0  # seconds after which what was written is made safe against a loss of power
UNKNOWN_DATE = "????-??-??"  # of a match that another process has played
NO_DAY = re.compile(r'^\[Date "\?{4}\.\?\?\.\?\?"\]$', re.MULTILINE)  # the tag of a game of which nobody told it
LONGEST_TAG = 1 << 15  # bytes of a line that are read of a file that is there
# The tags of a match by which it is known again: its place, who sat where, its seed; the first one, and the last.
PLACE = re.compile(rb'\[(Round|White|Black|Seat\d{1,3}|Seed) "')
FIRST, LAST = b'[Round "', b'[Seed "'
APART = b"\n\n"  # what stands behind every match


def is_of(content: bytes, name: str) -> bool:
    """Whether a file is empty, or has matches of the contest or comparison of this name, as we write them.

    `content` are its first `LOOKED_AT` bytes.
    """
    begins = content.decode("utf-8", "replace")
    return not begins or (begins.startswith(_event(name)) and '[Replay "' in begins)


def _event(name: str) -> str:
    from dohyo.series.exports.export import quoted

    return f'[Event "{quoted(name)}"]\n'


def as_pgn(
    store: Store, game: Game, found: Iterable[ResultLine], site: str | None = None, is_bare: bool = False
) -> Iterator[str]:
    """Each match as a game in PGN, with its place in the contest among the tags; in games without moves, the tags.

    `site` is the tag of that name, where it is not the game's name. With `is_bare` moves have no comments.
    """
    for line in found:
        content = None if line.replay is None or game.pgn is None else store.files.get(line.replay)
        yield block(game, line, content, site, is_bare)


def block(game: Game, line: ResultLine, replay: bytes | None, site: str | None = None, is_bare: bool = False) -> str:
    """One match of `as_pgn`, with an empty line behind it. Without its encoded `replay` it has tags alone."""
    from dohyo.core import replay_format
    from dohyo.series.exports.export import as_headers

    head = next(as_headers([line], site))
    if replay is None or game.pgn is None:
        return head
    text: str = game.pgn(replay_format.decode(replay))
    tags, _, moves = text.partition("\n\n")
    ours = head.strip().splitlines()
    own = {tag.partition(" ")[0] for tag in ours}
    kept = [tag for tag in tags.splitlines() if tag.partition(" ")[0] not in own]
    return "\n".join([*ours, *kept, "", COMMENT.sub("", moves) if is_bare else moves]).rstrip("\n") + "\n\n"


def with_day(text: str, ended: float | None) -> str:
    """A game in PGN with the day (UTC) on which it ended, from 1970, where its tags have none; or as it is."""
    if not ended:
        return text
    day = datetime.fromtimestamp(ended, UTC).strftime("%Y.%m.%d")
    return NO_DAY.sub(f'[Date "{day}"]', text, count=1)


class PgnFile:
    """The file to which a comparison writes its matches as they count, locked until it is closed.

    `count` is the number of matches that were added to it.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        game: Game,
        event: str | None = None,
        site: str | None = None,
        comments: bool = True,
    ) -> None:
        """Open or make the file; `event` and `site` are tags of every match, `comments` stand beside moves.

        Raises `OperatorError` if it cannot be written, is in use, or is not one of matches of this event.
        """
        self.path, self.count = os.fspath(path), 0
        self.event = EVENT if event is None else event
        self._game, self._site, self._comments = game, site, comments
        self._synced, self._failed = 0.0, False
        self._there: set[bytes] | None = None  # the matches of earlier processes; none: not read yet
        self._made = not os.path.lexists(self.path)
        self._descriptor = self._opened()
        try:
            if not is_of(os.pread(self._descriptor, LOOKED_AT, 0), self.event):
                raise OperatorError("compare-pgn-there", path=printable(self.path), name=printable(self.event))
            self._begin = os.fstat(self._descriptor).st_size
            ends = os.pread(self._descriptor, len(APART), max(0, self._begin - len(APART)))
            self._is_whole = not self._begin or ends == APART  # a loss of power may have cut off a match
            self._written = self._begin, -1
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> PgnFile:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let others have it; a file that was made for it and is empty is removed."""
        with suppress(OSError):
            os.fsync(self._descriptor)
        with suppress(OSError):
            if self._made and not os.fstat(self._descriptor).st_size:
                os.unlink(os.path.realpath(self.path))
        with suppress(OSError):
            os.close(self._descriptor)

    def add(
        self,
        played: Result,
        bots: Sequence[tuple[str, Bot]],
        replay: bytes,
        file: str = "",
        ended: datetime | None = None,
    ) -> None:
        """Add a match between `bots`, with their names, by seat, that `ended` then.

        None for `ended` is a match that an earlier process played: it is not added if it is in the file already.
        Without an encoded `replay`, or with one that cannot be read, it has tags alone; `file` is the replay's name
        in the comparison's folder. Numbers ascend: one that is not higher than the last is there already.

        Raises `OperatorError` if it cannot be written; after that nothing is written any more.
        """
        end, last = self._written
        if played.fixture.number <= last or self._failed:
            return
        try:
            content = self._block(self._line(played, bots, file, ended), replay)
            if ended is None and self._matches().issuperset(_places(content.splitlines(keepends=True))):
                return
            if not self.count and not self._is_whole:
                content = APART + content  # what was cut off stays alone
            # At its own place: an interrupt may come before the next line, and then this is written once more.
            self._write(content, end)
        except OSError as error:
            self._failed = True
            with suppress(OSError):
                os.ftruncate(self._descriptor, end)  # not half a match
            raise self._not_written(error) from error
        self._written, self.count = (end + len(content), played.fixture.number), self.count + 1

    def _matches(self) -> set[bytes]:
        """The matches that were in the file when it was opened, as `_places` has them; not one that was cut off."""
        if self._there is None:
            found = list(_places(self._lines()))
            self._there = set(found if self._is_whole else found[:-1])
        return self._there

    def _lines(self) -> Iterator[bytes]:
        """The lines that were in the file when it was opened."""
        left = self._begin
        with open(self._descriptor, "rb", closefd=False) as file:
            file.seek(0)
            while line := file.readline(min(left, LONGEST_TAG)):
                left -= len(line)
                yield line

    def _block(self, line: ResultLine, replay: bytes) -> bytes:
        """A match as it stands in the file; a replay may be one that a stranger has put into the folder."""
        try:
            made = block(self._game, line, replay or None, self._site, not self._comments)
        except ReplayError:
            made = block(self._game, line, None, self._site)
        return made.encode()

    def _line(
        self,
        played: Result,
        bots: Sequence[tuple[str, Bot]],
        file: str,
        ended: datetime | None,
    ) -> ResultLine:
        from dohyo.series.exports.export import as_played

        named = [(name, bot.digest) for name, bot in bots]
        line = as_played(self.event, self._game.name, named, played)
        when = UNKNOWN_DATE if ended is None else ended.isoformat(timespec="seconds")
        return replace(line, ended=when, replay=file or None)

    def _write(self, content: bytes, at: int) -> None:
        rest = memoryview(content)
        while rest:
            wrote = os.pwrite(self._descriptor, rest, at)
            rest, at = rest[wrote:], at + wrote
        if monotonic() - self._synced >= EVERY:  # safe against a loss of power
            os.fsync(self._descriptor)
            self._synced = monotonic()

    def _opened(self) -> int:
        try:
            descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_NONBLOCK | os.O_CLOEXEC, 0o666)
        except (OSError, ValueError) as error:
            raise self._not_written(error) from error
        try:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise MachineError("cannot-write", path=printable(self.path), reason=Message("system.not-ordinary"))
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            os.close(descriptor)
            raise OperatorError("compare-pgn-used", path=printable(self.path)) from error
        except OSError:
            pass  # a file system without locks
        except BaseException:
            os.close(descriptor)
            raise
        return descriptor

    def _not_written(self, error: Exception) -> OperatorError:
        return MachineError("cannot-write", path=printable(self.path), reason=error)


def _places(lines: Iterable[bytes]) -> Iterator[bytes]:
    """By what each match is known again: the tags that say its place in the comparison, who sat where, its seed."""
    tags = b""
    for line in lines:
        if PLACE.match(line):
            tags = line if line.startswith(FIRST) else (tags + line)[:LONGEST_TAG]
            if line.startswith(LAST):
                yield tags
