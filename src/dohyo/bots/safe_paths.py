"""Names, links and open folders of a stranger's hand-in: none of them may lead out of it.

`check_path` and `check_link` refuse names that an archive or a packed file may not have.

`Links` says where the links in a folder lead, by their texts alone: the disk is not read, and may change meanwhile. A
link may lead through others, as many as the kernel would follow; a part that does not exist is a plain name. Each
link is followed once, so the cost is proportional to the length of their texts.

`OpenFolder` opens what lies in a folder so that no link is followed, whichever part of a name it stands for. The
folder may be its author's to change while we read it: what was a folder when we looked can be a link a moment later.
So each part of a name is opened by itself, in the open folder before it, and a link there is an error.
"""

from __future__ import annotations

import errno
import os
import posixpath
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from types import TracebackType

from dohyo import clean
from dohyo.core.errors import HandInError
from dohyo.system import hand_in_limits as limits

SHOWN = 200  # characters of a path that is far too long

# What tools and desktops leave behind. It is neither part of a bot nor worth a copy.
IGNORED = frozenset({".git", ".hg", ".svn", "__pycache__", "__MACOSX", ".DS_Store", ".idea", ".vscode"})
# What Dohyo writes itself, and an author keeps beside the bot: it does not make the bot another one.
STORES = ("comparison.db", "tune.db")
OF_A_STORE = ("", ".files", "-wal", "-shm", "-journal")  # endings of its database's files, and of its folder
WRITTEN = (".replay", ".replay.zst", *(f"{name}{ending}" for name in STORES for ending in OF_A_STORE))


def is_ignored(name: str) -> bool:
    """Whether a file or folder of this name, without its folder, is no part of a bot."""
    return name in IGNORED or name.startswith("._") or name.endswith(WRITTEN)


class LeavesError(Exception):
    """A link leads out of the folder."""


class Links:
    """The links of a folder by relative name, with their texts; `own_paths` are the folder's own absolute paths."""

    def __init__(self, texts: Mapping[str, str], own_paths: Collection[str]) -> None:
        self._texts = texts
        self._own_paths = own_paths
        self._known: dict[str, tuple[str, int]] = {}

    def end_of(self, name: str) -> str:
        """The relative path that a link leads to, without any link in it; "" for the folder itself.

        Raises `LeavesError`, and `OSError` where it leads over too many links or too long a path.
        """
        return self._follow(name, 0)[0]

    def _follow(self, name: str, depth: int) -> tuple[str, int]:
        """Where it ends, and how many links that takes."""
        if name in self._known:
            return self._known[name]
        if depth >= limits.MAX_LINK_CHAIN:
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
        at, text, taken = posixpath.dirname(name), self._texts[name], 1
        if text.startswith("/"):
            at, text = "", self._inside(text)
        _check_length(text, limits.MAX_LINK_TARGET_BYTES)
        for part in text.split("/"):
            if part == "..":
                if not at:
                    raise LeavesError
                at = posixpath.dirname(at)
            elif part not in ("", "."):
                at = f"{at}/{part}" if at else part
                if at in self._texts:
                    at, more = self._follow(at, depth + 1)
                    taken += more
                if taken > limits.MAX_LINK_CHAIN:
                    raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
        _check_length(at, limits.MAX_PATH_BYTES)
        self._known[name] = (at, taken)
        return at, taken

    def _inside(self, text: str) -> str:
        """The part of an absolute text below the folder."""
        for own in self._own_paths:
            if text == own or text.startswith(f"{own}/"):
                return text[len(own) :]
        raise LeavesError


def _check_length(text: str, most: int) -> None:
    if len(os.fsencode(text)) > most:
        raise OSError(errno.ENAMETOOLONG, os.strerror(errno.ENAMETOOLONG))


def real(path: str | Path) -> str:
    """The absolute path without links; the part alone is followed that the kernel follows too.

    Python follows chains of links without end, and takes time by the square of their lengths.
    """
    whole = os.path.abspath(path)
    try:
        os.stat(whole)
    except (OSError, ValueError):
        folder, name = os.path.split(whole)
        return whole if folder == whole else os.path.join(real(folder), name)
    return os.path.realpath(whole)


