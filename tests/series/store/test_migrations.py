"""Tables are brought up, never down, and are in the end what the code believes them to be."""

from __future__ import annotations

import shutil
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
from tests.series.store.played import begun, duels, result

WITHOUT_ROWID = "SELECT name FROM sqlite_master WHERE sql LIKE '%WITHOUT ROWID%'"


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
    """A new store, whose tables are made at once, has the very tables that the steps make."""
    new = shape(opened().database)
    with ExitStack() as stack:
        if where.startswith("postgresql"):
            other = stack.enter_context(request.getfixturevalue("server").database())
        else:
            other = str(tmp_path / "by_steps.db")
        database = Database(read_address(other))
        stack.callback(database.close)
        with database.writing() as connection:
            opening.step_up(connection)
        assert shape(database) == new
    assert len(new) > 5 * len(tables.METADATA.tables)


SECOND = """
from alembic import op
from sqlalchemy import Column, Integer

revision, down_revision = "0002", "0001"


def upgrade():
    op.create_table("more", Column("id", Integer, primary_key=True))
"""


def test_a_further_step_is_taken_wholly_or_not_at_all(
    opened: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With one step more, a store with results gets it when it is opened; where that fails it is what it was."""
    with opened() as store:
        contest = begun(store)
        store.schedule(contest.id, duels())
        store.record(contest.id, [result(match) for match in duels()])
        tallies = store.tallies(contest.id)
    steps = tmp_path / "steps"
    shutil.copytree(opening.MIGRATIONS, steps, ignore=shutil.ignore_patterns("__pycache__"))
    second = steps / "versions" / "second.py"
    monkeypatch.setattr(opening, "MIGRATIONS", steps)
    with monkeypatch.context() as patched:
        patched.setattr(opening, "KNOWN", ("0001", "0002"))
        second.write_text(f"{SECOND}    raise KeyboardInterrupt\n", encoding="utf-8")
        with pytest.raises(KeyboardInterrupt):
            opened()
    with opened() as store:
        assert store.tallies(contest.id) == tallies
        with store.database.reading() as connection:
            assert "more" not in inspect(connection).get_table_names()
    with monkeypatch.context() as patched:
        patched.setattr(opening, "KNOWN", ("0001", "0002"))
        second.write_text(SECOND, encoding="utf-8")
        store = opened()
    with store.database.reading() as connection:
        assert "more" in inspect(connection).get_table_names()
    assert store.tallies(contest.id) == tallies


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
