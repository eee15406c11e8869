"""Packs what an author handed in into bytes, and unpacks it, so that a bot can be built again on any machine.

A source, a program or a folder, with the arguments after it; of a command line or a player elsewhere only the words.
Other things that the program needs (an interpreter, a file that it opens by an absolute name) are not in it. This is
a form of our own: a zip or a tar that somebody hands in is read by `zip_and_tar.py`, and written out by `hand_in.py`.

Theory of operation
-------------------
An archive may be a stranger's: a store's or another machine's, not what we packed. How many entries its parts may
have stands in their types: msgspec compares the numbers in it with that before it takes any memory for them. Which
of its refusals were for such a number is found out afterwards, without decoding the parts: its sentences are English.

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
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from dohyo.bots import cache
from dohyo.bots.bot import Bot
from dohyo.bots.content import (
    is_unpacked,
    place,
    printable,
    read_folder,
    stem_of_packed,
)
from dohyo.bots.safe_paths import above, check_link, check_name, check_path, shown, size_of
from dohyo.bots.samples import found_sample
from dohyo.core.bot_spec import BotSpec, CommandLine, Elsewhere, HandIn, Sample, Speaking, text_of
from dohyo.core.errors import HandInError, MachineError, OperatorError
from dohyo.system import cache_mark, disk
from dohyo.system import hand_in_limits as limits

FOLDER = "archives"  # in the cache
Kind = Literal["hand-in", "typed", "command-line", "elsewhere"]
HAND_IN: Kind = "hand-in"
TYPED: Kind = "typed"
COMMAND: Kind = "command-line"
ELSEWHERE: Kind = "elsewhere"
_UNDECODED = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)  # what decoding a stranger's bytes may raise


class ArchivedBot(msgspec.Struct, frozen=True):
    """A bot as it was handed in.

    `name` is that of the file or the folder, `words` are the arguments, `files` are by name within the folder, with
    their content and whether they can be executed; for a single file, `is_folder` is false, and it has its own name,
    together with the sources that it needs.

    `kind` says what else it is: "typed" where the arguments are the words of the operator who packed it, so that the
    files that they name count. Of a command line and of a player elsewhere there are only `words`, an address as one
    word.
    """

    name: str
    words: Annotated[tuple[str, ...], Meta(max_length=limits.MAX_ARCHIVED_WORDS)] = ()
    is_folder: bool = False
    files: Annotated[dict[str, tuple[bytes, bool]], Meta(max_length=limits.MAX_ENTRIES)] = {}
    links: Annotated[dict[str, str], Meta(max_length=limits.MAX_LINKS)] = {}
    kind: Kind = HAND_IN


class _Parts(msgspec.Struct):
    """An archive whose parts with many entries are not decoded."""

    words: msgspec.Raw = msgspec.Raw()
    files: msgspec.Raw = msgspec.Raw()
    links: msgspec.Raw = msgspec.Raw()


def pack(bot: Bot, samples: Mapping[str, Path]) -> bytes:
    """A bot in one piece, as it was meant and as it was read; the same bytes for the same content.

    The copy that was examined (`Bot.staged`) is packed, and not what lies in its place now. Raises `OperatorError`
    for files that cannot be read, and for what could not be unpacked again (`check_archived`).
    """
    found = _found(bot, samples, _content_of)
    check_archived(found)
    return msgspec.msgpack.encode(found)


def check(bot: Bot, samples: Mapping[str, Path]) -> None:
    """Raise the `OperatorError` that packing the bot would raise for the names of its files; none is read."""
    check_archived(_found(bot, samples, lambda path: b""))


def _found(bot: Bot, samples: Mapping[str, Path], read: Callable[[Path], bytes]) -> ArchivedBot:
    spec, settings = (bot.spec.program, bot.spec.settings) if isinstance(bot.spec, Speaking) else (bot.spec, ())
    if isinstance(spec, CommandLine):
        return ArchivedBot("", (*spec.words, *settings), kind=COMMAND)
    if isinstance(spec, Elsewhere):
        return ArchivedBot("", (spec.address,), kind=ELSEWHERE)
    path = found_sample(samples, spec.name) if isinstance(spec, Sample) else Path(spec.path) if spec else None
    if spec is None or path is None or not bot.staged:
        raise HandInError("bot-changed", bot=printable(bot.name))
    content = read_folder(Path(bot.staged), printable(text_of(spec)))
    name = path.name if bot.is_lone else stem_of_packed(path.name) if is_unpacked(path.name) else path.name
    kind: Kind = TYPED if spec.arguments and (isinstance(spec, Sample) or spec.names_files) else HAND_IN
    files = {name: (read(path), os.access(path, os.X_OK)) for name, path in sorted(content.files.items())}
    links = dict(sorted(content.links.items()))
    return ArchivedBot(name, (*spec.arguments, *settings), not bot.is_lone, files, links, kind)


def _content_of(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise HandInError("bot-unreadable", bot=printable(str(path))) from error


def unpack(content: bytes) -> HandIn:
    """Unpack the hand-in in an archive into the cache.

    Anybody may have written the archive: it is always a hand-in, and its arguments name no files. Raises
    `OperatorError` for one that holds none but an operator's words, and if it cannot be unpacked; then nothing is
    written.
    """
    found = read(content)
    if not found.name:
        raise OperatorError("archive-words", line=printable(text_of(words_in(found))))
    return _laid_out(found, content)


def unpack_ours(content: bytes) -> BotSpec:
    """Unpack into the cache what a member of our own cluster has packed (`pack`): an operator's words, too."""
    found = read(content)
    if not found.name:
        return words_in(found)
    return msgspec.structs.replace(_laid_out(found, content), names_files=found.kind == TYPED)


