"""Copies each hand-in once, into a separate folder: the copy that was examined is the one that is built and run.

Theory of operation
-------------------
A copy is made in a folder that exists only while bots are recognised (`Area`). There it is examined, in a sandbox
(`dohyo.bots.isolated_reader`), and what belongs to a lone source is added. Then it is moved, under a name that
follows from its content, to `hand-ins/KEY/bot` in the cache, where it stays: the same hand-in is stored once, and
bots that run from there see nothing else.

This file reads only the names, kinds and sizes of a hand-in's files, and copies their bytes. It follows no link,
opens only plain files, and has limits for everything. The author may change the hand-in meanwhile: so it is opened
once, and everything in it by its own name in an open folder (`safe_paths.OpenFolder`).
"""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

import msgspec

from dohyo.bots.bot import COPY
from dohyo.bots.content import (
    cannot_be_read,
    digest_of,
    listed,
    opened,
    printable,
    read_folder,
    read_open,
    stem_of_packed,
    too_deep,
    too_large,
)
from dohyo.bots.safe_paths import OpenFolder, above, check_link, check_path
from dohyo.core.errors import HandInError, MachineError, OperatorError
from dohyo.system import cache_mark, disk, temporary
from dohyo.system import hand_in_limits as limits

FOLDER = "hand-ins"  # in the cache
CHUNK = 1 << 20  # bytes copied at once


class HandInCopy(msgspec.Struct):
    """A copy that is being examined.

    `root` is its folder; `origin` the folder that it was copied from; `files` and `links` are what it holds by
    relative name. `size` is in bytes. A single file is `alone`: further files of its folder may be added, as long as
    that is still the folder that it came from (`beside`, see `OpenFolder.identity`). `folders` are those that were
    unpacked. `missing` are names of files that were looked for in the origin in vain; `is_listed` says that all names
    there were looked at. Unless it `follows`, nothing beside a single file belongs to it.
    """

    spec: str
    root: Path
    origin: Path
    files: set[str]
    links: dict[str, str]
    size: int = 0
    alone: str = ""
    beside: tuple[int, int] = (0, 0)
    folders: set[str] = msgspec.field(default_factory=set)
    missing: set[str] = msgspec.field(default_factory=set)
    is_listed: bool = False
    follows: bool = True

    def bring(self, name: str) -> bool:
        """Copy one more file of the origin, by its relative name; false where there is no such plain file."""
        self.missing.add(name)
        if len(self.files) >= limits.MAX_ENTRIES:
            return False
        try:
            with OpenFolder(self.origin, follow=True) as below:
                if below.identity != self.beside:
                    return False
                self.size += copy(below, name, self.root / name, limits.MAX_BYTES - self.size, self.spec)
        except OSError:
            return False
        self.missing.remove(name)
        self.files.add(name)
        return True

    def write(self, name: str, executable: bool, pieces: Iterable[bytes]) -> None:
        """Write a file that was unpacked. Raises `OperatorError` for a name that it cannot have, and for too much."""
        self._check_name(name)
        target = self.root / name
        try:
            self._make_room(name, 1)
            file = target.open("xb", buffering=0)
        except (FileExistsError, NotADirectoryError, IsADirectoryError) as error:  # twice, or below a file
            raise HandInError("archive-name", name=printable(name)) from error
        self.files.add(name)
        with file:
            for piece in pieces:
                self.size += len(piece)
                if self.size > limits.MAX_BYTES:
                    raise too_large(self.spec)
                file.write(piece)
        target.chmod(0o755 if executable else 0o644)

    def _check_name(self, name: str) -> None:
        """Refuse a name that leads elsewhere, or is longer than one in a folder may be."""
        if len(os.fsencode(name)) > limits.MAX_PATH_BYTES or limits.is_too_deep(name):
            raise too_deep(self.spec, name)
        check_path(name)

    def _make_room(self, name: str, files: int) -> None:
        """Make the folders of a file or a link: they count like files, and so does the outermost one."""
        for folder in reversed(list(above(name))):
            if folder in self.folders:
                break
            self.folders.add(folder)
        if len(self.files) + len(self.folders) + 1 + files > limits.MAX_ENTRIES:
            raise too_large(self.spec)
        (self.root / name).parent.mkdir(parents=True, exist_ok=True)

    def check_link(self, name: str, target: str, links: Mapping[str, str]) -> None:
        """Check one more unpacked link, together with those before it, so that an invalid one is never stored.

        Raises `OperatorError` for one that leaves, and for too many.
        """
        if len(links) >= limits.MAX_LINKS:
            raise too_large(self.spec)
        self._check_name(name)
        if name in links:
            raise HandInError("archive-name", name=printable(name))
        check_link(name, target, links)

    def link(self, links: Mapping[str, str]) -> None:
        """Make the links that were unpacked (`check_link`), when all files are there and all links are known.

        Raises `OperatorError` for one that passes another one, or lies where a file is.
        """
        for name, target in links.items():
            check_link(name, target, links)
            place = self.root / name
            try:
                self._make_room(name, 0)
                place.symlink_to(target)
            except (FileExistsError, NotADirectoryError) as error:  # where a file is
                raise HandInError("archive-name", name=printable(name)) from error
            self.links[name] = target

    def unwrap(self, folder: str) -> None:
        """Remove the outer folder of this name, which contains everything."""
        beside = self.root.with_name(f"{self.root.name}.whole")
        self.root.rename(beside)
        (beside / folder).rename(self.root)
        beside.rmdir()
        self.files = {name.removeprefix(f"{folder}/") for name in self.files}
        self.links = {name.removeprefix(f"{folder}/"): target for name, target in self.links.items()}

    def keep_only(self, names: Iterable[str]) -> None:
        """Remove what does not belong to it."""
        for name in self.files - set(names):
            (self.root / name).unlink()
            self.files.remove(name)

    def paths(self) -> dict[str, Path]:
        """The files of the copy, by relative name, in order."""
        return {name: self.root / name for name in sorted(self.files)}


