"""The cache of built bots, kept from growing without end: what nobody has used for longest goes first.

The cache is the operator's own, and whatever runs beside the site builds there, too. So nothing goes that was used
within a day: a judge notes each hour, in the times of the folders, what its ladders play with. What went is built
again where somebody needs it: the store has what was handed in.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from time import time
from typing import NamedTuple

from dohyo.bots import cache
from dohyo.bots.bot import Bot
from dohyo.system import cache_mark, disk

FOLDERS = ("archives", "builds", "hand-ins")  # of the cache, of what is made of hand-ins
SPARED = 86_400.0  # seconds after its last use in which nothing goes
SPARED_IF_FULL = 2 * 3600.0  # the same where the disk is full: then the site could play nothing at all
LOW = 0.9  # of the limit: so much is left, so that it need not be trimmed again at once


class Kept(NamedTuple):
    """A folder of the cache: when it was used last, and its bytes."""

    at: float
    size: int
    path: Path


def note_use(bots: Iterable[Bot]) -> None:
    """Note that these bots play from the cache at this time."""
    home = cache.location()
    for bot in bots:
        for path in filter(None, (bot.staged, bot.built, bot.folder)):
            parts = Path(os.path.relpath(path, home)).parts
            if len(parts) > 1 and parts[0] in FOLDERS:
                with suppress(OSError):
                    os.utime(home / parts[0] / parts[1])


def trim(most: int, spared: float = SPARED) -> int:
    """Remove what was not used for longest, if there are more than `most` bytes; how many folders went.

    What was used within `spared` seconds stays. In a folder that has no mark of ours nothing goes: what bears our
    names there may be somebody's own.
    """
    if not cache_mark.is_marked(cache.location()):
        return 0
    kept = sorted(_kept(cache.location()))
    size = sum(one.size for one in kept)
    if size <= most:
        return 0
    gone = 0
    for one in kept:
        if size <= LOW * most or one.at > time() - spared:
            break
        disk.remove(one.path)
        size -= one.size
        gone += 1
    return gone


def _kept(home: Path) -> Iterator[Kept]:
    for name in FOLDERS:
        with suppress(OSError):
            for entry in os.scandir(home / name):
                if entry.is_dir(follow_symlinks=False):
                    at = entry.stat(follow_symlinks=False).st_mtime
                    yield Kept(at, disk.size_of(entry.path), Path(entry.path))
