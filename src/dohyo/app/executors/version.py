"""Which Dohyo plays: the version that a cluster's machines compare, so that all of them play the same match.

All of our own source decides a match, but for what can have no part in one: so a new package counts without being
listed. That no playing process imports what is left out is an import contract (`pyproject.toml`), and a test plays
matches to see it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import dohyo
from dohyo import games

SIGNS = 8  # of the digest, in a version that is shown
# Packages and modules that no playing process imports, with all that is in them.
NO_PART = ("__main__", "app.contest", "cli", "contest", "store", "web")


OWN = Path(dohyo.__file__).parent


@cache
def version() -> str:
    """Which Dohyo this is, to the letter: matches would not be the same with another's rules. Read once a process."""
    return f"{dohyo.__version__}+{digest(OWN, NO_PART)[:SIGNS]}"


@cache
def version_of_game(name: str) -> str:
    """The digest of a game that was installed beside Dohyo; empty for one of our own, which `version` covers.

    Raises `OperatorError` where there is no such game.
    """
    folder = Path(games.find(name).folder)
    return "" if folder.is_relative_to(OWN) else digest(folder)


def digest(folder: Path, omitted: Sequence[str] = ()) -> str:
    """SHA-256 over the names and contents of all sources in a folder but the omitted packages and modules."""
    whole = hashlib.sha256()
    for path in sorted(deciding(folder, omitted)):
        name = path.relative_to(folder).as_posix()
        whole.update(f"{name}\0".encode() + hashlib.sha256(path.read_bytes()).digest())
    return whole.hexdigest()


def deciding(folder: Path, omitted: Sequence[str] = ()) -> Iterator[Path]:
    """The sources in a folder that may have a part in a match. Sentences and pages have none."""
    beginnings = tuple(f"{name}." for name in omitted)
    for path in folder.rglob("*.py"):
        module = ".".join(path.relative_to(folder).with_suffix("").parts)
        if not f"{module}.".startswith(beginnings):
            yield path
