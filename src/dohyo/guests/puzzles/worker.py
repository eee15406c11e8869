"""The process that looks for puzzles in one match, for whoever has an eye on many: a site's judge.

    python -P -m dohyo.guests.puzzles.worker HERE

What comes in and goes out says `dohyo.web.served.working`; what was found are puzzles, as a file of them has them.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

import msgspec

from dohyo.core.replay import Replay
from dohyo.guests.puzzles.matches import Match
from dohyo.guests.puzzles.searching import Finder
from dohyo.series.puzzles.file import Written
from dohyo.web.served.running import Order
from dohyo.web.served.working import Write, work

MOST = 6  # puzzles of one match
LOWEST = 19  # how much others come first


def look(write: Write, replay: Replay, order: Order) -> None:
    """Look through a match; what was found goes to `write`."""
    os.nice(LOWEST)
    found: list[Any] = []
    with tempfile.TemporaryDirectory() as folder, Written(str(Path(folder) / "found.jsonl")) as written:
        with Finder(written, most=MOST, seconds=order.seconds, compiled=order.compiled) as finder:
            finder.look([Match("match", "", lambda: replay)])
        found = [msgspec.to_builtins(one) for one in written.known.puzzles]
    write({"analysis": found, "note": ""})


if __name__ == "__main__":
    work(look)
