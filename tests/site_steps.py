"""Steps from one state of a site's tables to the next: `python -m tests.site_steps NAME` writes one.

It compares the tables that all steps make with those of `tables.py`, and writes what differs into a new file, for a
person to read and complete. Before the first release, `python -m tests.site_steps first` writes the first step anew:
the whole state. A test says when that is needed.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

from alembic.autogenerate import compare_metadata, produce_migrations, render_python_code
from alembic.operations import Operations
from alembic.operations.ops import UpgradeOps
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import BigInteger, Connection, Float, Integer, Text, create_engine

from dohyo.guests.site import tables
from dohyo.guests.site.steps import upgrade

FIRST = "first"
PLAIN = {Text: "sa.Text()", BigInteger: "sa.BigInteger()", Integer: "sa.Integer()", Float: "sa.Float()"}
FORM = '''"""{title}"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "{revision}"
down_revision = {before}


def upgrade() -> None:
    """Take the step."""
    {calls}
{functions}'''
FUNCTION = """

def {name}() -> None:
    {code}
"""


def take_all(connection: Connection) -> None:
    """Make the tables of an empty database by the steps alone."""
    steps = ScriptDirectory(str(upgrade.FOLDER), version_locations=[str(upgrade.FOLDER)])
    with Operations.context(MigrationContext.configure(connection)):
        for step in reversed([*steps.walk_revisions()]):
            step.module.upgrade()


def differences() -> list[Any]:
    """What differs between the tables that the steps make and those of `tables.py`."""
    with create_engine("sqlite://").begin() as connection:
        take_all(connection)
        return [*compare_metadata(MigrationContext.configure(connection), tables.METADATA)]


def write(name: str) -> Path:
    """Write a step: the first anew, or another one; where it is."""
    number = 1 if name == FIRST else int(upgrade.VERSION) + 1
    revision = f"{number:04}"
    with create_engine("sqlite://").begin() as connection:
        if number > 1:
            take_all(connection)
        found = produce_migrations(MigrationContext.configure(connection), tables.METADATA)
        functions = dict(_functions(found.upgrade_ops, as_batch=number > 1))
    before = "None" if number == 1 else f'"{number - 1:04}"'
    title = "The tables of a site as they were at first." if number == 1 else f"{name.capitalize()}."
    path = upgrade.FOLDER / f"step_{revision}.py"
    told = "".join(FUNCTION.format(name=name, code=code) for name, code in functions.items())
    calls = "\n    ".join(f"{name}()" for name in functions)
    path.write_text(FORM.format(title=title, revision=revision, before=before, calls=calls, functions=told))
    subprocess.run([sys.executable, "-m", "ruff", "format", "-q", path], check=True)
    return path


def _functions(operations: Any, as_batch: bool) -> Iterator[tuple[str, str]]:
    """The step in functions, one for each table, by its name."""
    for table, ops in groupby(operations.ops, lambda one: one.table_name):
        code = render_python_code(UpgradeOps([*ops]), render_as_batch=as_batch, render_item=_plain)
        yield f"_{table}", re.sub(r"\n?# ### [^\n]*", "", code).strip()


def _plain(kind: str, item: Any, context: Any) -> Any:
    """A type of ours as SQLAlchemy's own: a step stays as it is, whatever ours become."""
    if kind == "type":
        return next((text for plain, text in PLAIN.items() if isinstance(item, plain)), False)
    return False


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("python -m tests.site_steps first, or a new step's name")
    print(write(sys.argv[1]))
    print("Then set VERSION in upgrade.py to the last step's number.")