def without_rights(content: bytes) -> bytes:
    """An archive from anybody for members of our own cluster: a hand-in whose arguments name no files.

    Raises `OperatorError` for any other.
    """
    found = read(content)
    if not found.name:
        raise OperatorError("archive-words", line=printable(text_of(words_in(found))))
    return content if found.kind == HAND_IN else msgspec.msgpack.encode(msgspec.structs.replace(found, kind=HAND_IN))


def words_in(found: ArchivedBot) -> CommandLine | Elsewhere:
    """What an archive without files says that its operator has typed: to be shown, or of a member of our cluster."""
    return Elsewhere(found.words[0]) if found.kind == ELSEWHERE else CommandLine(found.words)


def _laid_out(found: ArchivedBot, content: bytes) -> HandIn:
    home = cache.location() / FOLDER / hashlib.sha256(content).hexdigest()
    path = home / found.name
    if not path.exists():
        cache_mark.mark(cache.location())
        _lay_out(found, home)
    return HandIn(str(path), found.words, typed=found.name)  # nobody knows a path in the cache


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
            raise HandInError("bot-cannot-be-read", bot=printable(found.name), reason=error) from error
        raise MachineError("cannot-write", path=home, reason=error) from error
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def read(content: bytes) -> ArchivedBot:
    """The archive in these bytes, with all its content checked. Raises `OperatorError`."""
    if len(content) > limits.MAX_ARCHIVE_BYTES:
        raise _too_large()
    try:
        archived = msgspec.msgpack.decode(content, type=ArchivedBot)
    except _UNDECODED as error:
        if _has_too_many(content):
            raise _too_large() from error
        raise HandInError("archive-unreadable", error=printable(str(error))) from error
    check_archived(archived)
    return archived


def _has_too_many(content: bytes) -> bool:
    """Whether a part of an archive that was refused has more entries than it may have."""
    try:
        parts = msgspec.msgpack.decode(content, type=_Parts)
    except _UNDECODED:
        return False
    return (
        _entries(parts.words) > limits.MAX_ARCHIVED_WORDS
        or _entries(parts.files) > limits.MAX_ENTRIES
        or _entries(parts.links) > limits.MAX_LINKS
    )


def _entries(part: msgspec.Raw) -> int:
    """How many entries a list or a map of MessagePack has, by its first bytes; 0 for anything else."""
    head = bytes(memoryview(part)[:5])
    first = head[0] if head else 0
    if 0x80 <= first <= 0x9F:
        return first & 15
    width = {0xDC: 2, 0xDD: 4, 0xDE: 2, 0xDF: 4}.get(first, 0)
    return int.from_bytes(head[1 : 1 + width], "big")


def check_archived(archived: ArchivedBot) -> None:
    """Raise `OperatorError` for an archive that would write outside its folder, or that is not a bot's."""
    line = " ".join(archived.words)
    if "\0" in line or not size_of(line) <= limits.MAX_ARCHIVED_WORDS_BYTES:
        raise HandInError("archive-name", name=shown(line))
    if (not archived.name) != (archived.kind in (COMMAND, ELSEWHERE)):
        raise HandInError("archive-unreadable", error="no name")
    if not archived.name:
        if archived.files or archived.links or not archived.words:
            raise HandInError("archive-unreadable", error="no name")
        return
    check_name(archived.name)
    is_many = len(archived.files) > limits.MAX_ENTRIES or len(archived.links) > limits.MAX_LINKS
    if is_many or sum(len(content) for content, _ in archived.files.values()) > limits.MAX_BYTES:
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
