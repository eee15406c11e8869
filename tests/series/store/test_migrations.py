"""Tables are brought up, never down, and are in the end what the code believes them to be."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import inspect, text

from dohyo.core.errors import OperatorError
from dohyo.series.store import opening, tables
from dohyo.series.store.address import read_address
from dohyo.series.store.database import Database
from tests.series.store.conftest import Open
from tests.series.store.dying import deaths
from tests.series.store.played import begun, duels, result, table

WITHOUT_ROWID = "SELECT name FROM sqlite_master WHERE sql LIKE '%WITHOUT ROWID%'"
RULED = ("ruled", "attempts", "rulings")
NEW = ("batches", "tallies", "pair_tallies", "fault_tallies", "faulty_tallies", *RULED)


def make_first(opened: Open, where: str) -> dict[str, object]:
    """Leave a store of the first version with results in it; what its tallies will have to be."""
    games = [*duels(), table(24, 2), table(25, 2)]
    with opened() as store:
        contest = begun(store)
        store.schedule(contest.id, games)
        store.record(contest.id, [result(match) for match in games if match.number not in (3, 17)])
        for _ in range(3):
            store.fail(contest.id, 17, "killed", 1.0)
        counted = counts(store, contest.id)
        with store.database.writing() as connection:
            for name in NEW:
                connection.execute(text(f"DROP TABLE {name}"))
            for name, known in tables.METADATA.tables.items():
                if "checksum" in known.c and name not in NEW:
                    connection.execute(text(f"ALTER TABLE {name} DROP COLUMN checksum"))
            connection.execute(text(f"UPDATE {tables.VERSION_TABLE} SET version_num = '0001'"))
    return counted


def counts(store: object, contest: int) -> dict[str, object]:
    """Everything that tallies say."""
    return {
        name: getattr(store, name)(contest)
        for name in ("progress", "tallies", "pairs", "faults", "faulty", "unplayed")
    }


def test_tables_are_what_the_code_believes(opened: Open) -> None:
    """After all steps the tables, columns, keys and indices are those of `tables.py`."""
    with opened().database.reading() as connection:
        context = MigrationContext.configure(connection, opts={"version_table": tables.VERSION_TABLE})
        assert compare_metadata(context, tables.METADATA) == []
        inspector = inspect(connection)
        for name, table_ in tables.METADATA.tables.items():
            key = inspector.get_pk_constraint(name)["constrained_columns"]
            assert key == [column.name for column in table_.primary_key], name
            nullable = {column["name"] for column in inspector.get_columns(name) if column["nullable"]}
            assert nullable == {column.name for column in table_.columns if column.nullable}, name


def test_first_version_is_what_it_was(where: str, opened: Open) -> None:
    """The store that the next test brings up has the very tables that the first step makes."""
    database = Database(read_address(where))
    opening.bring_up(database, "0001")
    with database.reading() as connection:
        first = set(inspect(connection).get_table_names())
    database.close()
    assert first == {*tables.METADATA.tables, tables.VERSION_TABLE} - set(NEW)
    assert opened().contests() == []


def shape(database: Database) -> dict[str, object]:
    """All that a database says of its tables, whatever the order of what has none."""
    with database.reading() as connection:
        inspector = inspect(connection)
        made: dict[str, object] = {
            f"{name} {what}": sorted(map(repr, found)) if isinstance(found := ask(name), list) else repr(found)
            for name in inspector.get_table_names()
            for what, ask in {
                "keys": inspector.get_pk_constraint,
                "others": inspector.get_foreign_keys,
                "unique": inspector.get_unique_constraints,
                "indices": inspector.get_indexes,
                "checks": inspector.get_check_constraints,
            }.items()
        }
        for name in inspector.get_table_names():
            made[name] = [repr({**column, "type": repr(column["type"])}) for column in inspector.get_columns(name)]
        made["stamp"] = connection.execute(text(f"SELECT version_num FROM {tables.VERSION_TABLE}")).all()
        if database.is_sqlite:
            made["application"] = connection.execute(text("PRAGMA application_id")).all()
            made["without rowid"] = sorted(connection.execute(text(WITHOUT_ROWID)).scalars())
    return made


def test_a_new_store_is_what_all_steps_make(
    where: str, opened: Open, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    """A new store, whose tables are made at once, has the very tables that the steps make of the oldest one."""
    new = shape(opened().database)
    with ExitStack() as stack:
        if where.startswith("postgresql"):
            other = stack.enter_context(request.getfixturevalue("server").database())
        else:
            other = str(tmp_path / "by_steps.db")
        database = Database(read_address(other))
        stack.callback(database.close)
        for revision in opening.KNOWN:
            opening.bring_up(database, revision)
        assert shape(database) == new
    assert len(new) > 5 * len(tables.METADATA.tables)


def test_a_store_of_the_first_version_is_brought_up(where: str, opened: Open) -> None:
    """Opened by this software, an old store gets its tallies counted from its results, and goes on."""
    counted = make_first(opened, where)
    store = opened(create=False)
    contest = store.contest()
    assert counts(store, contest.id) == counted
    assert store.record(contest.id, [result(duels()[3]), result(duels()[17])]) == [3]
    assert store.progress(contest.id)[0].complete


def test_killed_while_a_store_is_brought_up(where: str, opened: Open, root: Path, tmp_path: Path, full: bool) -> None:
    """An old store whose bringing up was killed, at whatever statement, is brought up by whoever comes next."""
    counted = make_first(opened, where)
    assert deaths(root, "opens", where, tmp_path / "files", step=1 if full else 7) > 1
    store = opened(create=False)
    assert counts(store, store.contest().id) == counted


def test_many_open_a_new_store_at_once(opened: Open) -> None:
    """Whoever opens a store while another one makes or brings it up waits, and gets the same store."""
    with ThreadPoolExecutor(6) as pool:
        stores = [waiting.result() for waiting in [pool.submit(opened) for _ in range(6)]]
    contest = begun(stores[0])
    assert all(store.contests() == [contest] for store in stores)


def test_a_newer_store_is_refused(where: str, opened: Open) -> None:
    """A store with tables that this software does not know is refused with a sentence, and not touched."""
    with opened() as store, store.database.writing() as connection:
        connection.execute(text(f"UPDATE {tables.VERSION_TABLE} SET version_num = '0099'"))
    with pytest.raises(OperatorError) as caught:
        opened()
    assert caught.value.key == "store-too-new"
    assert "0099" in str(caught.value)


def test_steps_go_up_only() -> None:
    """Steps follow one another, all of them are known to who opens a store, and none of them knows a way back."""
    steps = list(ScriptDirectory(opening.MIGRATIONS).walk_revisions())
    assert tuple(step.revision for step in reversed(steps)) == opening.KNOWN
    assert not any(hasattr(step.module, "downgrade") for step in steps)
