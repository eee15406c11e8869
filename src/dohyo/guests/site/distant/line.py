"""The line between a match and the connections of bots that stay at home: a socket in the site's folder.

Each web server of the folder listens at one, below `distant/`; whoever plays a match there connects to it, once for
each seat. Over a line come JSON values, one a line: what is wanted first, then questions one way and what becomes of
them the other way. Both ends are ours, and nobody else can open a folder of the site's.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec

FOLDER = "distant"  # in the site's folder
MAX_LINE = 4 << 20  # bytes
SOON = 2.0  # seconds in which a web server that lives answers
KIND = "distant"  # of player


class Take(msgspec.Struct, tag="take"):
    """A seat of a match is wanted: the bot's number, the match's beginning as its machine is told it, and for how
    many seconds it is waited for while the bot plays others."""

    bot: int
    start: dict[str, Any]
    wait: float


class Who(msgspec.Struct, tag="who"):
    """The numbers of the bots are wanted that are there."""


class Ask(msgspec.Struct, tag="ask"):
    """An answer is wanted to this input, within so many seconds."""

    input: str
    limit: float


class Over(msgspec.Struct, tag="over"):
    """The match is over for the bot; as `wire.End`."""

    places: list[int] = []
    stopped: str = ""
    input: str = ""


class Told(msgspec.Struct, omit_defaults=True):
    """What is answered: the bots that are `there`, whether a seat was `taken`, or what became of a question.

    That is an `answer` and how long it took, with the seconds of it that are `charged`, the way's `delay`, and for
    how long connections were `lost`; or that it is `late`, that the bot `failed` with what its machine says, or that
    it is `gone`, after so many seconds, or has `left`.
    """

    there: list[int] = []
    taken: bool | None = None
    number: int = 0
    answer: str | None = None
    took: float = 0.0
    charged: float = 0.0
    delay: float = 0.0
    lost: float = 0.0
    late: bool = False
    failed: str | None = None
    gone: float = 0.0
    left: bool = False


@contextmanager
def short(path: Path) -> Iterator[str]:
    """A name for a file that has few letters, however deep its folder is: a socket's may have a hundred."""
    descriptor = os.open(path.parent, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield f"/proc/self/fd/{descriptor}/{path.name}"
    finally:
        os.close(descriptor)


def sockets(home: Path) -> list[Path]:
    """The sockets of the web servers of a site's folder, whether these live or not."""
    try:
        return sorted((home / FOLDER).iterdir())
    except OSError:
        return []


class Line:
    """One line, from the end of the match."""

    def __init__(self, path: Path, patience: float = SOON) -> None:
        """Connect to a web server. Raises `OSError` where none listens."""
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._rest = bytearray()
        try:
            self.socket.settimeout(patience)
            with short(path) as name:
                self.socket.connect(name)
        except BaseException:
            self.socket.close()
            raise

    def send(self, value: Take | Who | Ask | Over) -> None:
        """Send a value. Raises `OSError` where nobody is there any more."""
        self.socket.settimeout(SOON)
        self.socket.sendall(msgspec.json.encode(value) + b"\n")

    @property
    def has_value(self) -> bool:
        """Whether a whole value has come already, behind an earlier one."""
        return b"\n" in self._rest

    def received(self) -> Told | None:
        """What has come, if a value is whole: bytes are taken as they are there now, without a wait.

        Raises `OSError` once the other end is gone.
        """
        if self.has_value:
            return self._whole()
        self.socket.setblocking(False)
        with suppress(BlockingIOError):
            content = self.socket.recv(1 << 16)
            if not content or len(self._rest) > MAX_LINE:
                raise ConnectionResetError
            self._rest += content
        return self._whole()

    def _whole(self) -> Told | None:
        end = self._rest.find(b"\n")
        if end < 0:
            return None
        content = bytes(self._rest[:end])
        del self._rest[: end + 1]
        return msgspec.json.decode(content, type=Told)

    def answer(self, patience: float = SOON) -> Told:
        """The next value, waited for. Raises `OSError`."""
        while (found := self._whole()) is None:
            self.socket.settimeout(patience)
            content = self.socket.recv(1 << 16)
            if not content or len(self._rest) > MAX_LINE:
                raise ConnectionResetError
            self._rest += content
        return found

    def close(self) -> None:
        """End it."""
        self.socket.close()


def there(home: Path) -> set[int]:
    """The numbers of the bots that are connected to a web server of this folder."""
    found: set[int] = set()
    for path in sockets(home):
        with suppress(OSError, msgspec.MsgspecError):
            line = Line(path)
            try:
                line.send(Who())
                found.update(line.answer().there)
            finally:
                line.close()
    return found
