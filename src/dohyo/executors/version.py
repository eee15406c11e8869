"""Which version of Dohyo plays: a cluster's machines compare it, so that all of them play the same match.

All of our own source counts, except what can have no part in a match: so a new package counts without being listed.
An import contract (`pyproject.toml`) says that no playing process imports what is omitted, and a test plays matches
to check it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import msgspec

import dohyo
from dohyo import games
from dohyo.core.game import Game

SIGNS = 8  # of the digest, in a version that is shown
# Packages and modules that no playing process imports, with all that is in them.
NO_PART = (
    *("__main__", "bench", "cli", "data", "series", "terminal", "web"),
    *(f"guests.{name}" for name in ("analysis", "bundles", "coach", "exports", "game_programs", "profile")),
    *(f"guests.{name}" for name in ("puzzles", "reports", "rerun", "site", "site_client", "starters")),
    *(f"guests.{name}" for name in ("tune", "verify")),
)
SENTENCES = "i18n"  # the folder of the core's sentences, and of a game's
WORDS = "words"  # of a guest's, beside its `door.py`; anywhere else it is a folder like any other
OWN = Path(dohyo.__file__).parent


@cache
def version() -> str:
    """The exact version of Dohyo, because other rules give other matches. Read once in each process."""
    return f"{dohyo.__version__}+{digest(OWN, NO_PART)[:SIGNS]}"


@cache
def version_of_game(name: str) -> str:
    """The digest of a game that was installed beside Dohyo; empty for one of our own, which `version` covers.

    Raises `OperatorError` if there is no such game.
    """
    game = games.find(name)
    folder = Path(game.folder)
    if game.file is not None:
        return hashlib.sha256(Path(game.file).read_bytes() + digest(folder).encode()).hexdigest()
    return "" if folder.is_relative_to(OWN) else digest(folder)


class Rules(msgspec.Struct, frozen=True):
    """By which rules matches were played: their version, and the digest of a game that is not one of Dohyo's own."""

    version: int
    digest: str


def rules_of(game: Game) -> Rules:
    """The rules of a game as they are now: matches by others do not count with theirs."""
    if game.referee is not None:
        return Rules(game.version, game.referee.digest)
    return Rules(game.version, version_of_game(game.name))


def digest(folder: Path, omitted: Sequence[str] = ()) -> str:
    """SHA-256 over the names and contents of the `deciding` files in a folder."""
    whole = hashlib.sha256()
    for path in sorted(deciding(folder, omitted)):
        name = path.relative_to(folder).as_posix()
        whole.update(f"{name}\0".encode() + hashlib.sha256(path.read_bytes()).digest())
    return whole.hexdigest()


def deciding(folder: Path, omitted: Sequence[str] = ()) -> Iterator[Path]:
    """The files in a folder that may have a part in a match: sources in any language, and data; not sentences."""
    beginnings = tuple(f"{name}." for name in omitted)
    for path in folder.rglob("*"):
        inside = path.relative_to(folder)
        if _is_text(path) or any(part == "__pycache__" or part.startswith(".") for part in inside.parts):
            continue
        if not f"{'.'.join(inside.with_suffix('').parts)}.".startswith(beginnings) and path.is_file():
            yield path


def _is_text(path: Path) -> bool:
    """Whether this is a page, or a file of sentences."""
    if path.suffix == ".json":
        home = path.parent
        return home.name == SENTENCES or (home.name == WORDS and home.parent.parent == OWN / "guests")
    return path.suffix == ".md"
