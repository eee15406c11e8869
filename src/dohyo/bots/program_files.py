"""Where the operator's programs are searched, and which file a name finds there."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

import msgspec

from dohyo.languages import home_of
from dohyo.system.search_path import search_path


class ProgramFile(msgspec.Struct, frozen=True):
    """The file that a program's name finds: its path, where that leads, and what changes when it is replaced."""

    path: str
    real: str
    size: int
    changed: int
    number: int


def folders_for(name: str) -> list[str]:
    """The folders in which a program of this name is searched, in order; `name` may be a path.

    The last is that of a language's installation, if the operator has a variable that says where it is.
    """
    if os.path.dirname(name):
        return [""]
    variable, folder = home_of(name)
    home = os.environ.get(variable, "")
    return [*search_path().split(os.pathsep), *([os.path.join(home, folder)] if os.path.isabs(home) else [])]


def candidates(name: str, folders: Iterable[str]) -> Iterator[str]:
    """The programs of this name in these folders, in order."""
    for folder in folders:
        path = os.path.join(folder, name)
        if os.path.isfile(path) and os.access(path, os.X_OK):
            yield path


def first(name: str) -> ProgramFile | None:
    """The first program that this name finds; none if there is none."""
    path = next(candidates(name, folders_for(name)), None)
    if path is None:
        return None
    real = os.path.realpath(path)
    try:
        status = os.stat(real)
    except OSError:
        return None
    return ProgramFile(path, real, status.st_size, status.st_ctime_ns, status.st_ino)
