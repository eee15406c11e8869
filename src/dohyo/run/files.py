"""Replays as files: written whole or not at all, compressed when the name says so."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path

from dohyo import games
from dohyo.core import playback
from dohyo.core import replay as replays
from dohyo.core.errors import OperatorError
from dohyo.core.replay import Replay


def write_whole(path: str | os.PathLike[str], content: bytes) -> Path:
    """Write a file under a temporary name beside it, then rename: nobody ever sees half of it.

    Raises `OperatorError` when the place cannot be written to.
    """
    target = Path(path)
    descriptor, temporary = _temporary(target)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, target)
    except OSError as error:
        raise OperatorError("cannot-write", path=target, reason=error.strerror) from error
    finally:
        with suppress(FileNotFoundError):
            os.unlink(temporary)
    return target


def check_place(path: str | os.PathLike[str]) -> None:
    """Raise now the `OperatorError` that `write_whole` would raise later, after a long match."""
    descriptor, temporary = _temporary(Path(path))
    os.close(descriptor)
    os.unlink(temporary)


def _temporary(target: Path) -> tuple[int, str]:
    """A new file beside `target`, open for writing, to be renamed to it."""
    # Renaming would put an ordinary file in the place of a device such as /dev/null.
    if target.exists() and not target.is_file():
        raise OperatorError("cannot-write", path=target, reason="not an ordinary file")
    try:
        return tempfile.mkstemp(prefix=".dohyo-", dir=target.parent)
    except OSError as error:
        raise OperatorError("cannot-write", path=target, reason=error.strerror) from error


def save(replay: Replay, path: str | os.PathLike[str]) -> Path:
    """Write the replay to `path`, compressed when the name ends in `.zst`."""
    return write_whole(path, replays.encode(replay, compressed=os.fspath(path).endswith(".zst")))


def load(path: str | os.PathLike[str]) -> Replay:
    """The replay in a file, compressed or not.

    Raises `OperatorError` when it cannot be read, and `ReplayError` when its content is not a whole replay.
    """
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise OperatorError("cannot-read", path=path, reason=error.strerror) from error
    return replays.decode(content)


def verify(replay: Replay) -> int:
    """Play the recorded moves again and compare every turn; how many turns were compared.

    Raises `ReplayError` at the first difference.
    """
    return playback.verify(games.find(replay.header.game), replay)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
