"""Tar files of one form, the same bytes for the same content: plain files, sorted by name, without times or owners.

Every program reads them. We read no other form: a header has to be, byte for byte, the one that we write for its name
and size, so there are no links, folders, devices, sparse files and extended headers to go wrong with, and two readers
never see different names. The bytes of a member are read in pieces, and never more than the bounds allow.
"""

from __future__ import annotations

import re
import tarfile
from collections.abc import Callable, Iterable, Iterator
from typing import IO, NamedTuple, Protocol

BLOCK = 512
END = bytes(2 * BLOCK)
PIECE = 1 << 20  # bytes copied at once
LONGEST_NAME = 100  # characters
# Lower-case folders of plain names; none begins with a dot, a hyphen or a slash, none has two dots in a row.
_NAME = re.compile(r"(?:[a-z0-9]+/)*[A-Za-z0-9](?:[A-Za-z0-9_-]|\.(?!\.))*")


class TarError(ValueError):
    """A file is not a tar of this form; the text says where."""


class Readable(Protocol):
    """What a tar is read from."""

    def read(self, size: int, /) -> bytes:
        """At most so many bytes; none at the end."""


class Bounds(NamedTuple):
    """What a reader accepts: members, and bytes of all of them."""

    members: int = 2_000_000
    size: int = 64 << 30


BOUNDS = Bounds()


def is_name(name: str) -> bool:
    """Whether a member may be called so."""
    return len(name) <= LONGEST_NAME and _NAME.fullmatch(name) is not None


def header(name: str, size: int) -> bytes:
    """The block before a member's bytes. Raises `ValueError` for a name that no member may have."""
    if not is_name(name):
        raise ValueError(name)
    info = tarfile.TarInfo(name)
    info.size, info.mode = size, 0o644
    return info.tobuf(tarfile.USTAR_FORMAT, "ascii", "strict")


def write(file: IO[bytes], members: Iterable[tuple[str, bytes]]) -> None:
    """Write the members, which must come sorted by name."""
    last = ""
    for name, content in members:
        if name <= last:
            raise ValueError(f"{name} after {last}")
        last = name
        file.write(header(name, len(content)))
        file.write(content)
        file.write(bytes(-len(content) % BLOCK))
    file.write(END)


def read(file: Readable, most: int | Callable[[str], int], bounds: Bounds = BOUNDS) -> Iterator[tuple[str, bytes]]:
    """The members, one after the other; none may have more than `most` bytes, which may depend on its name.

    Raises `TarError` for anything that `write` would not have written.
    """
    last, members, total = "", 0, 0
    while (block := _exactly(file, BLOCK)) != bytes(BLOCK):
        name, size = _read_header(block)
        members, total = members + 1, total + size
        if name <= last:
            raise TarError(f"{name!r} after {last!r}")
        if members > bounds.members or total > bounds.size or size > (most if isinstance(most, int) else most(name)):
            raise TarError(f"{name!r} is too large, or one too many")
        last = name
        content = _exactly(file, size)
        if any(_exactly(file, -size % BLOCK)):
            raise TarError(f"bytes behind {name!r}")
        yield name, content
    if _exactly(file, BLOCK) != bytes(BLOCK) or file.read(1):
        raise TarError("bytes behind the end")


def _read_header(block: bytes) -> tuple[str, int]:
    """Name and size of the member whose header this is."""
    try:
        info = tarfile.TarInfo.frombuf(block, "ascii", "strict")
        if header(info.name, info.size) == block:
            return info.name, info.size
    except (tarfile.HeaderError, ValueError):
        pass
    raise TarError("a header that is not of this form")


def _exactly(file: Readable, size: int) -> bytes:
    """So many bytes, read in pieces: a size that is not true costs no memory."""
    pieces, left = [], size
    while left:
        piece = file.read(min(left, PIECE))
        if not piece:
            raise TarError("it ends too early")
        pieces.append(piece)
        left -= len(piece)
    return b"".join(pieces)
