"""A contest in PostgreSQL: the same as in a file, also when the server is restarted in the middle."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests import postgres, skips
from tests.run.contest.contests import Onlooker, asked, course, play

pytestmark = pytest.mark.xdist_group("postgres")


@pytest.fixture(scope="module")
def server() -> Iterator[postgres.Server]:
    """A PostgreSQL of our own."""
    with postgres.running(skips.program("postgres")) as running:
        yield running


def test_the_server_is_restarted_in_the_middle(
    folder: Path, store: Path, tmp_path: Path, server: postgres.Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The contest waits for the server, goes on by itself, and ends as one in a file does."""
    monkeypatch.chdir(tmp_path)  # there lie its files

    def restart(number: int) -> None:
        if number == 5:
            server.stop()
            server.start()

    in_file = asked(store, folder, "swiss")
    play(in_file)
    with server.database() as url:
        wanted = replace(in_file, store=url)
        onlooker = Onlooker(restart)
        play(wanted, onlooker)
        assert course(wanted) == course(in_file)
        assert len(onlooker.results) == len(course(in_file).matches)