class Area:
    """Where hand-ins are copied to while they are examined. A context manager, which removes its folder."""

    def __init__(self, cache: Path) -> None:
        self._cache = cache
        self._kept = cache / FOLDER
        self._folder: Path | None = None
        self._lock = -1
        self._count = 0

    @property
    def folder(self) -> Path:
        """The folder with all copies. Raises `OperatorError` where it cannot be made."""
        if self._folder is None:
            try:
                cache_mark.mark(self._cache)
                self._kept.mkdir(parents=True, exist_ok=True, mode=0o700)
                self._folder = Path(temporary.make("copies", str(self._kept)))
                self._lock = temporary.hold(self._folder)
            except OSError as error:
                raise self.unusable(error) from error
        return self._folder

    def take_folder(self, path: Path, spec: str) -> HandInCopy:
        """A copy of a folder. Raises `OperatorError` if it cannot be a bot's."""
        with opened(path, spec) as below:
            content = read_open(below, path, spec)
            taken = HandInCopy(spec, self._place() / (path.name or COPY), path, set(), content.links)
            try:
                taken.root.mkdir(parents=True)
            except OSError as error:
                raise self.unusable(error) from error
            for name in content.files:
                self._bring(below, taken, name)
        for name, target in content.links.items():
            place = taken.root / name
            try:
                place.parent.mkdir(parents=True, exist_ok=True)
                place.symlink_to(target)
            except OSError as error:
                raise self.blamed(taken, name, error) from error
        return taken

    def take_file(self, path: Path, spec: str) -> HandInCopy:
        """A copy of one file. Raises `OperatorError` where it cannot be read."""
        taken = HandInCopy(spec, self._place() / (path.parent.name or COPY), path.parent, set(), {}, alone=path.name)
        try:
            below = OpenFolder(path.parent, follow=True)
        except OSError as error:
            raise self.blamed(taken, path.name, error) from error
        with below:
            taken.beside = below.identity
            self._bring(below, taken, path.name)
        return taken

    def take_packed(self, path: Path, spec: str) -> tuple[HandInCopy, HandInCopy]:
        """A copy of a packed file, and a still empty folder for its content.

        Raises `OperatorError` where it cannot be read.
        """
        taken = self.take_file(path, spec)
        name = stem_of_packed(path.name)
        inside = HandInCopy(spec, self._place() / name, path.parent / name, set(), {})
        try:
            inside.root.mkdir(parents=True)
        except OSError as error:
            raise self.unusable(error) from error
        return taken, inside

    def unusable(self, error: OSError) -> OperatorError:
        """The error for a cache that cannot be written to."""
        return MachineError("bot-cache-unusable", folder=printable(str(self._cache)), error=error)

    def _place(self) -> Path:
        self._count += 1
        return self.folder / str(self._count)

    def _bring(self, below: OpenFolder, taken: HandInCopy, name: str) -> None:
        try:
            size = copy(below, name, taken.root / name, limits.MAX_BYTES - taken.size, taken.spec)
        except OSError as error:
            raise self.blamed(taken, name, error) from error
        taken.size += size
        taken.files.add(name)

    def blamed(self, taken: HandInCopy, name: str, error: OSError) -> OperatorError:
        """The error for a file or link that could not be copied."""
        if disk.is_of_machine(error):
            return self.unusable(error)
        if isinstance(error, PermissionError):
            return HandInError("bot-unreadable", bot=printable(str(taken.origin / name)))
        return cannot_be_read(taken.spec, name, error)

    def settle(self, taken: HandInCopy) -> tuple[Path, str]:
        """Move an examined copy to its final place; returns its folder there, and the digest of its content."""
        from dohyo.bots.newly_kept import note_made, note_used

        digest = digest_of(taken.paths(), taken.links)
        marks = [name for name in sorted(taken.files) if os.access(taken.root / name, os.X_OK)]
        key = hashlib.sha256("\0".join([digest, *(os.fsencode(name).hex() for name in marks)]).encode()).hexdigest()
        kept = self._kept / key / COPY
        try:
            note_used(kept.parent)
            if kept.is_dir() and not _is_as_it_was(kept, taken, digest):
                disk.remove(kept.parent)
            if not kept.is_dir():
                note_made(kept.parent)
                taken.root.rename(taken.root.parent / COPY)
                with suppress(OSError):  # another process was faster, with the same content
                    taken.root.parent.rename(kept.parent)
                note_used(kept.parent)
            if not kept.is_dir():
                raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        except OSError as error:
            raise self.unusable(error) from error
        return kept, digest

    def __enter__(self) -> Area:
        return self

    def __exit__(self, *_: object) -> None:
        if self._folder is not None:
            disk.remove(self._folder)
            self._folder = None
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1


