"""Hand-ins that come as one packed file, a zip or a tar: which files are such, and what is in them.

`entries` reads what a stranger has packed, so it runs in the sandboxed process alone (`dohyo.bots.reader_process`).
The code that writes its entries to the disk checks names and limits (`dohyo.bots.hand_in`).
"""

from __future__ import annotations

import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, NamedTuple

from dohyo.bots.content import printable
from dohyo.bots.safe_paths import is_ignored
from dohyo.core.errors import OperatorError
from dohyo.system.hand_in_limits import MAX_WHOLE_PATH_BYTES

if TYPE_CHECKING:
    import tarfile
    import zipfile

PIECE = 1 << 20  # bytes
ENCRYPTED = 1  # bit of an entry's flags in a zip
UTF8 = 0x800  # the same: its name is UTF-8
SHOWN = 200  # characters of an error


class Entry(NamedTuple):
    """A file in a packed one: its relative name, whether it can be executed, its content piece by piece.

    A link has a `target`, and no content.
    """

    name: str
    executable: bool
    target: str
    pieces: Iterator[bytes]


def entries(path: Path, spec: str) -> Iterator[Entry]:
    """The files and links of a packed hand-in, but for what tools and desktops leave behind; within `readable`.

    Names are as they were packed, with slashes; they are not checked yet. Raises `OperatorError` where it is
    encrypted, or holds what is neither a file nor a folder nor a link.
    """
    for entry in _of_zip(path, spec) if path.name.lower().endswith(".zip") else _of_tar(path, spec):
        if not any(map(is_ignored, entry.name.split("/"))):
            yield entry


@contextmanager
def readable(spec: str) -> Iterator[None]:
    """Raise `OperatorError` for whatever goes wrong while a packed file is read: its content may be anything."""
    import lzma
    import tarfile
    import zipfile
    import zlib

    try:
        yield
    except (
        *(zipfile.BadZipFile, tarfile.TarError, zlib.error, lzma.LZMAError, EOFError, OSError),
        *(NotImplementedError, ValueError, RuntimeError, KeyError),
    ) as error:
        reason = printable(str(error) or type(error).__name__)[:SHOWN]
        raise OperatorError("bot-packed-unreadable", bot=spec, error=reason) from error


def _of_zip(path: Path, spec: str) -> Iterator[Entry]:
    import zipfile

    with zipfile.ZipFile(path) as opened:
        for info in opened.infolist():
            if info.flag_bits & ENCRYPTED:
                raise OperatorError("bot-packed-encrypted", bot=spec)
            name, mode = _plain(_name(info)), info.external_attr >> 16
            if info.is_dir() or name.endswith("/"):
                continue
            with opened.open(info) as file:
                if stat.S_ISLNK(mode):
                    target = file.read(MAX_WHOLE_PATH_BYTES).decode("utf-8", "surrogateescape")
                    yield Entry(name, False, target, iter(()))
                else:
                    yield Entry(name, bool(mode & stat.S_IXUSR), "", _pieces(file))


def _name(info: zipfile.ZipInfo) -> str:
    """An entry's name. What does not say that it is UTF-8 may be, or is what Japanese Windows writes: Shift-JIS."""
    if info.flag_bits & UTF8:
        return info.filename
    raw = info.filename.encode("cp437", "surrogateescape")
    for encoding in ("utf-8", "cp932"):
        try:
            # A backslash separates folders in files packed on Windows; inside a character of Shift-JIS it does not.
            return raw.decode(encoding).replace("\\", "/")
        except UnicodeDecodeError:
            continue
    return raw.decode("utf-8", "surrogateescape")


def _of_tar(path: Path, spec: str) -> Iterator[Entry]:
    import tarfile

    with tarfile.open(path, errors="surrogateescape") as opened:
        for member in opened:
            if member.isdir():
                continue
            yield _member(opened, member, spec)


def _member(opened: tarfile.TarFile, member: tarfile.TarInfo, spec: str) -> Entry:
    name = _plain(member.name)
    if member.issym():
        return Entry(name, False, member.linkname, iter(()))
    file = opened.extractfile(member) if member.isfile() or member.islnk() else None
    if file is None:
        raise OperatorError("bot-odd-file", bot=spec, file=printable(name[:SHOWN]))
    return Entry(name, bool(member.mode & stat.S_IXUSR), "", _pieces(file))


def _plain(name: str) -> str:
    """A name without the `./` that tar likes to write."""
    while name.startswith("./"):
        name = name[2:].lstrip("/")
    return name


def _pieces(file: IO[bytes]) -> Iterator[bytes]:
    while piece := file.read(PIECE):
        yield piece
