"""A site that an older Dohyo has made opens with this one, with all that is in it."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from sqlalchemy import create_engine, inspect, select, text

from dohyo.core.errors import OperatorError
from dohyo.guests.site import tables
from dohyo.guests.site.people import accounts
from dohyo.guests.site.steps import upgrade
from tests import site_steps

NEXT = '''"""A later one."""
import sqlalchemy as sa
from alembic import op

revision = "9999"
down_revision = "{before}"


def upgrade() -> None:
    """Take the step."""
    with op.batch_alter_table("people") as people:
        people.add_column(sa.Column("motto", sa.Text(), nullable=False, server_default="none"))
    {more}
'''


def later(folder: Path, monkeypatch: pytest.MonkeyPatch, more: str = "") -> None:
    """Let this Dohyo be a later one, with one step more."""
    steps = folder / "versions"
    shutil.copytree(upgrade.FOLDER, steps)
    (steps / "step_9999.py").write_text(NEXT.format(before=upgrade.VERSION, more=more))
    monkeypatch.setattr(upgrade, "FOLDER", steps)
    monkeypatch.setattr(upgrade, "VERSION", "9999")


@pytest.fixture
def old(tmp_path: Path) -> str:
    """The database of a site that was made by the steps up to now, with an account."""
    path = os.fspath(tmp_path / "site.db")
    with create_engine(f"sqlite:///{path}").begin() as connection:
        site_steps.take_all(connection)
        upgrade.STAMP.create(connection)
        connection.execute(upgrade.STAMP.insert().values(version_num=upgrade.VERSION))
    database = tables.open_site(path)
    accounts.sign_up(database, "Of old", "correct horse", "here")
    database.close()
    return path


def test_the_steps_make_the_tables_that_are_used() -> None:
    """If not: `python -m tests.site_steps first` before the first release, `... NAME` afterwards."""
    assert site_steps.differences() == []
    steps = sorted(path.stem for path in upgrade.FOLDER.glob("step_*.py"))
    assert steps[-1] == f"step_{upgrade.VERSION}"


def test_an_older_site_opens_with_all_that_is_in_it(
    old: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The steps that it lacks are taken, once; accounts are there, and can be entered."""
    later(tmp_path, monkeypatch)
    for _ in range(2):
        database = tables.open_site(old)
        assert accounts.sign_in(database, "Of old", "correct horse", "here").name == "Of old"
        with database.reading() as connection:
            assert connection.execute(text("SELECT motto FROM people")).scalar() == "none"
            assert connection.execute(select(upgrade.STAMP.c.version_num)).scalar() == "9999"
        database.close()


def test_a_step_that_fails_changes_nothing(old: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All steps or none: the older Dohyo can go on with the site."""
    with monkeypatch.context() as patched:
        later(tmp_path, patched, 'raise RuntimeError("no room")')
        with pytest.raises(RuntimeError):
            tables.open_site(old)
    database = tables.open_site(old)
    with database.reading() as connection:
        assert "motto" not in {column["name"] for column in inspect(connection).get_columns("people")}
    database.close()


def test_a_newer_site_is_left_alone(old: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An older Dohyo says so, and changes nothing."""
    with monkeypatch.context() as patched:
        later(tmp_path, patched)
        tables.open_site(old).close()
    with pytest.raises(OperatorError) as refused:
        tables.open_site(old)
    assert refused.value.key == "serve-other-version"


def test_a_development_version_is_refused(tmp_path: Path) -> None:
    """Tables from before the first step cannot be told apart."""
    path = os.fspath(tmp_path / "site.db")
    with create_engine(f"sqlite:///{path}").begin() as connection:
        connection.execute(text("CREATE TABLE people (id INTEGER PRIMARY KEY)"))
    with pytest.raises(OperatorError) as refused:
        tables.open_site(path)
    assert refused.value.key == "serve-other-version"
