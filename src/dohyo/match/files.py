"""Files and folders are written completely or not at all; files are read up to a limit."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from dohyo.core.errors import MachineError, OperatorError
from dohyo.i18n import Message
from dohyo.system.plain_files import open_plain, read_plain_bytes

SQLITE = b"SQLite format 3\0"  # how a database of SQLite begins


def write_whole(path: str | os.PathLike[str], content: bytes, *, follow: bool = True) -> Path:
    """Write a file under a temporary name beside it, then rename: nobody ever sees half of it.

    A link is followed, so it is still a link afterwards; without `follow` it is replaced: in a folder that a stranger
    may have prepared, it may lead anywhere. Raises `OperatorError` if the file cannot be written.
    """
    with written_whole(path, follow=follow) as temporary:
        temporary.write_bytes(content)
    return Path(path)


@contextlib.contextmanager
def written_whole(path: str | os.PathLike[str], *, follow: bool = True) -> Iterator[Path]:
    """A context with an empty file, which takes the place of `path` at its end; see `write_whole`.

    For what is written piece by piece. After an exception nothing is there that was not there before.
    """
    target = Path(os.path.realpath(path) if follow else path)
    temporary = _temporary(target)
    try:
        yield temporary
        temporary.replace(target)
    except OSError as error:
        raise MachineError("cannot-write", path=path, reason=error) from error
    finally:
        temporary.unlink(missing_ok=True)


def write_pieces(path: str | os.PathLike[str], pieces: Iterable[str]) -> Path:
    """Write a text that comes in pieces as a whole file or not at all: under another name, then renamed."""
    with written_whole(path) as temporary, temporary.open("w", encoding="utf-8", newline="") as file:
        file.writelines(pieces)
    return Path(path)


def write_folder(place: Path, files: Mapping[str, str], *, parents: bool = False) -> None:
    """Make a folder with these texts, by their relative names: all of them or, if one cannot be written, none.

    The folder may be there, if it is empty. With `parents`, the folders above it are made too. Raises `OperatorError`
    if something cannot be written.
    """
    above = place.absolute().parents if parents else ()
    made = [folder for folder in above if not folder.exists()]  # the deepest first
    there = place.is_dir()
    beside = (place if there else place.parent) / f".dohyo-{secrets.token_hex(8)}"
    moved: list[Path] = []
    try:
        beside.mkdir(parents=parents)
        for name, content in files.items():
            path = beside / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8")
        for path in sorted(beside.iterdir()) if there else ():  # it may be the current folder, which stays
            moved.append(path.rename(place / path.name))
        if not there:
            beside.rename(place)
    except BaseException as error:
        with contextlib.suppress(OSError):
            for path in moved:
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        shutil.rmtree(beside, ignore_errors=True)
        for folder in made:
            with contextlib.suppress(OSError):
                folder.rmdir()
        if isinstance(error, OSError):
            raise MachineError("cannot-write", path=place, reason=error) from error
        raise
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def check_place(path: str | os.PathLike[str]) -> None:
    """Raise now the `OperatorError` that `write_whole` would raise later, after a long match."""
    _temporary(Path(os.path.realpath(path))).unlink()


def _temporary(target: Path) -> Path:
    """A new empty file beside `target`, to be written and renamed to it."""
    temporary = target.parent / f".dohyo-{secrets.token_hex(8)}"
    try:
        # Renaming would replace a device such as /dev/null by an ordinary file.
        if target.exists() and not target.is_file():
            raise MachineError("cannot-write", path=target, reason=Message("system.not-ordinary"))
        temporary.touch(exist_ok=False)  # with the usual permissions of the person's files
    except OSError as error:
        raise MachineError("cannot-write", path=target, reason=error) from error
    return temporary


def read_plain(path: str | os.PathLike[str], most: int) -> bytes:
    """The first `most` bytes of an ordinary file; no link is followed, and no pipe is waited for.

    Raises `OperatorError` for anything else, and if it cannot be read.
    """
    try:
        with open_plain(path, follow=False) as file:
            return file.read(most)
    except (OSError, ValueError) as error:
        raise OperatorError("cannot-read", path=path, reason=error) from error


def read_bounded(path: str | os.PathLike[str], most: int) -> bytes:
    """A file's content, or the first `most` bytes of a longer one.

    Raises `OperatorError` if it cannot be read, and for what is no file: a pipe, a device, a folder.
    """
    try:
        return read_plain_bytes(path, most, typed=True)
    except (OSError, ValueError) as error:  # a path with a NUL in it is a ValueError
        raise OperatorError("cannot-read", path=path, reason=error) from error
