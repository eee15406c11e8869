"""The mark of our cache: a file CACHEDIR.TAG in its root that says that all in it is Dohyo's, and may be removed.

`DOHYO_CACHE` may name any folder, also one in which somebody keeps their own `hand-ins`. Names prove nothing; so only
in a marked root is anything ever removed that has one of our names. The mark is set where the folder is made by us,
or is empty, and at the usual place, which is called `dohyo` and which nobody else fills.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Mapping
from contextlib import suppress

NAME, OF_DISK = "CACHEDIR.TAG", "lost+found"  # the root of a file system of its own has that
# The first line is what other programs look for, such as those that make backups (https://bford.info/cachedir/).
WORDS = (
    b"Signature: 8a477f597d28d172789f06886806bc55\n"
    b"# This folder is Dohyo's cache: 'dohyo cache clear' removes what is in it. Keep nothing of your own here.\n"
)


def expanded(path: str, variables: Mapping[str, str]) -> str:
    """A path with the home folder, by these variables, in the place of its `~`."""
    if "HOME" in variables and (path == "~" or path.startswith("~/")):
        return variables["HOME"].rstrip("/") + path[1:] or "/"
    return os.path.expanduser(path)


def usual(variables: Mapping[str, str] = os.environ) -> str | None:
    """Where the cache is unless `DOHYO_CACHE` names it: the system's place for caches; none without a home folder."""
    home = expanded("~", variables)
    if sys.platform == "darwin":
        return os.path.join(home, "Library", "Caches", "dohyo") if os.path.isabs(home) else None
    base = variables.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(base):
        base = os.path.join(home, ".cache")
    return os.path.join(base, "dohyo") if os.path.isabs(base) else None


def is_marked(root: str | os.PathLike[str]) -> bool:
    """Whether this folder has our mark; a link in the mark's place is none."""
    try:
        file = os.open(os.path.join(root, NAME), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except (OSError, ValueError):
        return False
    try:
        found = os.fstat(file)
        is_ours = stat.S_ISREG(found.st_mode) and found.st_uid == os.geteuid()
        return is_ours and os.read(file, len(WORDS) + 1) == WORDS
    except OSError:
        return False
    finally:
        os.close(file)


def mark(root: str | os.PathLike[str]) -> None:
    """Make the cache's root, and mark it if it is ours to mark; a folder of somebody's that holds anything is not.

    Nothing is raised: where it cannot be made or written to, whoever writes there finds that out.
    """
    path = os.fspath(root)
    with suppress(OSError, ValueError):
        if is_marked(path):
            return
        os.makedirs(path, exist_ok=True)
        is_empty = all(name == OF_DISK or name.startswith(NAME) for name in os.listdir(path))  # half a mark is none
        if is_empty or (path == usual() and not os.path.islink(path)):
            _write(os.path.join(path, NAME))


def _write(place: str) -> None:
    """Write the mark, whole or not at all; never over a file that is there."""
    beside = f"{place}-{os.urandom(8).hex()}"
    try:
        with open(beside, "xb") as file:
            file.write(WORDS)
        if not os.path.lexists(place):
            os.rename(beside, place)
    finally:
        with suppress(FileNotFoundError):
            os.unlink(beside)
