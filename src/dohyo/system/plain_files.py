"""Opens files that a stranger may have prepared: ordinary ones only, and without waiting for anybody."""

from __future__ import annotations

import errno
import os
import stat
from typing import BinaryIO

from dohyo.i18n import Message

AT_ONCE = 1 << 20  # bytes
TYPED = ("/dev/", "/proc/self/fd/")  # where a shell has its own pipes: `dohyo replay <(zcat m.replay.gz)`


class NotOrdinaryError(OSError):
    """It is a pipe, a device or the like."""

    message = Message("system.not-ordinary")


def open_plain(path: str | os.PathLike[str], *, follow: bool = True, typed: bool = False) -> BinaryIO:
    """An ordinary file, to be read; without `follow`, no link to one.

    A pipe would keep us waiting until somebody writes to it, and a device may never end. With `typed`, for a path of
    the operator's own words, one that begins with `/dev/` may be either. Raises `OSError`, `ValueError` for a path
    that cannot be one.
    """
    descriptor, _ = _opened(path, follow, typed)
    try:
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def read_plain_bytes(path: str | os.PathLike[str], most: int, *, typed: bool = False) -> bytes:
    """The first `most` bytes of what `open_plain` opens; of an ordinary file those that it has now.

    Quicker than a file object where there are thousands of small files. Raises what `open_plain` raises.
    """
    descriptor, size = _opened(path, True, typed)
    try:
        content = os.read(descriptor, min(most, AT_ONCE, AT_ONCE if size is None else size))
        if len(content) == size or len(content) == most:
            return content
        pieces, left = [content], most - len(content)
        while left > 0 and (more := os.read(descriptor, min(left, AT_ONCE))):
            pieces.append(more)
            left -= len(more)
        return b"".join(pieces)
    finally:
        os.close(descriptor)


def _opened(path: str | os.PathLike[str], follow: bool, typed: bool) -> tuple[int, int | None]:
    """A descriptor, and the bytes of an ordinary file, if it says how many."""
    flags = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY | (0 if follow else os.O_NOFOLLOW)
    descriptor = os.open(path, flags)
    try:
        found = os.fstat(descriptor)
        if stat.S_ISREG(found.st_mode):
            return descriptor, found.st_size or None  # the kernel's own say 0, and are not empty
        if stat.S_ISDIR(found.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), os.fspath(path))
        if not (typed and os.fspath(path).startswith(TYPED)):
            raise NotOrdinaryError(errno.EINVAL, "not an ordinary file", os.fspath(path))
        os.set_blocking(descriptor, True)
        return descriptor, None
    except BaseException:
        os.close(descriptor)
        raise
