"""Tables are what the code believes them to be, whoever makes them, and those of another version are refused."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import inspect, text

from dohyo.core.errors import OperatorError
from dohyo.series.store import tables
from tests.series.store.conftest import Open
from tests.series.store.played import begun

WITHOUT_ROWID = "SELECT name FROM sqlite_master WHERE sql LIKE '%WITHOUT ROWID%'"


def test_tables_are_what_the_code_believes(opened: Open) -> None:
    """The tables of a new store, their columns, keys and indices are those of `tables.py`."""
    with opened().database.reading() as connection:
        inspector = inspect(connection)
        assert {*inspector.get_table_names()} == {*tables.METADATA.tables, tables.VERSION_TABLE}
        for name, table_ in tables.METADATA.tables.items():
            key = inspector.get_pk_constraint(name)["constrained_columns"]
            assert key == [column.name for column in table_.primary_key], name
            assert [column["name"] for column in inspector.get_columns(name)] == [*table_.columns.keys()], name
            indices = {index["name"] for index in inspector.get_indexes(name) if "duplicates_constraint" not in index}
            assert indices == {index.name for index in table_.indexes}, name
            nullable = {column["name"] for column in inspector.get_columns(name) if column["nullable"]}
            assert nullable == {column.name for column in table_.columns if column.nullable}, name


def test_many_open_a_new_store_at_once(opened: Open) -> None:
    """Whoever opens a store while another one makes it waits, and gets the same store."""
    with ThreadPoolExecutor(6) as pool:
        stores = [waiting.result() for waiting in [pool.submit(opened) for _ in range(6)]]
    contest = begun(stores[0])
    assert all(store.contests() == [contest] for store in stores)


@pytest.mark.parametrize("version", ["0099", "0005", "0001"])
def test_a_store_of_another_version_is_refused(where: str, opened: Open, version: str) -> None:
    """Tables of a newer or an older version are refused with a sentence that says so, whatever they are."""
    with opened() as store, store.database.writing() as connection:
        connection.execute(text("ALTER TABLE attempts RENAME COLUMN by_seat TO places"))
        connection.execute(text(f"UPDATE {tables.VERSION_TABLE} SET version_num = '{version}'"))
    with pytest.raises(OperatorError) as caught:
        opened()
    assert caught.value.key == "store-other-version"
    assert version in str(caught.value)
