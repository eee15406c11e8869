"""Recorded games: where they are, how they are read, how the games that have some are found."""

from __future__ import annotations

import gzip
import importlib
import json
import os
import pkgutil
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, Protocol, cast

from tests import conformance

ROOT = Path(__file__).resolve().parents[2]
SLICES = ROOT / "tests" / "recordings"
ENDING = ".jsonl.gz"


class UnreadableError(Exception):
    """A file of recordings that cannot be read; the message is a sentence for the person who named it."""


class Compared(NamedTuple):
    """One recorded game against ours: how much was compared, and a line for each difference."""

    count: int
    differences: list[str]


class Comparison(Protocol):
    """What a game's module here has to hold."""

    COUNTED: str

    def compare(self, recording: dict[str, Any]) -> Compared:
        """Play one recorded game with our rules."""


def comparisons() -> dict[str, Comparison]:
    """Every game that has a module here, by the name that the command line knows."""
    found = {}
    for module in pkgutil.iter_modules(conformance.__path__):
        if module.name.startswith(("_", "test_")):
            continue
        loaded = importlib.import_module(f"{conformance.__name__}.{module.name}")
        if hasattr(loaded, "compare"):
            found[module.name.replace("_", "-")] = cast(Comparison, loaded)
    return found


def recorded_games(path: Path) -> Iterator[dict[str, Any]]:
    """The games of one file. Raises `UnreadableError` when it is no such file, or holds no game."""
    holds_some = False
    try:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                yield json.loads(line)
                holds_some = True
    except (OSError, EOFError, zlib.error, ValueError) as error:
        raise UnreadableError(f"'{path}' cannot be read as recordings ({error}); name a file *{ENDING}.") from error
    if not holds_some:
        raise UnreadableError(f"'{path}' holds no recorded game; name another file.")


def folder() -> Path:
    """Where more recordings are: one folder a game."""
    named = os.environ.get("DOHYO_RECORDINGS", "")
    return Path(named) if named else ROOT.parent / "shared" / "conformance"


def files(game: str) -> list[Path]:
    """The files of more recordings of a game."""
    return sorted((folder() / game).glob(f"*{ENDING}"))
