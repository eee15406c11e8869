"""Where the links in a folder lead, told by their texts alone: the disk is not asked, and may change meanwhile.

A link may lead over others, as many as the kernel would follow; what is not there is a plain name. Each link is
followed once, so a thousand of them cost no more than their texts are long.
"""

from __future__ import annotations

import errno
import os
import posixpath
from collections.abc import Collection, Mapping
from pathlib import Path

MOST = 40  # links behind each other: the kernel follows no more
LONGEST = 1000  # bytes of a way from a link to where it leads


class LeavesError(Exception):
    """A link leads out of the folder."""


class Links:
    """The links of a folder by relative name, with their texts; `homes` are the folder's own absolute paths."""

    def __init__(self, texts: Mapping[str, str], homes: Collection[str]) -> None:
        self._texts = texts
        self._homes = homes
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
        if depth >= MOST:
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
        at, text, taken = posixpath.dirname(name), self._texts[name], 1
        if text.startswith("/"):
            at, text = "", self._inside(text)
        _check_length(text)
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
                if taken > MOST:
                    raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
        _check_length(at)
        self._known[name] = (at, taken)
        return at, taken

    def _inside(self, text: str) -> str:
        """The part of an absolute text below the folder."""
        for home in self._homes:
            if text == home or text.startswith(f"{home}/"):
                return text[len(home) :]
        raise LeavesError


def _check_length(text: str) -> None:
    if len(os.fsencode(text)) > LONGEST:
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
