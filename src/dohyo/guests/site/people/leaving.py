"""Somebody deletes the own account: name, code and logs go; results stay, without a name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, delete, func, select, update

from dohyo.core.errors import OperatorError
from dohyo.guests.site import tables
from dohyo.guests.site.people.accounts import AUTHOR, ORGANISER, Person, key_of
from dohyo.series.store.database import Database
from dohyo.series.store.files import AnyFiles

DELETED = "deleted"  # the name of whoever has gone
KEPT = (
    "bots",
    "students",
)  # tables whose rows of a person stay: results are of these bots, and the list is a teacher's
NOTHING_KNOWN = '{"fit":false}'  # what is left of what the judge found


def check_may_leave(database: Database, person: Person) -> None:
    """Raise `OperatorError` where nobody could organise the site any more."""
    database.read(lambda connection: _check(connection, person))


def _check(connection: Connection, person: Person) -> None:
    people = tables.people
    others = select(func.count()).where(people.c.role == ORGANISER, people.c.closed == 0, people.c.id != person.id)
    if person.is_organiser and not connection.execute(others).scalar_one():
        raise OperatorError("serve-only-organiser")


def has_left(connection: Connection, person: int) -> bool:
    """Whether the account of this number was deleted."""
    people = tables.people
    return connection.execute(select(people.c.key).where(people.c.id == person)).scalar() == _key(person)


def _key(person: int) -> str:
    return f"{DELETED}:{person}"


def leave(database: Database, person: Person) -> set[str]:
    """Delete what is known of a person; the digests of files that nobody needs any more.

    The bots must be retired already. Raises `OperatorError` where nobody could organise the site any more.
    """
    return database.write(lambda connection: _leave(connection, person))


def remove_files(database: Database, files: AnyFiles, digests: Iterable[str]) -> None:
    """Remove files of somebody who has gone, but for those that somebody else has handed in meanwhile."""

    def act(connection: Connection) -> None:
        for digest in digests:
            if not _is_needed(connection, digest):
                files.remove(digest)

    database.write(act)  # nobody hands in at this moment


def _leave(connection: Connection, person: Person) -> set[str]:
    _check(connection, person)
    hand_ins, bots, people = tables.hand_ins, tables.bots, tables.people
    mine = hand_ins.c.bot.in_(select(bots.c.id).where(bots.c.person == person.id))
    rows = connection.execute(select(hand_ins.c.file, hand_ins.c.replay).where(mine)).all()
    gone = {digest for row in rows for digest in row if digest}
    connection.execute(
        update(hand_ins)
        .where(mine, hand_ins.c.state.in_(("waiting", "examined")))
        .values(state="refused", judge=None)
    )
    connection.execute(update(hand_ins).where(mine).values(file="", filename="-", found=NOTHING_KNOWN, replay=None))
    for table in tables.METADATA.sorted_tables:
        if table.name not in KEPT and "person" in table.c and table.c.person.references(people.c.id):
            gone |= _delete(connection, table, table.c.person == person.id)
    compared = tables.comparisons  # in what came of them stands the person's code
    here = select(bots.c.ladder).where(bots.c.person == person.id, bots.c.house == 0)
    gone |= _delete(connection, compared, compared.c.ladder.in_(here))
    entries = tables.entries  # whoever has the name next is not on anybody's list
    connection.execute(delete(entries).where(entries.c.key == key_of(person.name)))
    connection.execute(update(tables.students).where(tables.students.c.person == person.id).values(person=None))
    nobody = {"name": DELETED, "key": _key(person.id), "password": "", "role": AUTHOR}
    connection.execute(update(people).where(people.c.id == person.id).values(nobody))
    return {digest for digest in gone if not _is_needed(connection, digest)}


def _delete(connection: Connection, table: Table, where: ColumnElement[bool]) -> set[str]:
    """Delete rows, after those that belong to them; the digests of files that these name."""
    gone: set[str] = set()
    for other in tables.METADATA.sorted_tables:
        for key in other.foreign_keys:
            if key.column.table is table:
                gone |= _delete(connection, other, key.parent.in_(select(key.column).where(where)))
    for name in FILES.get(table.name, ()):
        gone |= {*connection.execute(select(table.c[name]).where(where, table.c[name] != "")).scalars()}
    connection.execute(delete(table).where(where))
    return gone


FILES: dict[str, tuple[str, ...]] = {
    "hand_ins": ("file", "replay"),
    "groups": ("file", "draft"),
    "requested": ("replay",),
    "plays": ("replay",),
    "analyses": ("found",),
    "comparisons": ("file",),
}
"""The columns that name files of the site, by table."""


def _is_needed(connection: Connection, digest: str) -> bool:
    """Whether somebody else has the same file."""
    columns: list[Any] = [tables.METADATA.tables[table].c[name] for table, names in FILES.items() for name in names]
    return any(connection.execute(select(column).where(column == digest).limit(1)).first() for column in columns)
