"""The disk full, the database restarted in the middle: a sentence, nothing lost, and going on where it was."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event

from dohyo.core.errors import OperatorError
from dohyo.series.store import Store, open_store
from tests.postgres import Server
from tests.series.store.played import AT, begun, duels, result

POSTGRES = pytest.mark.xdist_group("postgres")


def whole(store: Store) -> None:
    """Hold that every duel is in the store, and counted, once."""
    contest = store.contest()
    assert list(store.played(contest.id)) == [result(match) for match in duels()]
    assert sum(pair.matches for pair in store.pairs(contest.id)) == len(duels())
    assert all(progress.complete for progress in store.progress(contest.id))


def test_sqlite_on_a_full_disk(tmp_path: Path) -> None:
    """SQLite without room says so in one sentence; nothing is half there; with room the same goes on."""
    with open_store(str(tmp_path / "results.db"), create=True) as store:
        contest = begun(store)
        store.schedule(contest.id, duels())
        store.record(contest.id, [result(match) for match in duels()[:5]])
        room = [8]

        @event.listens_for(store.database.engine, "begin")
        def shrink(connection: Any) -> None:
            pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
            connection.exec_driver_sql(f"PRAGMA max_page_count = {pages + room[0]}")

        store.database.engine.dispose()
        many = [result(match, worker="w" * 50_000) for match in duels()[5:]]
        with pytest.raises(OperatorError) as caught:
            store.record(contest.id, many)
        assert caught.value.key == "store-disk-full"
        assert len(list(store.played(contest.id))) == 5
        room[0] = 1_000_000
        assert len(store.record(contest.id, [result(match) for match in duels()])) == 19
        whole(store)


@pytest.fixture
def remote(server: Server, tmp_path: Path) -> Iterator[Store]:
    """A store in PostgreSQL with a contest that is leased and scheduled."""
    with server.database() as url, open_store(url, create=True, files=tmp_path, patience=60.0) as store:
        contest = begun(store)
        store.lease(contest.id)
        store.schedule(contest.id, duels())
        yield store


def once(store: Store, name: str, number: int, act: Callable[[], None]) -> None:
    """Do `act` once, at event `name` (a statement, or a commit) of that number from here on."""
    left = [number]

    @event.listens_for(store.database.engine, name)
    def count(*_: object) -> None:
        left[0] -= 1
        if left[0] == 0:
            act()


@POSTGRES
def test_postgres_restarted_between_writes(remote: Store, server: Server) -> None:
    """A server that was restarted between two results is found again, and the lease with it."""
    contest = remote.contest()
    remote.record(contest.id, [result(match) for match in duels()[:5]])
    server.stop()
    server.start()
    remote.record(contest.id, [result(match) for match in duels()[3:]])
    whole(remote)
    with open_store(remote.database.address.url.render_as_string(False).replace("+psycopg", "")) as other:
        with pytest.raises(OperatorError) as caught:
            other.lease(contest.id)
        assert caught.value.key == "contest-runs"


@POSTGRES
@pytest.mark.parametrize(("name", "number"), [("before_cursor_execute", n) for n in (2, 4, 6)] + [("commit", 1)])
def test_postgres_restarted_in_the_middle(remote: Store, server: Server, name: str, number: int) -> None:
    """A server that is restarted in the middle of a transaction, or of its end, makes no result lost or double."""

    def restart() -> None:
        server.stop()
        server.start()

    once(remote, name, number, restart)
    contest = remote.contest()
    remote.record(contest.id, [result(match) for match in duels()])
    whole(remote)


@POSTGRES
def test_a_commit_that_nobody_answered(remote: Store, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the connection broke after the server had committed, doing it again counts nothing twice."""
    from sqlalchemy.engine import default

    commit, left = default.DefaultDialect.do_commit, [1]

    def commit_and_break(dialect: Any, connection: Any) -> None:
        commit(dialect, connection)
        left[0] -= 1
        if left[0] == 0:
            server.stop()
            server.start()
            connection.execute("SELECT 1")

    contest = remote.contest()
    monkeypatch.setattr(
        remote.database.engine.dialect, "do_commit", commit_and_break.__get__(remote.database.engine.dialect)
    )
    remote.record(contest.id, [result(match) for match in duels()])
    assert left[0] < 0
    whole(remote)
    left[0] = 1
    assert remote.fail(contest.id, 3, "killed", AT) == (1, False)


@POSTGRES
def test_postgres_that_does_not_come_back(server: Server, tmp_path: Path) -> None:
    """A server that stays away is told after our patience; started again, everything that was stored is there."""
    with server.database() as url:
        with open_store(url, create=True, files=tmp_path, patience=0.3) as store:
            contest = begun(store)
            store.schedule(contest.id, duels())
            store.record(contest.id, [result(match) for match in duels()[:5]])
            server.stop()
            try:
                with pytest.raises(OperatorError) as caught:
                    store.record(contest.id, [result(match) for match in duels()])
            finally:
                server.start()
            assert caught.value.key == "store-lost"
        with open_store(url) as store:
            store.record(contest.id, [result(match) for match in duels()])
            whole(store)


@POSTGRES
def test_postgres_on_a_full_disk(remote: Store) -> None:
    """PostgreSQL without room is told in one sentence, at once; nothing is half there; with room the same goes on."""
    contest = remote.contest()
    remote.record(contest.id, [result(match) for match in duels()[:5]])
    complains = "BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END"
    with remote.database.writing() as connection:
        connection.exec_driver_sql(f"CREATE FUNCTION full_() RETURNS trigger AS $$ {complains} $$ LANGUAGE plpgsql")
        connection.exec_driver_sql("CREATE TRIGGER full_ BEFORE INSERT ON seatings EXECUTE FUNCTION full_()")
    with pytest.raises(OperatorError) as caught:
        remote.record(contest.id, [result(match) for match in duels()])
    assert caught.value.key == "store-disk-full"
    assert len(list(remote.played(contest.id))) == 5
    with remote.database.writing() as connection:
        connection.exec_driver_sql("DROP TRIGGER full_ ON seatings")
    remote.record(contest.id, [result(match) for match in duels()])
    whole(remote)