def _is_as_it_was(kept: Path, taken: HandInCopy, digest: str) -> bool:
    """Whether a stored copy still has the same content: bots without a sandbox could change it."""
    try:
        content = read_folder(kept, taken.spec)
        marks = {name for name, path in content.files.items() if os.access(path, os.X_OK)}
        wanted = {name for name in taken.files if os.access(taken.root / name, os.X_OK)}
        return digest_of(content.files, content.links) == digest and marks == wanted
    except OperatorError:
        return False


def copy(below: OpenFolder, name: str, target: Path, most: int, spec: str) -> int:
    """Copy a plain file, never through a link, and whether it can be executed; returns the bytes copied.

    Raises `OSError` where it is no plain file that can be read, `OperatorError` where it has more than `most` bytes.
    """
    descriptor = below.file(name)
    with open(descriptor, "rb", buffering=0) as read:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "not a plain file")
        if status.st_size > most:
            raise too_large(spec)
        target.parent.mkdir(parents=True, exist_ok=True)
        size = 0
        with target.open("xb", buffering=0) as write:
            while chunk := read.read(CHUNK):
                size += len(chunk)
                if size > most:
                    raise too_large(spec)
                write.write(chunk)
        target.chmod(0o755 if status.st_mode & stat.S_IXUSR else 0o644)
    return size


def link_error(path: Path, spec: str) -> OperatorError:
    """The error for a hand-in that is a link: its target is not what was handed in."""
    try:
        return HandInError("bot-is-link", bot=spec, target=listed([os.readlink(path)]))
    except OSError as error:  # it was one a moment ago
        return cannot_be_read(spec, path.name, error)
