"""Contests that an older Dohyo began go on as they were begun."""

from __future__ import annotations

from pathlib import Path

import pytest

from dohyo.core.errors import OperatorError
from dohyo.executors.in_process import InProcess
from dohyo.series.formats import KEYED, NEW
from dohyo.series.store import open_store
from tests.series.contests import ContestListener, asked, opened


@pytest.mark.parametrize("format_", ["swiss", "round-robin"])
def test_by_the_lots_of_then(folder: Path, store: Path, format_: str) -> None:
    """Begun without lots, and gone on with by the same command, a contest has none; new options change nothing."""
    wanted = asked(store, folder, format_)
    with opened(wanted) as contest, InProcess() as players:
        assert contest.loop.format.terms.seeds == NEW
        contest.loop.run(players, ContestListener(), 1)
    with open_store(str(store)) as there:
        known = there.contest()
        spec = {**known.spec, "seeds": KEYED}
        spec["options"] = {key: value for key, value in spec["options"].items() if key not in ("seeding", "ratings")}
        there.set_spec(known.id, spec)
    with opened(wanted) as contest:
        assert contest.loop.format.terms.seeds == KEYED


def test_an_option_that_names_nobody_begins_nothing(folder: Path, store: Path) -> None:
    """A rating of a bot that does not take part is told before anything is stored."""
    wanted = asked(store, folder, "single-elimination", options={"ratings": "nobody=3", "table": 4})
    with pytest.raises(OperatorError) as caught:
        opened(wanted)
    assert caught.value.key == "format-no-bot"
    assert not store.exists()
