"""A contest in PostgreSQL: the same as in a file, also when the server is restarted in the middle."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from sqlalchemy import update

from dohyo.core import replay_format as replays
from dohyo.guests.verify.stored import verify
from dohyo.series.store import open_store, tables
from dohyo.series.store.columns import sealed
from tests import postgres, skips
from tests.series.contests import ContestListener, asked, course, play

pytestmark = pytest.mark.xdist_group("postgres")

RESULT = ("replay", "at", "seconds", "host", "worker")


@pytest.fixture(scope="module")
def server() -> Iterator[postgres.Server]:
    """A PostgreSQL of our own."""
    with postgres.running(skips.program("postgres")) as running:
        yield running


@pytest.fixture(autouse=True)
def _own_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Remember nothing of these stores among the operator's settings."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))


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
        onlooker = ContestListener(restart)
        play(wanted, onlooker)
        assert course(wanted) == course(in_file)
        assert len(onlooker.results) == len(course(in_file).matches)


def test_replays_are_verified(
    folder: Path, store: Path, tmp_path: Path, server: postgres.Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A contest in PostgreSQL is verified as one in a file is: every replay, every move of it, and the bots."""
    monkeypatch.chdir(tmp_path)
    with server.database() as url:
        wanted = replace(asked(store, folder, "round-robin"), store=url)
        play(wanted)
        counts: list[int] = []
        with open_store(url) as opened:
            assert list(verify(opened, True, counts.append)) == []
            played = list(opened.played(opened.contest().id))
            assert counts[-1] == len(played) > 2
            changed = replays.decode(opened.files.get(str(played[0].replay)))
            changed.turns[0].digest = "00000000"
            broken = opened.files.put(replays.encode(changed, compressed=True))
            for number, replay in ((0, broken), (1, str(played[2].replay))):
                own = replace(played[number], replay=replay)
                row = {name: getattr(own, name) for name in RESULT}
                row |= {"contest": opened.contest().id, "match": number}
                with opened.database.writing() as connection:
                    where = (tables.results.c.contest == row["contest"]) & (tables.results.c.match == number)
                    connection.execute(update(tables.results).where(where).values(sealed(tables.results, row)))
            found = [(each.key, each.values["number"]) for each in verify(opened, True, counts.append)]
            assert found[0] == ("verify.replay", 0)
            assert set(found[1:]) == {("verify.result", 1)}
