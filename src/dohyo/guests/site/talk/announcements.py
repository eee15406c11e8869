"""Announcements at a ladder: a few words of an organiser's, in a little of Markdown."""

from __future__ import annotations

from functools import cache
from time import time
from typing import Any

import msgspec
from markdown_it import MarkdownIt
from sqlalchemy import Connection, delete, func, select

from dohyo import clean
from dohyo.core.errors import OperatorError
from dohyo.guests.site import tables
from dohyo.guests.site.arena.ladders import Ladder, is_for
from dohyo.guests.site.people.accounts import Person
from dohyo.guests.site.people.audit import audit
from dohyo.guests.site.tables import inserted
from dohyo.series.store.database import Database

LONGEST = 4000  # characters
MAX_OF_LADDER = 200
SHOWN = 5
WRITTEN = (
    "emphasis",
    "escape",
    "link",
    "list",
    "newline",
    "backticks",
    "autolink",
)  # of Markdown, that is understood


class Announcement(msgspec.Struct, frozen=True):
    """One of them: `slug` and `title` are its ladder's."""

    id: int
    text: str
    at: float
    slug: str
    title: str


@cache
def _markdown() -> MarkdownIt:
    return MarkdownIt("zero", {"html": False, "breaks": True}).enable([*WRITTEN])


def html(text: str) -> str:
    """A text as markup: emphasis, lists and links to http, https and mailto; all else in it is text."""
    return str(_markdown().render(text))


def announce(database: Database, by: Person, ladder: Ladder, text: str) -> None:
    """Announce something. Raises `OperatorError` for an empty or a long text."""
    told = clean.block(text).strip()
    if not told or len(told) > LONGEST:
        raise OperatorError("serve-text-long", most=LONGEST)

    def act(connection: Connection) -> None:
        announcements = tables.announcements
        here = select(func.count()).where(announcements.c.ladder == ladder.id)
        if connection.execute(here).scalar_one() >= MAX_OF_LADDER:
            raise OperatorError("serve-too-many-announced", most=MAX_OF_LADDER)
        inserted(connection, announcements, {"ladder": ladder.id, "by": by.name, "text": told, "at": time()})
        audit(connection, by, "announce", {"ladder": ladder.slug, "text": " ".join(told.split())[:80]})

    database.write(act)


def withdraw(database: Database, by: Person, ladder: Ladder, number: int) -> bool:
    """Take an announcement away; whether there was one."""

    def act(connection: Connection) -> bool:
        announcements = tables.announcements
        this = (announcements.c.id == number, announcements.c.ladder == ladder.id)
        text = connection.execute(select(announcements.c.text).where(*this)).scalar()
        if text is None:
            return False
        connection.execute(delete(announcements).where(*this))
        audit(connection, by, "withdraw", {"ladder": ladder.slug, "text": " ".join(text.split())[:80]})
        return True

    return database.write(act)


def last(database: Database, person: Person | None, ladder: Ladder | None = None) -> list[Announcement]:
    """What was announced last at a ladder, or at all that are there for this person; the newest first."""
    announcements, ladders = tables.announcements, tables.ladders
    joined = announcements.join(ladders, announcements.c.ladder == ladders.c.id)
    own = [announcements.c[name] for name in ("id", "text", "at")]
    asked = select(*own, ladders.c.slug, ladders.c.title).select_from(joined).where(is_for(person))
    if ladder is not None:
        asked = asked.where(ladders.c.id == ladder.id)
    asked = asked.order_by(announcements.c.id.desc()).limit(SHOWN)
    rows: Any = database.read(lambda connection: connection.execute(asked).mappings().all())
    return [Announcement(**row) for row in rows]
