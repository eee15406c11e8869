"""Which files of a store were removed on purpose: bots' code, whose authors wanted it to be gone.

Nothing of that changes what was entered or played: rows go on naming the file, and its digest is still covered by
checksums. That it is no loss is a fact of the store, noted before the file goes.
"""

from __future__ import annotations

from sqlalchemy import Connection, select

from dohyo.series.store import tables
from dohyo.series.store.database import insert

BEGINS = "removed "  # the name of such a fact, before the file's digest


def note(connection: Connection, digest: str, why: str) -> None:
    """Note that a file is removed, for a reason in a word."""
    row = {"name": f"{BEGINS}{digest}", "value": why}
    connection.execute(insert(connection, tables.facts).values(row).on_conflict_do_nothing())


def removed(connection: Connection) -> set[str]:
    """The digests of the files that were removed; one that somebody has stored again is there all the same."""
    name = tables.facts.c.name
    found = connection.execute(select(name).where(name.startswith(BEGINS, autoescape=True))).scalars()
    return {each.removeprefix(BEGINS) for each in found}
