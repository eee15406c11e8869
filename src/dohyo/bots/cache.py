"""The cache: where it is, and what it says of a finished build, if that still stands.

Copies of hand-ins are kept there by `hand_in.py`, builds by `builds.py`, records of both by `prepared.py`.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import msgspec

from dohyo.bots.bot import BUILD
from dohyo.core.errors import MachineError
from dohyo.system import cache_mark

AGAIN = "build-again"  # a file that a build leaves in its folder, so that it is tried again; see docs/bots.md


def location(cache: Path | None = None) -> Path:
    """The cache folder: `cache`, or $DOHYO_CACHE, or the system's usual place for caches.

    Raises `OperatorError` when there is no home folder for it.
    """
    named = os.environ.get("DOHYO_CACHE", "")
    if cache is not None or named:
        return Path(os.path.abspath(os.path.expanduser(cache or named)))
    place = cache_mark.usual()
    if place is None:
        raise MachineError("bot-cache-nowhere")
    return Path(place)


class Built(msgspec.Struct, frozen=True):
    """A finished build: its folder, and what it printed."""

    folder: str
    log: str


def last_build(attempts: Path, command: Sequence[str]) -> Built | None:
    """The build of these attempts that counts, finished or to be tried again; one that lost the program of the
    bot's command is none."""
    try:
        built = msgspec.json.decode((attempts / "done").read_bytes(), type=Built)
    except (OSError, msgspec.DecodeError):
        return None
    folder = attempts / built.folder
    whole = folder.is_dir() and all(Path(made).exists() for made in made_by(command, folder))
    return Built(str(folder), built.log) if whole else None


def made_by(command: Sequence[str], folder: Path) -> list[str]:
    """The files of a build in `folder` that the bot's command names."""
    inside = (word for word in command if word.startswith(f"{BUILD}/") and ":" not in word)  # no class path
    return [word.replace(BUILD, str(folder)) for word in inside]


def is_again(built: Built) -> bool:
    """Whether the build says of itself that it was broken off, and is to be tried again."""
    return os.path.lexists(os.path.join(built.folder, AGAIN))
