"""What organisers did, in the order in which they did it: written in the transaction that does it, never changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from time import time

import msgspec
from sqlalchemy import Connection, select

from dohyo import clean
from dohyo.guests.site import tables
from dohyo.guests.site.people.accounts import Person
from dohyo.guests.site.tables import inserted
from dohyo.series.store.database import Database

LONGEST = 300  # characters of a value
SHOWN = 50
PIECE = 1000


class Deed(msgspec.Struct, frozen=True):
    """One of them: `serve.audit.WHAT` is the key of its sentence, `about` are its values."""

    id: int
    at: float
    person: str
    what: str
    ladder: str
    about: dict[str, str]


def audit(connection: Connection, person: Person | None, what: str, about: Mapping[str, object]) -> None:
    """Note that a person (none: the site itself) did this; `about` may name a `ladder`, by its name in addresses."""
    told = {key: clean.line(str(value), LONGEST) for key, value in about.items()}
    row = {
        "at": time(),
        "person": "" if person is None else person.name,
        "what": what,
        "ladder": told.get("ladder", ""),
        "about": msgspec.json.encode(told).decode(),
    }
    inserted(connection, tables.audits, row)


def every(database: Database) -> Iterator[Deed]:
    """All that was done, the newest first, read in pieces."""
    before = None
    while found := deeds(database, most=PIECE, before=before):
        yield from found
        before = found[-1].id


def deeds(database: Database, ladder: str | None = None, most: int = SHOWN, before: int | None = None) -> list[Deed]:
    """What was done last, the newest first: about one ladder, or about all of them and the site."""
    audits = tables.audits
    asked = select(audits).order_by(audits.c.id.desc()).limit(most)
    if ladder is not None:
        asked = asked.where(audits.c.ladder == ladder)
    if before is not None:
        asked = asked.where(audits.c.id < before)
    rows = database.read(lambda connection: connection.execute(asked).mappings().all())
    return [
        Deed(
            row["id"],
            row["at"],
            row["person"],
            row["what"],
            row["ladder"],
            msgspec.json.decode(row["about"], type=dict[str, str]),
        )
        for row in rows
    ]
