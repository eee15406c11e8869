"""Counts the matches that were played again because this machine gave no fair verdict, and says so in words.

It also says that the machine was busy meanwhile.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import closing

from dohyo.core.clock import Clock, Mode
from dohyo.executors.messages import Executor, MatchOrder, MatchReport
from dohyo.i18n import Speaker


class CountsAgain:
    """An executor that passes everything on to another one.

    `again` is how many matches were played again so far, `load` this machine's greatest load average of a minute,
    as seen after each match.
    """

    def __init__(self, executor: Executor) -> None:
        self._executor = executor
        self.again = 0
        self.load = 0.0

    @property
    def workers(self) -> int:
        """Matches at once."""
        return self._executor.workers

    def play(self, orders: Iterable[MatchOrder]) -> Iterator[MatchReport]:
        """Play all orders, as the other one does."""
        with closing(self._executor.play(orders)) as reports:  # type: ignore[type-var]
            for report in reports:
                self.again += bool(report.again)
                self.load = max(self.load, os.getloadavg()[0])
                yield report

    def close(self) -> None:
        """End whatever runs."""
        self._executor.close()

    def __enter__(self) -> CountsAgain:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def again_in_words(count: int, clock: Clock | None, mode: Mode | None, speaker: Speaker) -> str:
    """That so many matches were played again, and what would help. Of the game's usual clock, which is none here,
    `mode` says how it counts time; none is wall time."""
    counts = mode if clock is None else clock.mode
    return speaker.say("busy.again" if counts in ("fair", "cpu") else "busy.again-wall", count=count)


def busy_in_words(counts: CountsAgain, cores: int, clock: Clock | None, mode: Mode | None, speaker: Speaker) -> str:
    """That this machine, with so many processors, was busy with more than these matches, and what that meant for
    them; empty if it was not. How many were played again is said by `again_in_words` alone, with the same `clock` and
    `mode`, where there are any.
    """
    if counts.load <= cores + counts.workers:  # a match keeps about one processor busy
        return ""
    fair = (mode if clock is None else clock.mode) in ("fair", "cpu")
    key = "busy.load" if fair else "busy.load-wall"
    return speaker.say(key, load=f"{counts.load:.0f}", cores=cores)
