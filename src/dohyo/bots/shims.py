"""Programs behind shims: what pyenv, asdf, mise, rbenv, nodenv, jenv and sdkman put on the PATH in their place.

A shim is a small script (mise's is a link to mise itself) that looks up, at each start, which version is meant. That
costs 50 to 100 ms, and in a sandbox the manager that it asks is not there. So the manager is asked once, here: every
one of them answers `MANAGER which NAME` with a path. Sdkman has no shims but a link called `current`, which is
followed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable

from dohyo.bots.recipe import Words

# The line of a shim that hands over: exec "/home/me/.pyenv/libexec/pyenv" exec "$program" "$@"
HANDS_OVER = re.compile(
    rb"""^\s*exec\s+["']?([^\s"']*?\b(?:pyenv|rbenv|nodenv|jenv|goenv|plenv|phpenv|asdf))["']?\s+exec\b""",
    re.MULTILINE,
)
LONGEST = 16 * 1024  # bytes of a script that is looked at
MISE = "mise"
SDKMAN = "/.sdkman/candidates/"

Ask = Callable[[Words], str | None]  # the first line that a command prints; None when it fails


def find(name: str, folders: Iterable[str], ask: Ask) -> str | None:
    """The absolute path of the program `name` in the first of these folders that has it, behind shims.

    A shim behind which there is nothing (the version that is chosen has no such program) counts as none.
    """
    for folder in folders:
        path = os.path.join(folder, name)
        if os.path.isfile(path) and os.access(path, os.X_OK):
            found = behind(path, ask)
            if found is not None:
                return found
    return None


def behind(path: str, ask: Ask) -> str | None:
    """The program itself where `path` is a shim, None where the shim leads nowhere, else the path as it is."""
    if SDKMAN in path:
        return os.path.realpath(path)
    manager = manager_of(path)
    if manager is None:
        return os.path.abspath(path)
    said = ask((manager, "which", os.path.basename(path)))
    usable = said is not None and os.path.isabs(said) and os.access(said, os.X_OK) and os.path.isfile(said)
    return said if usable else None


def is_shim(path: str) -> bool:
    """Whether a version manager has put this file, or the folder that it lies in, in a program's place."""
    return SDKMAN in path or manager_of(path) is not None


def manager_of(path: str) -> str | None:
    """The program that a shim asks, as an absolute path or a name; None where `path` is no shim."""
    real = os.path.realpath(path)
    if os.path.basename(real) == MISE:
        return real if os.path.basename(path) != MISE else None
    try:
        with open(real, "rb") as file:
            start = file.read(LONGEST)
    except OSError:
        return None
    found = HANDS_OVER.search(start) if start[:2] == b"#!" else None
    return None if found is None else os.fsdecode(found[1])