def check_path(path: str) -> None:
    """Refuse a path that leaves its folder, is no path, or is one that no bot's content has."""
    parts = path.split("/")
    if ".." in parts or path.startswith("/"):
        raise HandInError("archive-name-leaves", name=shown(path))
    if limits.is_too_deep(path) or size_of(path) > limits.MAX_PATH_BYTES:
        raise HandInError("archive-name", name=shown(path))
    for part in parts:
        check_name(part, path)
        if part in IGNORED or part.startswith("._"):
            raise HandInError("archive-name", name=shown(path))


def check_name(name: str, path: str = "") -> None:
    """Refuse what cannot be the name of one file."""
    if name in ("", ".", "..") or "/" in name or "\0" in name or size_of(name) > limits.MAX_NAME_BYTES:
        raise HandInError("archive-name", name=shown(path or name))


def size_of(text: str) -> float:
    """Bytes of a text; endless for bytes that are no text, which MessagePack has no way to tell."""
    try:
        return len(text.encode())
    except UnicodeEncodeError:
        return float("inf")


def check_link(name: str, target: str, links: object) -> None:
    """Refuse a link that leaves the folder, or passes another one, which may lead anywhere."""
    found = posixpath.normpath(posixpath.join(posixpath.dirname(name), target))
    is_short = size_of(target) <= limits.MAX_LINK_TARGET_BYTES
    straight = is_short and target == posixpath.normpath(target) and "\0" not in target
    inside = straight and not target.startswith("/") and found != ".." and not found.startswith("../")
    if not inside or any(each in links for each in above(found)):  # type: ignore[operator]
        raise HandInError("archive-link", name=shown(name), target=shown(target))


def above(path: str) -> Iterator[str]:
    """The folders that a relative path lies in, from the outside to the inside, but for the outermost one."""
    at = path.find("/")
    while at >= 0:
        yield path[:at]
        at = path.find("/", at + 1)


def shown(name: str) -> str:
    """A name as it can stand in a sentence."""
    return clean.line(name[:SHOWN])


# A folder that is only passed through need not be readable to us.
PASSED = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY
LISTED = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK


class OpenFolder:
    """An open folder. A context manager; names are relative, with slashes, and "" is the folder itself.

    The folders of the last name stay open: names in order cost one call each. All methods raise `OSError`.
    """

    def __init__(self, root: Path, *, follow: bool = False) -> None:
        """With `follow` the folder itself may be reached by a link: the operator named what lies in it."""
        self._root = os.open(root, PASSED | (0 if follow else os.O_NOFOLLOW))
        self._passed: list[tuple[str, int]] = []

    @property
    def identity(self) -> tuple[int, int]:
        """What no other folder has while this one is there."""
        found = os.fstat(self._root)
        return found.st_dev, found.st_ino

    def folder(self, name: str) -> int:
        """A descriptor of a folder, to pass through and no more; it is open until the next call."""
        parts = name.split("/") if name else []
        same = 0
        while same < min(len(parts), len(self._passed)) and self._passed[same][0] == parts[same]:
            same += 1
        self._leave(same)
        for part in parts[same:]:
            if part in ("", ".", ".."):
                raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
            self._passed.append((part, os.open(part, PASSED | os.O_NOFOLLOW, dir_fd=self._last())))
        return self._last()

    def names(self, name: str, most: int) -> list[str]:
        """The names of what lies in a folder, in no order; of more than `most` only so many."""
        opened = os.open(".", LISTED, dir_fd=self.folder(name))
        try:
            with os.scandir(opened) as entries:
                return [entry.name for entry, _ in zip(entries, range(most), strict=False)]
        finally:
            os.close(opened)

    def file(self, name: str) -> int:
        """A new descriptor of a file, to be read."""
        above, _, last = name.rpartition("/")
        try:
            return os.open(last, READ, dir_fd=self.folder(above))
        except OSError as error:
            if error.errno == errno.ELOOP:  # it is a link by now: what was there is gone
                raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT)) from error
            raise

    def _last(self) -> int:
        return self._passed[-1][1] if self._passed else self._root

    def _leave(self, kept: int) -> None:
        while len(self._passed) > kept:
            os.close(self._passed.pop()[1])

    def __enter__(self) -> OpenFolder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._leave(0)
        os.close(self._root)
