"""Opens files that a stranger may have prepared: ordinary ones only, and without waiting for anybody."""

from __future__ import annotations

import errno
import os
import stat
from typing import BinaryIO

from dohyo.i18n import Message

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
    flags = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY | (0 if follow else os.O_NOFOLLOW)
    descriptor = os.open(path, flags)
    try:
        kind = os.fstat(descriptor).st_mode
        if stat.S_ISDIR(kind):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), os.fspath(path))
        if not stat.S_ISREG(kind):
            if not (typed and os.fspath(path).startswith(TYPED)):
                raise NotOrdinaryError(errno.EINVAL, "not an ordinary file", os.fspath(path))
            os.set_blocking(descriptor, True)
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise
