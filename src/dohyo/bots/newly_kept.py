"""Notes which folders bots get in the cache, so that whoever refuses a bot can remove what was made for it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

_NOTED: ContextVar[set[Path] | None] = ContextVar("noted", default=None)


@contextmanager
def noting() -> Iterator[set[Path]]:
    """The folders that bots get in the cache while the block lasts, in this thread: those that were not there."""
    made: set[Path] = set()
    token = _NOTED.set(made)
    try:
        yield made
    finally:
        _NOTED.reset(token)


def note_made(folder: Path) -> None:
    """Note a folder that is made now, or is about to be."""
    if (made := _NOTED.get()) is not None:
        made.add(folder)
