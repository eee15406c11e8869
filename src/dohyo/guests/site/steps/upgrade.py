"""Which version a site's tables are of, and the steps from an older one to this."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Column, Connection, MetaData, String, Table, inspect, select, update

from dohyo.core.errors import OperatorError

FOLDER = Path(__file__).parent / "versions"
VERSION = "0006"  # the last step's
LONGEST = 32  # characters of a version
# The table that alembic makes for this.
STAMP = Table("site_version", MetaData(), Column("version_num", String(LONGEST), primary_key=True))


def prepare(connection: Connection, metadata: MetaData, shown: str) -> None:
    """Make the tables where there are none; bring those of an older site up to this version, all or nothing.

    Raises `OperatorError` for a site of a newer Dohyo, and of a development version from before the first step.
    """
    if inspect(connection).has_table(STAMP.name):
        found = str(connection.execute(select(STAMP.c.version_num)).scalar())
    elif any(inspect(connection).has_table(name) for name in metadata.tables):
        found = "none"
    else:
        metadata.create_all(connection, checkfirst=False)
        STAMP.create(connection)
        connection.execute(STAMP.insert().values(version_num=VERSION))
        return
    if found != VERSION:
        _take_steps(connection, found, shown)


def _take_steps(connection: Connection, found: str, shown: str) -> None:
    from alembic.operations import Operations
    from alembic.runtime.migration import MigrationContext
    from alembic.script import ScriptDirectory

    steps = ScriptDirectory(str(FOLDER), version_locations=[str(FOLDER)])
    if found not in {step.revision for step in steps.walk_revisions()}:
        raise OperatorError("serve-other-version", path=shown, version=found[:LONGEST], known=VERSION)
    taken = [*steps.iterate_revisions(VERSION, found)]
    with Operations.context(MigrationContext.configure(connection)):
        for step in reversed(taken):
            step.module.upgrade()
    connection.execute(update(STAMP).values(version_num=VERSION))
