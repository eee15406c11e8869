"""What these tests share with those of commands and of players: a folder to type in, programs to start."""

from __future__ import annotations

import pytest

from tests.cli.conftest import folder, typed
from tests.match.players.conftest import workshop

__all__ = ["folder", "typed", "workshop"]


@pytest.fixture(autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep what is built outside the test's own folder, of which every entry may be a bot."""
    monkeypatch.setenv("DOHYO_CACHE", str(tmp_path_factory.mktemp("cache")))
