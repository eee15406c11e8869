"""What an archive of a bot may hold. It may be a stranger's: a store's or another machine's, not what we packed.

Theory of operation
-------------------
An archive is read in two steps, so that neither its bytes nor its numbers can take more memory than what it honestly
holds: first its parts are passed over as they are, then each is decoded whose number of entries is small enough.

Names are checked before anything is written. Every file and link stands under a path of plain parts; none stands
below a file or a link, so whatever is written lies in the folder. A link leads to a path inside that passes no other
link: by induction no chain of them leaves.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

import msgspec

from dohyo.bots.content import IGNORED, LONGEST_PATH, MOST_BYTES, MOST_FILES, MOST_LINKS, printable
from dohyo.core.errors import OperatorError

MOST_WORDS = 1000  # of a command line
LONGEST_WORDS = 1 << 17  # bytes: the system takes no longer words
LONGEST_NAME = 255  # bytes: no file system takes longer ones
DEEPEST = 100  # folders in each other
LARGEST = MOST_BYTES + MOST_FILES * (LONGEST_PATH + 16) + LONGEST_WORDS + 1024  # bytes of an archive


class Archived(msgspec.Struct, frozen=True):
    """A bot as it was handed in.

    `name` is that of the file or the folder; without one, `words` are a whole command line. Otherwise they are the
    arguments. `files` are by name within the folder, with their content and whether they can be executed; a lone file
    stands under its own name, beside the sources that it brings along, and `is_folder` is false.
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


def read(content: bytes) -> Archived:
    """The archive in these bytes, all of it as an honest one could be. Raises `OperatorError`."""
    if len(content) > LARGEST:
        raise OperatorError("archive-too-large", files=MOST_FILES, mebibytes=MOST_BYTES >> 20)
    try:
        raw = msgspec.msgpack.decode(content, type=_Raw)
        for part, most in ((raw.words, MOST_WORDS), (raw.files, MOST_FILES), (raw.links, MOST_FILES)):
            if _entries(bytes(memoryview(part)[:5])) > most:
                raise OperatorError("archive-too-large", files=MOST_FILES, mebibytes=MOST_BYTES >> 20)
        archived = Archived(
            raw.name,
            msgspec.msgpack.decode(raw.words, type=tuple[str, ...]),
            raw.is_folder,
            msgspec.msgpack.decode(raw.files, type=dict[str, tuple[bytes, bool]]),
            msgspec.msgpack.decode(raw.links, type=dict[str, str]),
        )
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise OperatorError("archive-unreadable", error=printable(str(error))) from error
    check(archived)
    return archived


def _entries(head: bytes) -> int:
    """How many entries a list or a map of MessagePack has, by its first bytes; what is neither is refused later."""
    first = head[0] if head else 0xC0
    if 0x80 <= first <= 0x9F:
        return first & 15
    width = {0xDC: 2, 0xDD: 4, 0xDE: 2, 0xDF: 4}.get(first, 0)
    return int.from_bytes(head[1 : 1 + width], "big")


def check(archived: Archived) -> None:
    """Raise `OperatorError` for an archive that is to be laid out where it should not, or that is no bot's."""
    line = " ".join(archived.words)
    if "\0" in line or not _size_of(line) <= LONGEST_WORDS:
        raise OperatorError("archive-name", name=_shown(line))
    if not archived.name:
        if archived.files or archived.links or not archived.words:
            raise OperatorError("archive-unreadable", error="no name")
        return
    _check_name(archived.name)
    if (
        len(archived.files) + len(archived.links) > MOST_FILES
        or sum(map(_size, archived.files.values())) > MOST_BYTES
    ):
        raise OperatorError("archive-too-large", files=MOST_FILES, mebibytes=MOST_BYTES >> 20)
    if not archived.is_folder and (archived.links or archived.name not in archived.files):
        raise OperatorError("archive-unreadable", error="a file that is not in it")
    names = {*archived.files, *archived.links}
    if len(names) < len(archived.files) + len(archived.links):
        raise OperatorError("archive-name", name=_shown(next(iter(archived.files.keys() & archived.links.keys()))))
    folders: set[str] = set()
    for name in names:
        check_path(name)
        if not names.isdisjoint(above(name)):
            raise OperatorError("archive-name", name=_shown(name))
        folders.update(above(name))
        if len(names) + len(folders) > MOST_FILES + MOST_LINKS:  # what is laid out takes so many
            raise OperatorError("archive-too-large", files=MOST_FILES, mebibytes=MOST_BYTES >> 20)
    for name, target in archived.links.items():
        check_link(name, target, archived.links.keys())


def _size(file: tuple[bytes, bool]) -> int:
    return len(file[0])


def check_path(path: str) -> None:
    """Refuse a path that leaves its folder, is no path, or is one that no bot's content has."""
    parts = path.split("/")
    if ".." in parts or path.startswith("/"):
        raise OperatorError("archive-name-leaves", name=_shown(path))
    if len(parts) > DEEPEST or _size_of(path) > LONGEST_PATH:
        raise OperatorError("archive-name", name=_shown(path))
    for part in parts:
        _check_name(part, path)
        if part in IGNORED or part.startswith("._"):
            raise OperatorError("archive-name", name=_shown(path))


def _check_name(name: str, path: str = "") -> None:
    """Refuse what cannot be the name of one file."""
    if name in ("", ".", "..") or "/" in name or "\0" in name or _size_of(name) > LONGEST_NAME:
        raise OperatorError("archive-name", name=_shown(path or name))


def _size_of(text: str) -> float:
    """Bytes of a text; endless for bytes that are no text, which MessagePack has no way to tell."""
    try:
        return len(text.encode())
    except UnicodeEncodeError:
        return float("inf")


def check_link(name: str, target: str, links: object) -> None:
    """Refuse a link that leaves the folder, or passes another one, which may lead anywhere."""
    found = posixpath.normpath(posixpath.join(posixpath.dirname(name), target))
    straight = target == posixpath.normpath(target) and "\0" not in target and _size_of(target) <= LONGEST_PATH
    inside = straight and not target.startswith("/") and found != ".." and not found.startswith("../")
    if not inside or any(each in links for each in above(found)):  # type: ignore[operator]
        raise OperatorError("archive-link", name=_shown(name), target=_shown(target))


def above(path: str) -> Iterator[str]:
    """The folders that a relative path lies in, from the outside to the inside, but for the outermost one."""
    at = path.find("/")
    while at >= 0:
        yield path[:at]
        at = path.find("/", at + 1)


def _shown(name: str) -> str:
    return printable(name[:200])
