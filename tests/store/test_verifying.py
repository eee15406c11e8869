"""A store that says itself what in it is not as it was written."""

from __future__ import annotations

from dohyo.store.records import Match
from tests.store.conftest import Open
from tests.store.played import begun, duels, result


def test_in_each_database(opened: Open) -> None:
    """In SQLite and in PostgreSQL, a row that was changed by hand, and a tally with its checksum, are found."""
    store = opened()
    contest = begun(store)
    games: list[Match] = duels()
    store.schedule(contest.id, games)
    store.record(contest.id, [result(match) for match in games])
    assert list(store.verify()) == []
    with store.database.writing() as connection:
        connection.exec_driver_sql("UPDATE seatings SET longest = longest + 1 WHERE match = 2 AND seat = 0")
    assert {finding.key for finding in store.verify()} == {"verify.row"}
    with store.database.writing() as connection:
        connection.exec_driver_sql("UPDATE seatings SET longest = longest - 1 WHERE match = 2 AND seat = 0")
        connection.exec_driver_sql("DELETE FROM results WHERE match = 3")
    assert "verify.row" in {finding.key for finding in store.verify()}
