"""What lies in a stranger's folder, opened so that no link is followed, whichever part of a name it stands for.

The folder may be its author's to change while we read it: what was a folder when we looked can be a link a moment
later. So each part of a name is opened by itself, in the open folder before it, and a link there is an error.
"""

from __future__ import annotations

import errno
import os
from pathlib import Path
from types import TracebackType

# A folder that is only passed through need not be readable to us.
PASSED = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY
LISTED = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK


class Below:
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

    def __enter__(self) -> Below:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._leave(0)
        os.close(self._root)
