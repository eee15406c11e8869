"""The folder of a site: nothing is written outside of it."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from dohyo.core.errors import OperatorError

MARK = ".dohyo-site"  # marks a folder as a site of ours, which may be written again
FOLDERS = ("bots", "matches")
OPEN = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW


class SiteFolder:
    """A site's folder. Files are opened from its descriptor and no link is followed, so none is written outside.

    At the end, files of an earlier site that were not written again are removed. Raises `OperatorError` for a folder
    that is not empty and not a site of ours.
    """

    def __init__(self, path: str) -> None:
        os.makedirs(path, exist_ok=True)
        self._root = os.open(path, os.O_RDONLY | os.O_DIRECTORY)  # the path that the operator gives may be a link
        self._written: dict[str, set[str]] = {name: set() for name in FOLDERS}
        self._places: dict[str, int] = {}
        try:
            there = os.listdir(self._root)
            if there and MARK not in there:
                raise OperatorError("site-not-empty", path=path)
            self._put(self._root, MARK, b"")
            for name in FOLDERS:
                with suppress(FileExistsError):
                    os.mkdir(name, dir_fd=self._root)
                self._places[name] = os.open(name, OPEN, dir_fd=self._root)
        except BaseException:
            self._close()
            raise

    def __enter__(self) -> SiteFolder:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        with self._closing():
            if kind is None:
                for name, place in self._places.items():
                    for old in set(os.listdir(place)) - self._written[name]:
                        with suppress(IsADirectoryError, PermissionError):
                            os.unlink(old, dir_fd=place)

    def write(self, folder: str, name: str, content: bytes) -> None:
        """Write a file completely or not at all; it replaces one of this name."""
        if folder:
            self._written[folder].add(name)
        self._put(self._places[folder] if folder else self._root, name, content)

    def _put(self, place: int, name: str, content: bytes) -> None:
        beside = f".new-{secrets.token_hex(8)}"
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
        try:
            with open(os.open(beside, flags, 0o666, dir_fd=place), "wb") as file:
                file.write(content)
            os.rename(beside, name, src_dir_fd=place, dst_dir_fd=place)
        except BaseException:
            with suppress(OSError):
                os.unlink(beside, dir_fd=place)
            raise

    @contextmanager
    def _closing(self) -> Iterator[None]:
        try:
            yield
        finally:
            self._close()

    def _close(self) -> None:
        for place in (*self._places.values(), self._root):
            os.close(place)
