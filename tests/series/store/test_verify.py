"""A store that says itself what in it is not as it was written."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

import pytest
from sqlalchemy import JSON, String

from dohyo.core.contest import Fixture
from dohyo.core.errors import OperatorError
from dohyo.core.rulings_in_force import ANNUL, Ruling
from dohyo.i18n import Message
from dohyo.series.store import open_store
from dohyo.series.store.columns import COLUMN, covered
from dohyo.series.store.records import PublishedRating
from dohyo.series.store.tables import METADATA
from tests.series.store.conftest import Open
from tests.series.store.played import AT, begun, duels, result
from tests.series.store.sealing import seal


def test_in_each_database(opened: Open) -> None:
    """In SQLite and in PostgreSQL, a row that was changed by hand, and a tally with its checksum, are found."""
    store = opened()
    contest = begun(store)
    games: list[Fixture] = duels()
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


# --- every column by itself, in SQLite

COVERED = [
    (table.name, column)
    for table in METADATA.sorted_tables
    if COLUMN in table.c
    for column, _ in covered(table)
    if column not in table.primary_key.c
]
COUNTED = [
    (table, column)
    for table in ("batches", "tallies", "pair_tallies", "faulty_tallies", "fault_tallies")
    for column, _ in covered(METADATA.tables[table])
    if column not in (*METADATA.tables[table].primary_key.c.keys(), "first", "last", "size", "played")
]  # these four of a batch say what is read of it: where they are wrong, that is found in reading


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a row in every table that has checksums."""
    file = tmp_path_factory.mktemp("written") / "results.db"
    with open_store(str(file), create=True) as store:
        contest = begun(store)
        with store.lease(contest.id):
            *most, last = duels(batches=1)
            store.schedule(contest.id, [*most, last])
            store.record(contest.id, [result(match) for match in most[:-1]])
            store.record(contest.id, [result(most[-1], kept=("a" * 64, None))])
            store.fail(contest.id, last.number, "it broke", AT, most=1)
            store.rate(contest.id, 0, [PublishedRating(0, 1500.0, 1400.0, 1600.0, 25.0, 8.0)])
            store.rule(contest.id, Ruling(0, ANNUL, AT, 0, "unjust", matches=(most[0].number,)))
        assert list(store.verify()) == []
    return file


def changed(written: Path, folder: Path, table: str, column: str) -> Path:
    """A copy of the store in which one value of a table's last row is another one."""
    file = folder / "results.db"
    shutil.copy(written, file)
    kind = METADATA.tables[table].c[column].type
    if isinstance(kind, JSON):
        other = "'{\"other\": 1}'"
    elif isinstance(kind, String):
        other = f"coalesce({column}, '') || '1'"
    elif column in ("set_aside", "version"):  # a batch holds no more than its size, and the version must be there
        other = f"{column} - 1"
    else:
        other = f"coalesce({column}, 0) + 1000"
    key = ", ".join(METADATA.tables[table].primary_key.c.keys())
    last = ", ".join(f"{part.name} DESC" for part in METADATA.tables[table].primary_key)
    row = f"(SELECT {key} FROM {table} ORDER BY {last} LIMIT 1)"
    with closing(sqlite3.connect(file)) as database:
        found = database.execute(f"UPDATE {table} SET {column} = {other} WHERE ({key}) = {row}")
        assert found.rowcount == 1, f"the store has no row of {table}"
        database.commit()
    return file


def found_in(file: Path) -> list[Message]:
    """What the store finds in itself, until it can read no further."""
    found: list[Message] = []
    with open_store(str(file)) as store, suppress(OperatorError):
        for finding in store.verify():
            found.append(finding)
    return found


@pytest.mark.parametrize(("table", "column"), COVERED)
def test_each_value_has_its_checksum(written: Path, tmp_path: Path, table: str, column: str) -> None:
    """Whatever a checksum covers is found out when it changes, by the checksum itself."""
    told = [str(finding.values.get("reason")) for finding in found_in(changed(written, tmp_path, table, column))]
    said = "entrant 3 is not what was written" if table == "entrants" else f"a row of {table} is not what was written"
    assert any(said in each for each in told), told


@pytest.mark.parametrize(("table", "column"), COUNTED)
def test_each_count_is_counted_again(written: Path, tmp_path: Path, table: str, column: str) -> None:
    """A tally that says something else than the results do is found out, also where its checksum was made anew."""
    file = changed(written, tmp_path, table, column)
    seal(file)
    assert [(finding.key, finding.values.get("table")) for finding in found_in(file)] == [("verify.tally", table)]


def test_each_table_of_tallies_is_looked_at(written: Path, tmp_path: Path) -> None:
    """Where a row of one table cannot be read, wrong counts in the others are told all the same."""
    file = changed(written, tmp_path, "fault_tallies", "count")
    seal(file)
    with closing(sqlite3.connect(file)) as database:
        database.execute("UPDATE pair_tallies SET tied = tied + 1")
        database.commit()
    found = found_in(file)
    assert ("verify.tally", "fault_tallies") in [(each.key, each.values.get("table")) for each in found], found
    broken = [str(each.values["reason"]) for each in found if each.key == "verify.row"]
    assert any("a row of pair_tallies is not what was written" in each for each in broken), found
