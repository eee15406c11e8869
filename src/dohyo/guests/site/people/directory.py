"""Everybody with an account, for organisers: found by name, made an organiser or an author again, closed, opened."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from sqlalchemy import Connection, delete, func, select, update

from dohyo.core.errors import OperatorError
from dohyo.guests.site import tables
from dohyo.guests.site.people import accounts
from dohyo.guests.site.people.accounts import AUTHOR, ORGANISER, Person, key_of
from dohyo.guests.site.people.audit import audit
from dohyo.series.store.database import Database

PAGE = 50  # people

Change = Literal["organiser", "author", "close", "open"]
VALUES: dict[Change, dict[str, Any]] = {
    "organiser": {"role": ORGANISER},
    "author": {"role": AUTHOR},
    "close": {"closed": 1},
    "open": {"closed": 0},
}


class Entry(msgspec.Struct, frozen=True):
    """Somebody with an account, and how many bots he has in all ladders together."""

    id: int
    name: str
    role: str
    since: float
    closed: bool
    bots: int


class Found(msgspec.Struct, frozen=True):
    """A page of those who were found: `count` are they in all, on `pages` pages."""

    entries: list[Entry]
    count: int
    page: int
    pages: int


def everybody(database: Database, search: str, page: int) -> Found:
    """Those whose names contain `search`, in the order of their names; the last page if there are not so many."""
    people, bots = tables.people, tables.bots
    fits = people.c.key.contains(key_of(search), autoescape=True)
    own = select(func.count()).where(bots.c.person == people.c.id, bots.c.house == 0)
    shown = [people.c[name] for name in ("id", "name", "role", "since", "closed")]
    asked = select(*shown, own.correlate(people).scalar_subquery().label("bots")).where(fits).order_by(people.c.key)

    def ask(connection: Connection) -> Found:
        count = connection.execute(select(func.count()).where(fits)).scalar_one()
        pages = max(1, -(-count // PAGE))
        at = min(page, pages)
        rows = connection.execute(asked.limit(PAGE).offset((at - 1) * PAGE)).mappings().all()
        return Found([_entry(row) for row in rows], count, at, pages)

    return database.read(ask)


def invite(database: Database, by: Person) -> str:
    """A link's secret, with which somebody becomes an organiser, once."""
    database.write(lambda connection: audit(connection, by, "invite", {}))
    return accounts.invite(database)


def change(database: Database, by: Person, number: int, what: Change) -> str | None:
    """Give somebody another role, or close or open an account, whose sessions end with it; the person's name.

    None if there is no such person. Raises `OperatorError` where nobody could organise the site any more.
    """
    people = tables.people

    def act(connection: Connection) -> str | None:
        row = connection.execute(select(people).where(people.c.id == number)).mappings().first()
        if row is None:
            return None
        if what in ("author", "close"):
            working = select(people.c.id).where(people.c.role == ORGANISER, people.c.closed == 0).with_for_update()
            if {*connection.execute(working).scalars()} == {number}:
                raise OperatorError("serve-last-organiser", name=row["name"])
        connection.execute(update(people).where(people.c.id == number).values(VALUES[what]))
        if what == "close":
            connection.execute(delete(tables.sessions).where(tables.sessions.c.person == number))
        audit(connection, by, f"person-{what}", {"name": row["name"]})
        return str(row["name"])

    return database.write(act)


def _entry(row: Any) -> Entry:
    return Entry(row["id"], row["name"], row["role"], row["since"], bool(row["closed"]), row["bots"])
