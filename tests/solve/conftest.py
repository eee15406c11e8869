"""Games of one file, loaded once for the tests of a file."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from dohyo.core.game import Game
from tests.solve.games import SCISSORS, goofspiel_of_three, of_file


@pytest.fixture(scope="module")
def scissors(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Game]:
    """Rock-paper-scissors in which a win by rock counts 2."""
    yield from of_file(SCISSORS, "solved_scissors", tmp_path_factory.mktemp("scissors"))


@pytest.fixture(scope="module")
def goofspiel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Game]:
    """Goofspiel with three cards."""
    yield from of_file(goofspiel_of_three(), "solved_goofspiel", tmp_path_factory.mktemp("goofspiel"))
