"""What the tests of the broadcast share with those of other commands, and a small contest."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import folder, typed
from tests.series.contests import asked, opened, play, write_bots

__all__ = ["folder", "typed"]


@pytest.fixture(scope="session")
def over(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The store of a small contest that is over."""
    home = tmp_path_factory.mktemp("over")
    write_bots(home / "bots")
    wanted = asked(home / "c.db", home / "bots")
    play(wanted)
    with opened(wanted) as session:
        session.store.set_state(session.contest.id, "over")
    return home / "c.db"
