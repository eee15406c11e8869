"""A contest in a process of its own, played as `dohyo contest run` does.

`python -m tests.series.broadcast.playing STORE FOLDER` begins once its standard input has a line.
"""

from __future__ import annotations

import sys
from pathlib import Path

from dohyo.executors.in_process import InProcess
from dohyo.executors.told import Told
from dohyo.series.results import Silent
from dohyo.series.watched import AT_ONCE, live_folder, series_of
from tests.series.contests import asked, opened


def main(store: str, folder: str) -> None:
    """Play it to its end."""
    sys.stdin.readline()
    with opened(asked(Path(store), Path(folder))) as session:
        live = live_folder(session.store)
        assert live is not None
        with Told(InProcess(), live, series_of(session.contest), AT_ONCE) as executor:
            session.loop.run(executor, Silent())
        session.store.set_state(session.contest.id, "over")


if __name__ == "__main__":
    main(*sys.argv[1:])
