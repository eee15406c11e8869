"""Packs what an author handed in into bytes, and unpacks it, so that a bot can be built again on any machine.

A source, a program, a folder or a command line; with a path, also the arguments after it. Other things that the
program needs (an interpreter, a file that it opens by an absolute name) are not in it.

Theory of operation
-------------------
An archive may be a stranger's: a store's or another machine's, not what we packed. It is read in two steps, so that
neither its bytes nor the numbers in it can take more memory than its real content: first its parts are separated
without decoding, then each part is decoded if its number of entries is small enough.

Names are checked before anything is written. The path of every file and link has only plain parts; none is below a
file or a link, so everything is written inside the folder. A link leads to a path inside that passes through no other
link: so no chain of links leaves the folder.
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

from dohyo.bots import cache
from dohyo.bots.build_plan import split
from dohyo.bots.content import (
    FOLDER_FILES,
    Content,
    is_unpacked,
    place,
    printable,
    read_folder,
    stem_of_packed,
)
from dohyo.bots.engines import spelled_out
from dohyo.bots.safe_paths import above, check_link, check_name, check_path, shown, size_of
from dohyo.core.errors import HandInError, MachineError, OperatorError
from dohyo.system import disk
from dohyo.system import hand_in_limits as limits

FOLDER = "archives"  # in the cache


class ArchivedBot(msgspec.Struct, frozen=True):
    """A bot as it was handed in.

    `name` is that of the file or the folder; without one, `words` are a whole command line. Otherwise they are the
    arguments. `files` are by name within the folder, with their content and whether they can be executed; for a
    single file, `is_folder` is false, and it has its own name, together with the sources that it needs.
    """

    name: str
    words: tuple[str, ...] = ()
    is_folder: bool = False
    files: dict[str, tuple[bytes, bool]] = {}
    links: dict[str, str] = {}


class _Raw(msgspec.Struct):
    """An archive whose parts are not decoded yet."""

    name: str
    words: msgspec.Raw = msgspec.Raw(b"\x90")
    is_folder: bool = False
    files: msgspec.Raw = msgspec.Raw(b"\x80")
    links: msgspec.Raw = msgspec.Raw(b"\x80")


def pack(spec: str, samples: Mapping[str, Path], staged: str = "") -> bytes:
    """The bot that the operator means by `spec`; the same bytes for the same content.

    `staged` is the copy of it that was examined (`Bot.staged`): that is packed, and not what lies in its place now.
    Raises `OperatorError` for files that cannot be read, and for what could not be unpacked again (`check_archived`).
    """
    found = _found(spec, samples, staged, _content_of)
    check_archived(found)
    return msgspec.msgpack.encode(found)


def check(spec: str, samples: Mapping[str, Path], staged: str = "") -> None:
    """Raise the `OperatorError` that packing the bot would raise for the names of its files; none is read."""
    check_archived(_found(spec, samples, staged, lambda path: b""))


def _found(spec: str, samples: Mapping[str, Path], staged: str, read: Callable[[Path], bytes]) -> ArchivedBot:
    path, words = _parted(spec, samples)
    if path is None and staged:  # it was a file or a folder when it was read
        raise HandInError("bot-changed", bot=printable(spec))
    if path is not None and path.name in FOLDER_FILES:
        path = path.parent
    if path is None:
        return ArchivedBot("", tuple(words))
    if not staged and not path.is_dir():
        content = Content(path.parent, {path.name: path}, {}, path.parent)
        return _of(content, path.name, tuple(words), False, read)
    folder = Path(staged) if staged else path
    is_lone = not path.is_dir() and not is_unpacked(path.name)
    name = path.name if is_lone or path.is_dir() else stem_of_packed(path.name)
    return _of(read_folder(folder, spec), name, tuple(words), not is_lone, read)


def _content_of(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise HandInError("bot-unreadable", bot=printable(str(path))) from error


def located(spec: str, samples: Mapping[str, Path]) -> str:
    """`spec` with the path in it made absolute, so that it means the same in another folder."""
    import shlex

    path, words = _parted(spec, samples)
    if path is None or _sample(spec, samples):
        return spec
    return " ".join([shlex.quote(str(path)), *map(shlex.quote, words)]) if words else str(path)


def unpack(content: bytes) -> str:
    """Unpack the bot in an archive into the cache; returns the word (spec) for it.

    The archive may come from a stranger. Raises `OperatorError` if it cannot be unpacked; then nothing is written.
    """
    import shlex

    found = read(content)
    if not found.name:
        return shlex.join(found.words)
    home = cache.location() / FOLDER / hashlib.sha256(content).hexdigest()
    path = home / found.name
    if not path.exists():
        _lay_out(found, home)
    return " ".join([shlex.quote(str(path)), *map(shlex.quote, found.words)]) if found.words else str(path)


def foreign_words(content: bytes) -> str:
    """The words in an archive that come from the operator who packed it: a command line, or arguments with paths.

    Empty where there are none. Such words give access to what they name; for an archive from somebody else, ask the
    operator first. Raises `OperatorError` for an archive that cannot be read.
    """
    import shlex

    found = read(content)
    asked = not found.name or any("/" in word for word in found.words)
    return shlex.join(found.words) if asked else ""


def _parted(spec: str, samples: Mapping[str, Path]) -> tuple[Path | None, list[str]]:
    """The path that `spec` begins with, and the words after it; for a command line no path, and all its words."""
    spec = spelled_out(spec)
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
) -> ArchivedBot:
    files = {name: (read(path), os.access(path, os.X_OK)) for name, path in sorted(content.files.items())}
    return ArchivedBot(name, words, is_folder, files, dict(sorted(content.links.items())))


def _lay_out(found: ArchivedBot, home: Path) -> None:
    """Write the files to a temporary folder, then rename it, so that an incomplete bot is never built."""
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
            raise MachineError("cannot-write", path=home, reason="the bot's files cannot be laid out there")
    except OSError as error:
        if folder.is_dir() and not disk.is_of_machine(error):
            reason = printable(error.strerror or str(error))
            raise HandInError("bot-cannot-be-read", bot=printable(found.name), reason=reason) from error
        raise MachineError("cannot-write", path=home, reason=error.strerror) from error
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def read(content: bytes) -> ArchivedBot:
    """The archive in these bytes, with all its content checked. Raises `OperatorError`."""
    if len(content) > limits.MAX_ARCHIVE_BYTES:
        raise _too_large()
    try:
        raw = msgspec.msgpack.decode(content, type=_Raw)
        for part, most in (
            (raw.words, limits.MAX_ARCHIVED_WORDS),
            (raw.files, limits.MAX_ENTRIES),
            (raw.links, limits.MAX_LINKS),
        ):
            if _entries(bytes(memoryview(part)[:5])) > most:
                raise _too_large()
        archived = ArchivedBot(
            raw.name,
            msgspec.msgpack.decode(raw.words, type=tuple[str, ...]),
            raw.is_folder,
            msgspec.msgpack.decode(raw.files, type=dict[str, tuple[bytes, bool]]),
            msgspec.msgpack.decode(raw.links, type=dict[str, str]),
        )
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise HandInError("archive-unreadable", error=printable(str(error))) from error
    check_archived(archived)
    return archived


def _entries(head: bytes) -> int:
    """How many entries a list or a map of MessagePack has, by its first bytes; anything else is refused later."""
    first = head[0] if head else 0xC0
    if 0x80 <= first <= 0x9F:
        return first & 15
    width = {0xDC: 2, 0xDD: 4, 0xDE: 2, 0xDF: 4}.get(first, 0)
    return int.from_bytes(head[1 : 1 + width], "big")


def check_archived(archived: ArchivedBot) -> None:
    """Raise `OperatorError` for an archive that would write outside its folder, or that is not a bot's."""
    line = " ".join(archived.words)
    if "\0" in line or not size_of(line) <= limits.MAX_ARCHIVED_WORDS_BYTES:
        raise HandInError("archive-name", name=shown(line))
    if not archived.name:
        if archived.files or archived.links or not archived.words:
            raise HandInError("archive-unreadable", error="no name")
        return
    check_name(archived.name)
    is_many = len(archived.files) > limits.MAX_ENTRIES or len(archived.links) > limits.MAX_LINKS
    if is_many or sum(map(_size, archived.files.values())) > limits.MAX_BYTES:
        raise _too_large()
    if not archived.is_folder and (archived.links or archived.name not in archived.files):
        raise HandInError("archive-unreadable", error="a file that is not in it")
    names = {*archived.files, *archived.links}
    if len(names) < len(archived.files) + len(archived.links):
        raise HandInError("archive-name", name=shown(next(iter(archived.files.keys() & archived.links.keys()))))
    folders: set[str] = set()
    for name in names:
        check_path(name)
        if not names.isdisjoint(above(name)):
            raise HandInError("archive-name", name=shown(name))
        folders.update(above(name))
        if len(names) + len(folders) > limits.MAX_ARCHIVED_ENTRIES:  # so many will be written
            raise _too_large()
    for name, target in archived.links.items():
        check_link(name, target, archived.links.keys())


def _too_large() -> OperatorError:
    held = {"files": limits.MAX_ENTRIES, "links": limits.MAX_LINKS, "mebibytes": limits.MAX_BYTES >> 20}
    return HandInError("archive-too-large", **held)


def _size(file: tuple[bytes, bool]) -> int:
    return len(file[0])
