"""What `docs/store.md` says about stores is so."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path

from sqlalchemy import text

from dohyo.series.store import open_store, tables
from tests.series.store.conftest import Open
from tests.series.store.played import begun, duels, result


def test_questions_have_answers(opened: Open, root: Path) -> None:
    """Every question in SQL is answered, in both databases, from what was played."""
    questions = re.findall(r"```sql\n(.*?)```", (root / "docs" / "store.md").read_text(encoding="utf-8"), re.DOTALL)
    assert len(questions) >= 3
    store = opened()
    contest = begun(store)
    store.schedule(contest.id, duels())
    store.record(contest.id, [result(match) for match in duels()])
    with store.database.reading() as connection:
        ahead, late, seats = (connection.execute(text(question)).all() for question in questions)
    points = [row.points for row in ahead]
    assert sum(points) == 24
    assert points == sorted(points, reverse=True)
    assert [row.number for row in late] == [m.number for m in duels() if m.number % 4 == 0 and m.seats[0] == 0]
    assert [row.matches for row in seats] == [24, 24]


def test_every_table_is_named(root: Path) -> None:
    """The page names every table."""
    page = (root / "docs" / "store.md").read_text(encoding="utf-8")
    assert {name for name in (*tables.METADATA.tables, tables.VERSION_TABLE) if f"`{name}`" not in page} == set()


def test_a_copy_is_a_store(tmp_path: Path) -> None:
    """A copy that SQLite made while the store was open and being written to is a store with what was committed."""
    with open_store(str(tmp_path / "results.db"), create=True) as store:
        contest = begun(store)
        store.schedule(contest.id, duels())
        store.record(contest.id, [result(duels()[0])])
        with (
            closing(sqlite3.connect(tmp_path / "results.db")) as here,
            closing(sqlite3.connect(tmp_path / "copy.db")) as there,
        ):
            here.backup(there)
    with open_store(str(tmp_path / "copy.db")) as copy:
        assert list(copy.played(contest.id)) == [result(duels()[0])]
