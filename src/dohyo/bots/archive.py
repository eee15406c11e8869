"""What an author handed in as one piece of bytes, and back: so that a bot can be built again, also elsewhere.

A source, a program, a folder or a command line; with a path, also the arguments behind it. What a path's program
needs besides, an interpreter or a file that it opens by an absolute name, is not in it.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import shutil
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

import msgspec

from dohyo.bots import archived, cache
from dohyo.bots.archived import Archived
from dohyo.bots.content import Content, place, printable, read_folder
from dohyo.bots.declared import FOLDER_FILES
from dohyo.bots.packed import is_unpacked, stem_of
from dohyo.bots.programs import split
from dohyo.core.errors import OperatorError

FOLDER = "archives"  # in the cache


def pack(spec: str, samples: Mapping[str, Path], staged: str = "") -> bytes:
    """The bot that the operator means by `spec`; the same bytes for the same content.

    `staged` is the copy of it that was examined (`Bot.staged`): that is packed, and not what lies in its place now.
    Raises `OperatorError` for files that cannot be read, and for what could not be laid out again (`archived`).
    """
    found = _found(spec, samples, staged, _content_of)
    archived.check(found)
    return msgspec.msgpack.encode(found)


def check(spec: str, samples: Mapping[str, Path], staged: str = "") -> None:
    """Raise the `OperatorError` that packing the bot would raise for the names of its files; none is read."""
    archived.check(_found(spec, samples, staged, lambda path: b""))


def _found(spec: str, samples: Mapping[str, Path], staged: str, read: Callable[[Path], bytes]) -> Archived:
    path, words = _parted(spec, samples)
    if path is None and staged:  # it was a file or a folder when it was examined
        raise OperatorError("bot-changed", bot=printable(spec))
    if path is not None and path.name in FOLDER_FILES:
        path = path.parent
    if path is None:
        return Archived("", tuple(words))
    if not staged and not path.is_dir():
        content = Content(path.parent, {path.name: path}, {}, path.parent)
        return _of(content, path.name, tuple(words), False, read)
    folder = Path(staged) if staged else path
    is_lone = not path.is_dir() and not is_unpacked(path.name)
    name = path.name if is_lone or path.is_dir() else stem_of(path.name)
    return _of(read_folder(folder, spec), name, tuple(words), not is_lone, read)


def _content_of(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise OperatorError("bot-unreadable", bot=printable(str(path))) from error


def located(spec: str, samples: Mapping[str, Path]) -> str:
    """`spec` with the path in it made absolute, so that it means the same in another folder."""
    import shlex

    path, words = _parted(spec, samples)
    if path is None or _sample(spec, samples):
        return spec
    return " ".join([shlex.quote(str(path)), *map(shlex.quote, words)]) if words else str(path)


def unpack(content: bytes) -> str:
    """The word for the bot in an archive, laid out in the cache.

    The archive may be anybody's. Raises `OperatorError` where it cannot be, and nothing is written then.
    """
    import shlex

    found = archived.read(content)
    if not found.name:
        return shlex.join(found.words)
    home = cache.location() / FOLDER / hashlib.sha256(content).hexdigest()
    path = home / found.name
    if not path.exists():
        _lay_out(found, home)
    return " ".join([shlex.quote(str(path)), *map(shlex.quote, found.words)]) if found.words else str(path)


def foreign_words(content: bytes) -> str:
    """The words in an archive that are the operator's of whoever packed it: a command line, or arguments with paths.

    Empty where there are none. Such words open what they name; whoever has an archive from somebody else asks the
    operator before they do. Raises `OperatorError` for an archive that cannot be read.
    """
    import shlex

    found = archived.read(content)
    asked = not found.name or any("/" in word for word in found.words)
    return shlex.join(found.words) if asked else ""


def _parted(spec: str, samples: Mapping[str, Path]) -> tuple[Path | None, list[str]]:
    """The path that `spec` begins with, and the words behind it; of a command line no path, and all its words."""
    if (path := _path(spec, samples)) is not None:
        return path, []
    words = split(spec)
    path = _path(words[0], samples) if len(words) > 1 else None
    # A program that is given with arguments is started as it is, in the current folder: a command line.
    is_program = path is not None and path.is_file() and os.access(path, os.X_OK)
    return (path, words[1:]) if path is not None and not is_program else (None, words)


def _path(word: str, samples: Mapping[str, Path]) -> Path | None:
    for path in (Path(os.path.expanduser(word)), samples.get(word), samples.get(word.lower())):
        with suppress(OSError):
            if path is not None and path.exists():
                return Path(os.path.abspath(path))
    return None


def _sample(spec: str, samples: Mapping[str, Path]) -> bool:
    """Whether `spec` is the name of a sample bot, which means the same everywhere."""
    return not os.path.exists(os.path.expanduser(spec)) and _path(spec, samples) is not None


def _of(
    content: Content, name: str, words: tuple[str, ...], is_folder: bool, read: Callable[[Path], bytes]
) -> Archived:
    files = {name: (read(path), os.access(path, os.X_OK)) for name, path in sorted(content.files.items())}
    return Archived(name, words, is_folder, files, dict(sorted(content.links.items())))


def _lay_out(found: Archived, home: Path) -> None:
    """Write the files beside, then rename: nobody ever builds half a bot."""
    beside = home.with_name(f".{secrets.token_hex(8)}")
    folder = beside / found.name if found.is_folder else beside
    try:
        folder.mkdir(parents=True)
        place({name: content for name, (content, _) in found.files.items()}, found.links, folder)
        for name, (_, executable) in found.files.items():
            (folder / name).chmod(0o755 if executable else 0o644)
        with suppress(FileExistsError, OSError):
            beside.rename(home)
        if not (home / found.name).exists():
            raise OperatorError("cannot-write", path=home, reason="the bot's files cannot be laid out there")
    except OSError as error:
        raise OperatorError("cannot-write", path=home, reason=error.strerror) from error
    finally:
        shutil.rmtree(beside, ignore_errors=True)
