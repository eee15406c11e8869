"""A contest in a process of its own, played as `dohyo contest run` does.

`python -m tests.series.broadcast.playing STORE FOLDER` begins once its standard input has a line. The report of its
first match comes once there is another line: so that match is on air until somebody has seen it, however slowly.
"""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from dohyo.executors import MatchOrder, MatchReport
from dohyo.executors.in_process import InProcess
from dohyo.executors.told import Told
from dohyo.series.results import Silent
from dohyo.series.watched import AT_ONCE, live_folder, series_of
from tests.series.contests import asked, opened


class Held(InProcess):
    """Plays; keeps the first report until there is a line to be read, and the match of it on air."""

    is_held = True

    def play(self, orders: Iterable[MatchOrder]) -> Iterator[MatchReport]:
        """Play the orders; their reports."""
        told: list[str] = []

        def noted() -> Iterator[MatchOrder]:
            for order in orders:
                told.append(order.told)
                yield order

        for report in super().play(noted()):
            if self.is_held:
                while not select.select([sys.stdin], [], [], 1.0)[0]:
                    os.utime(told[0])
                self.is_held = False
            yield report


def main(store: str, folder: str) -> None:
    """Play it to its end."""
    sys.stdin.readline()
    with opened(asked(Path(store), Path(folder))) as session:
        live = live_folder(session.store)
        assert live is not None
        with Told(Held(), live, series_of(session.contest), AT_ONCE) as executor:
            session.loop.run(executor, Silent())
        session.store.set_state(session.contest.id, "over")


if __name__ == "__main__":
    main(*sys.argv[1:])
